import { setTimeout as sleep } from 'node:timers/promises'
import { checkHistory, countViolations, type Violations } from './check-history.ts'
import { ask, type Fault, recoveries, type Struck, strikeEach, strikeUntil } from './faults.ts'
import { adminToken } from './member.ts'
import { type Conversation, type History, talk } from './visitors.ts'
import { type Stores, startWorld, type World } from './world.ts'

export interface ChaosOptions {
  /** The build that the processes run. */
  readonly dist: string
  readonly seconds: number
  /** Other faults than usual; none where it is empty. */
  readonly faults?: readonly Fault[]
}

/** What happened, and what should not have. */
export interface ChaosReport {
  readonly history: History
  readonly faults: ReadonlyMap<string, number>
  readonly violations: Violations
  /** Leases, and keys of requests, that are still held though nobody does anything any more. */
  readonly leftovers: number
}

/** Lets clients talk to the service while things go wrong, and checks what came of it once all is well again. */
export async function runChaos({ dist, seconds, faults: given }: ChaosOptions): Promise<ChaosReport> {
  const world = await startWorld({ dist })
  try {
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() > end
    let isStriking = given?.length !== 0
    const striking = isStriking ? strikeUntil(world, isOver, given) : Promise.resolve(new Map())
    const talking = talk({
      address: world.address,
      conversations: 12,
      clientsEach: 3,
      turnsEach: 800,
      // Whatever a fault does is met by somebody, however slow the machine is.
      isOver: () => isOver() && !isStriking,
    })
    const struck = striking.finally(() => {
      isStriking = false
    })
    const [history, faults] = await Promise.all([talking, struck])
    const violations = await checkHistory(history, (conversation) => readContents(world, conversation), world)
    // A build that is broken already need not be waited for.
    const leftovers = countViolations(violations) > 0 ? 0 : await countLeftovers(world)
    return { history, faults, violations, leftovers }
  } finally {
    await world.close()
  }
}

/** How those who talked fared after a fault was over. */
export interface Recovery {
  readonly name: string
  /** Milliseconds until anybody was answered. */
  readonly firstAnswerMs: number
  /** Milliseconds until the last refusal; 0 where there was none. */
  readonly lastRefusalMs: number
  readonly isOfServer: boolean
}

export interface RecoveryReport {
  readonly history: History
  readonly recoveries: readonly Recovery[]
  readonly violations: Violations
  readonly orders: { readonly orders: number; readonly keys: number } | undefined
}

/** Lets each fault of a back end strike once, and sees how long it is felt. */
export async function runRecoveries(dist: string, stores: Stores): Promise<RecoveryReport> {
  const world = await startWorld({ dist, stores, placesOrders: true })
  try {
    let isStriking = true
    const striking = strikeEach(world, recoveries[stores]).finally(() => {
      isStriking = false
    })
    const crowd = { conversations: 6, clientsEach: 2, turnsEach: 800 }
    const talking = talk({ address: world.address, ...crowd, isOver: () => !isStriking })
    const [history, struck] = await Promise.all([talking, striking])
    const violations = await checkHistory(history, (conversation) => readContents(world, conversation), world)
    return { history, recoveries: recoveriesOf(struck, history), violations, orders: world.orders?.count() }
  } finally {
    await world.close()
  }
}

function recoveriesOf(struck: readonly Struck[], { answeredAt, refusedAt }: History): Recovery[] {
  return struck.map(({ name, ended, isOfServer }, index) => {
    const next = struck[index + 1]?.began ?? Number.POSITIVE_INFINITY
    const within = (times: readonly number[]) => times.filter((time) => time > ended && time < next)
    const since = (time: number | undefined) => Math.round((time ?? ended) - ended)
    return {
      name,
      isOfServer,
      firstAnswerMs: since(Math.min(...within(answeredAt))),
      lastRefusalMs: since(within(refusedAt).at(-1)),
    }
  })
}

/** The answers in the result of a conversation, which is read from the database. */
async function readContents(world: World, { resultId }: Conversation): Promise<string[]> {
  const { answers } = await readResult(world, 'flow-1', resultId)
  return answers.map(({ content }) => content)
}

interface ResultOfConversation {
  readonly answers: readonly { readonly content: string }[]
  readonly transcript: readonly { readonly role: string; readonly text: string }[]
}

export const readResult = async (
  { address }: Pick<World, 'address'>,
  flowId: string,
  resultId: string,
): Promise<ResultOfConversation> =>
  (await readAsOperator(`${address}/v1/flows/${flowId}/results/${resultId}`)) as ResultOfConversation

/** The JSON at an address, once a process serves it. */
export async function readAsOperator(url: string): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${adminToken}` } }).catch(
      () => undefined,
    )
    if (response?.ok) return response.json()
    if (tries > 50) throw new Error(`${url} is not to be had: ${response?.status}`)
    await sleep(200)
  }
}

const heldRows = `SELECT FROM leases WHERE deadline >= service_clock()
UNION ALL SELECT FROM answers WHERE text IS NULL AND deadline >= service_clock()`

/** Counts what is there once all leases of ended processes have run out. */
async function countLeftovers({ postgres }: World): Promise<number> {
  for (let tries = 0; ; tries++) {
    const { length } = await ask(postgres, heldRows)
    if (length === 0 || tries > 40) return length
    await sleep(500)
  }
}
