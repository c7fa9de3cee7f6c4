import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, strikeUntil } from './faults.ts'
import { atMost } from './reminding-flow.ts'
import { readResult } from './run-chaos.ts'
import { createAsk, emptyHistory, type History } from './visitors.ts'
import { startWorld } from './world.ts'

/** A conversation with the moments that were said in it and acknowledged, in their order. */
interface Timed {
  readonly resultId: string
  readonly said: string[]
}

export interface TimersReport {
  readonly history: History
  readonly faults: ReadonlyMap<string, number>
  readonly conversations: number
  /** Turns that timers took. */
  readonly timed: number
  readonly violations: readonly string[]
}

interface TimersOptions {
  readonly dist: string
  readonly seconds: number
  /** Other faults than usual; none where it is empty. */
  readonly faults?: readonly Fault[]
}

/** Those who never say anything, whose timers come due in crowds. */
const silent = 300
const talkers = 12

/** After the last fault: what leases take, the pause after a turn that has failed, and the reminders. */
const settleMs = 60_000

/** Lets sessions act by themselves while things go wrong, and reads in their results what they have said once all is well again. */
export async function runTimerChaos({ dist, seconds, faults: given }: TimersOptions): Promise<TimersReport> {
  const world = await startWorld({ dist })
  try {
    const history = emptyHistory()
    const ask = createAsk(world.address, history)
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() > end
    const striking = given?.length === 0 ? Promise.resolve(new Map()) : strikeUntil(world, isOver, given)
    const conversations: Timed[] = []

    async function begin(key: string): Promise<Timed & { readonly path: string }> {
      const { text } = await ask('/v1/flows/reminding/startChat', {}, `start-of-a-conversation-${key}`)
      const { sessionId, resultId } = JSON.parse(text) as { sessionId: string; resultId: string }
      const conversation = { resultId, said: [], path: `/v1/sessions/${sessionId}` }
      conversations.push(conversation)
      return conversation
    }

    async function untilAwake({ path }: { readonly path: string }): Promise<void> {
      for (;;) {
        const { waitingFor } = JSON.parse((await ask(path)).text) as { waitingFor: string }
        if (waitingFor === 'input') return
        await sleep(200)
      }
    }

    async function beTalker(nth: number): Promise<void> {
      const conversation = await begin(`talker-${nth}`)
      const { path, said } = conversation
      const say = async () => {
        const moment = new Date(Date.now() + 500 + Math.random() * 2500).toISOString()
        await ask(`${path}/continueChat`, { message: moment }, `${nth}-${said.length}-of-a-talker-${moment}`)
        said.push(moment)
      }
      while (!isOver()) {
        await say()
        // One more is kept for the time when it wakes, or comes when it has.
        if (Math.random() < 0.3) await say()
        await untilAwake(conversation)
        await sleep([0, 1000, 3000, 5000][Math.floor(Math.random() * 4)])
      }
    }

    async function beSilent(nth: number): Promise<void> {
      // Many at once, three times.
      await sleep((nth % 3) * seconds * 250)
      await begin(`silent-${nth}`)
    }

    const all = [
      ...Array.from({ length: talkers }, (_, nth) => beTalker(nth)),
      ...Array.from({ length: silent }, (_, nth) => beSilent(nth)),
    ]
    const [faults] = await Promise.all([striking, ...all])
    const settled = performance.now() + settleMs
    let told = await Promise.all(conversations.map(linesOf))
    while (performance.now() < settled && told.some((lines) => !isDone(lines))) {
      await sleep(1000)
      told = await Promise.all(conversations.map(linesOf))
    }
    // What is fired once more is so by then.
    await sleep(2500)
    told = await Promise.all(conversations.map(linesOf))
    const violations = conversations.flatMap(({ resultId, said }, index) =>
      problemsOf(told[index] ?? [], said).map((problem) => `${resultId} ${problem}`),
    )
    const timed = told.flat().filter((line) => !line.includes('said')).length
    return { history, faults, conversations: conversations.length, timed, violations }

    async function linesOf({ resultId }: Timed): Promise<string[]> {
      const { transcript } = await readResult(world, 'reminding', resultId)
      return transcript.flatMap(({ role, text }) => (role === 'assistant' ? [text.trim()] : []))
    }
  } finally {
    await world.close()
  }
}

const isDone = (lines: readonly string[]) => lines.slice(-atMost).every((line) => line.endsWith(' idle'))

/** What is not as it has to be: each turn once and in its order, no timer lost, doubled, or fired for what is gone. */
function problemsOf(lines: readonly string[], said: readonly string[]): string[] {
  const problems: string[] = []
  const numbers = lines.map((line) => Number(line.split(' ')[0]))
  const wrong = numbers.findIndex((number, index) => number !== index + 1)
  if (wrong >= 0) problems.push(`is at ${numbers[wrong]} in place of ${wrong + 1}`)
  const heard = lines.flatMap((line) => (line.includes(' said ') ? [line.split(' said ')[1]] : []))
  if (heard.join() !== said.join()) problems.push(`heard ${heard.join()} in place of ${said.join()}`)
  let idle = 0
  let sleeps = false
  for (const line of lines) {
    const [, what] = line.split(' ')
    idle = what === 'idle' ? idle + 1 : 0
    if (idle > atMost) problems.push(`${line}: reminds too often`)
    if (sleeps !== (what === 'woke')) problems.push(`${line}: ${sleeps ? 'has not woken' : 'was not asleep'}`)
    sleeps = what === 'said'
  }
  if (idle < atMost) problems.push(`ends with ${idle} reminders: ${lines.at(-1)}`)
  return problems
}
