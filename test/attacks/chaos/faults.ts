import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { commitTurns } from '../../../src/stores/postgres/conversations/commit-statement.ts'
import { statementName } from '../../../src/stores/postgres/postgres-database.ts'
import type { Stores, World } from './world.ts'

/** Something that goes wrong, and is right again when it resolves. */
export interface Fault {
  readonly name: string
  strike(world: World): Promise<void>
}

/** Longer than a lease lives; and as long again and more until the next one, as a third of all requests meet it. */
const pauseMs = 9500
const restMs = 20_000

/** The sessions of the processes at the server. */
const backends = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
const cutBackends = `SELECT pg_terminate_backend(pid) FROM (${backends}) AS backends`

/** Runs a statement on a connection of its own. */
export async function ask(
  { url }: World['postgres'],
  statement: string,
): Promise<readonly { pid: number }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('SET default_transaction_read_only = off')
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** What a broken build does not survive. */
export const killAll: Fault = {
  name: 'kill -9 of all processes',
  async strike({ members }) {
    await sleep(2000)
    await Promise.all(members.map(({ kill }) => kill()))
    await Promise.all(members.map(({ start }) => start()))
  },
}

/** One process after the other, while the others run on. */
export const rollingUpdate = (dist: string): Fault => ({
  name: 'a rolling update',
  async strike({ members }) {
    for (const member of members) {
      await sleep(2000)
      await member.update(dist)
    }
  },
})

const killProcess: Fault = {
  name: 'kill -9 of a process',
  async strike({ members }) {
    const member = anyOf(members)
    await member.kill()
    await sleep(200)
    await member.start()
  },
}

const pauseProcess: Fault = {
  name: 'a process that sleeps past its leases',
  async strike({ members }) {
    // The first is paused alone, so that a kill need not wait for it.
    members[0]?.signal('SIGSTOP')
    await sleep(pauseMs)
    members[0]?.signal('SIGCONT')
  },
}

/** Connections end at any time, and what serves them with them: it must not keep the others from being woken. */
function trySignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const stallPostgres: Fault = {
  name: 'a PostgreSQL that does not answer',
  async strike({ postgres }) {
    const pids = [postgres.child.pid as number, ...(await ask(postgres, backends)).map(({ pid }) => pid)]
    const signal = (name: NodeJS.Signals) => {
      for (const pid of pids) trySignal(pid, name)
    }
    signal('SIGSTOP')
    await sleep(2500)
    signal('SIGCONT')
  },
}

const cutConnections: Fault = {
  name: 'all connections cut',
  async strike({ postgres }) {
    await ask(postgres, cutBackends)
  },
}

export const crashPostgres: Fault = {
  name: 'a crash of PostgreSQL',
  async strike({ postgres }) {
    await postgres.crash()
    await sleep(500)
    await postgres.restart()
  },
}

const cutConnection: Fault = {
  name: 'a connection cut after a commit was sent',
  async strike({ proxy }) {
    proxy.cutAfter(statementName(commitTurns))
    await sleep(200)
  },
}

/** One after the other, again and again. A sleeping process is a fault beside the others. */
const inTurn: readonly Fault[] = [
  cutConnection,
  crashPostgres,
  cutConnections,
  killProcess,
  cutConnection,
  stallPostgres,
]

const restartPostgres: Fault = {
  name: 'a restart of PostgreSQL',
  strike: ({ postgres }) => postgres.restart(),
}

/** What deliveries go on over, beside a process that sleeps past their leases. */
export const deliveryFaults: readonly Fault[] = [
  killProcess,
  restartPostgres,
  killProcess,
  cutConnections,
  crashPostgres,
  cutConnection,
]

/** What conversations on messengers go on over, with a rest after each; kills early, as each is waited for until its leases are over. */
export const messageFaults: readonly Fault[] = [
  killProcess,
  crashPostgres,
  killProcess,
  killProcess,
  cutConnections,
  killProcess,
  stallPostgres,
  cutConnection,
]

/** Turns are refused meanwhile, so `/ready` has to say so. */
const refusing = (name: string, begin: Fault['strike'], end: Fault['strike']): Fault => ({
  name,
  async strike(world) {
    await begin(world)
    await sleep(700)
    for (const { port } of world.members) {
      const { status } = await fetch(`http://127.0.0.1:${port}/ready`)
      if (status !== 503) world.lies.push(`${name}: ${status}`)
    }
    await sleep(300)
    await end(world)
  },
})

const makeReadOnly =
  (value: 'on' | 'off'): Fault['strike'] =>
  async ({ postgres }) => {
    await ask(postgres, `ALTER DATABASE postgres SET default_transaction_read_only = ${value}`)
    await ask(postgres, cutBackends)
  }

const lockPostgres = refusing('a PostgreSQL that can only be read', makeReadOnly('on'), makeReadOnly('off'))

/** What each back end recovers from, one after the other, with a rest in which nothing else goes wrong. */
export const recoveries: Readonly<Record<Stores, readonly Fault[]>> = {
  PostgreSQL: [restartPostgres, lockPostgres, crashPostgres, killProcess, killProcess],
  'a folder': [killProcess, killProcess, killProcess],
}

/** A fault that is over, by the clock of `performance`. */
export interface Struck {
  readonly name: string
  readonly began: number
  readonly ended: number
  /** Whether the processes lived on, so that they could give back what they held. */
  readonly isOfServer: boolean
}

/** Longer than a lease lives, so that what follows a fault is seen to its end. */
const settleMs = 9000

export async function strikeEach(
  world: World,
  faults: readonly Fault[],
  restMs = settleMs,
): Promise<readonly Struck[]> {
  const struck: Struck[] = []
  await sleep(1000)
  for (const fault of faults) {
    const began = performance.now()
    await fault.strike(world)
    const isOfServer = fault !== killProcess
    struck.push({ name: fault.name, began, ended: performance.now(), isOfServer })
    await sleep(restMs)
  }
  return struck
}

/** Lets faults strike until it is over; how often each did. */
export async function strikeUntil(
  world: World,
  isOver: () => boolean,
  faults: readonly Fault[] = inTurn,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const strike = async (fault: Fault) => {
    await fault.strike(world)
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
  }
  const pauses = async () => {
    while (faults === inTurn && !isOver()) {
      await strike(pauseProcess)
      for (let waited = 0; waited < restMs && !isOver(); waited += 500) await sleep(500)
    }
  }
  const others = async () => {
    for (let place = 0; !isOver(); place++) {
      await sleep(faults === inTurn ? 400 : 100)
      await strike(faults[place % faults.length] as Fault)
    }
  }
  await Promise.all([pauses(), others()])
  return counts
}
