import { Path } from '../../src/stores/counts/path-bits.ts'
import type { Count, CountKind } from '../../src/stores/counts/turn-facts.ts'
import type { ResultUpdate } from '../../src/stores/result-store.ts'
import { drawsOf } from '../../test/support/counted-flow.ts'
import { surveyBlocks } from '../flows/survey.ts'

const hourMs = 3_600_000
const daysOfMonth = 30

/** Milestones stand before the blocks of a path. */
const milestones = 3
const milestoneNames = ['\nstart', '\ncompletion', '\nhanded over']

/** What a version can come through, as the service keeps it. */
export const surveyPlaces = [...milestoneNames, ...surveyBlocks]

export const surveyVersion = 'v'.repeat(43)

/** A month of conversations, made up as visitors are: most leave early, from five campaigns, in three languages. */
export interface Month {
  readonly counts: readonly Count[]
  readonly results: Iterable<ResultUpdate>
}

/** Makes them by a seed: reading the results counts them, so that the counts are there afterwards. */
export function monthOf(conversations: number, now: number): Month {
  const counts = new Map<string, Count & { count: number }>()
  const boundary = Math.floor(now / hourMs) - 7 * 24
  const daily = boundary - (boundary % 24)
  const add = (time: number, kind: CountKind, name: string) => {
    const hour = Math.floor(time / hourMs)
    const joined = hour < daily ? hour - (hour % 24) : hour
    const key = `${joined} ${kind} ${name}`
    const count = counts.get(key)
    if (count) count.count += 1
    else counts.set(key, { flowId: 'survey', version: surveyVersion, hour: joined, kind, name, count: 1 })
  }
  const draw = drawsOf(1)
  const oneOf = (values: readonly string[]) => values[Math.floor(draw() ** 2 * values.length)] as string
  function conversation(nth: number): ResultUpdate {
    const start = now - Math.floor(draw() * daysOfMonth * 24 * hourMs)
    const cohort = JSON.stringify([
      ['locale', oneOf(['en', 'fr', 'de'])],
      ['utm_source', oneOf(['search', 'mail', 'social', 'partner', 'print'])],
      ['utm_campaign', oneOf(['autumn', 'winter', 'launch', 'again'])],
    ])
    const path = new Path()
    const isShort = draw() < 0.3
    const answers: { blockId: string; content: string }[] = []
    let time = start
    let place = surveyBlocks[0] as string
    let isOver = true
    for (const [index, block] of surveyBlocks.entries()) {
      if (isShort && index >= 8 && index < 12) continue
      path.add(milestones + index)
      place = block
      add(time, 'shown', block)
      if (index % 4 === 3) add(time, 'edge', `e${(index + 1) / 4}`)
      if (index % 2 === 0) continue
      add(time, 'asked', block)
      if (draw() < 0.09) {
        isOver = false
        break
      }
      const bucket = Math.floor(4 + 8 * draw() ** 2)
      time += Math.round(2 ** (bucket / 2) * 900)
      if (draw() < 0.1) add(time, 'refused', block)
      for (const kind of ['answered', 'moved on'] as const) add(time, kind, block)
      add(time, 'time', `${block}\n${bucket}`)
      answers.push({ blockId: block, content: `Answer ${Math.floor(draw() * 1000)}` })
    }
    if (answers.length > 0) path.add(0)
    if (isOver) {
      path.add(1)
      add(time, 'ended', place)
      add(time, 'duration', String(Math.ceil(2 * Math.log2((time - start) / 1000))))
    }
    add(start, 'path', `${path} ${cohort}`)
    return {
      id: `result-${nth}`,
      flowId: 'survey',
      now: start,
      answers,
      hasStarted: answers.length > 0,
      isCompleted: isOver,
      lastChatSessionId: `session-${nth}`,
      visit: { version: surveyVersion, path: path.toString(), cohort, place, askedAt: isOver ? 0 : time },
    }
  }
  function* results(): Generator<ResultUpdate> {
    for (let nth = 0; nth < conversations; nth++) yield conversation(nth)
  }
  return {
    get counts() {
      return [...counts.values()]
    },
    results: results(),
  }
}
