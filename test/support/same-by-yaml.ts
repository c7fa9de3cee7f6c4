import { expect } from 'vitest'
import type { Flow } from '../../schemas/flow.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { byYaml } from './by-yaml.ts'
import { openCaseWorld } from './case-world.ts'
import type { ConformanceCase } from './conformance.ts'
import type { Json } from './json.ts'
import { asTwin, outcomeOf, sameIds, type TwinIds, twinIds } from './play-both.ts'
import { beginPublished, type Started } from './start.ts'

function readIfRight(definition: unknown): Flow | undefined {
  try {
    return readDefinition(definition)
  } catch {
    return undefined
  }
}

/** The ids of items are sent by whoever clicks one. */
function clickedIn(request: unknown, { items }: TwinIds): unknown {
  const twins = new Map([...items].map(([right, left]) => [left, right]))
  const text = JSON.stringify(request ?? {})
  return JSON.parse(text, (key, value) => (key === 'replyId' ? (twins.get(value) ?? value) : value))
}

/** Cases in which a visitor says an id, one is a part of what goes to a client or another system, or a moment is. */
const toldIds = [
  /^takes the id of an item as text/,
  /^takes several choices at once: i-/,
  /^writes the variables that a model finds/,
  /^has a model of Anthropic find variables/,
  /^sends code to the client, the variables/,
  /^gives a variable an alias whose id is/,
  /^sends a mail, gives it a label/,
]

/** Plays what a case says to its flow, and to the one that comes of it by way of YAML. */
export async function expectSameByYaml(testCase: ConformanceCase): Promise<void> {
  const { definition, description } = testCase
  const flow = readIfRight(definition)
  if (!flow || toldIds.some((told) => told.test(description))) return
  const twin = byYaml(flow)
  const ids = twinIds({ left: flow as unknown as Json, right: twin })
  const played = await play(testCase, definition, sameIds)
  expect(asTwin(await play(testCase, twin, ids), ids), description).toEqual(asTwin(played, sameIds))
}

async function play(testCase: ConformanceCase, definition: Json, ids: TwinIds): Promise<unknown[]> {
  const { request, publicRequest, linked, random, then = [] } = testCase
  const { chat, sent } = await openCaseWorld({ ...testCase, definition }, 'public')
  const begun = beginPublished({ definition, linked, random, body: { ...request, ...publicRequest }, chat })
  const started = (await outcomeOf(begun)) as Started
  if (!started.continue) return [started]
  const outcomes: unknown[] = [started.response]
  for (const turn of then) {
    outcomes.push(
      await outcomeOf(
        turn.operator
          ? started.operate(turn.operator)
          : turn.after
            ? started.after(turn.after)
            : started.continue(clickedIn(turn.request, ids) as Json),
      ),
    )
  }
  const result = await started.world.results.get(String(definition['id']), 'result-1')
  return [...outcomes, sent, result?.variables?.map(({ name, value }) => ({ name, value })) ?? null]
}
