import { parentPort, workerData } from 'node:worker_threads'
import { ServiceError } from '../../../lib/errors.ts'
import {
  type Failure,
  type FromThread,
  isOfMachine,
  type Outcomes,
  type Request,
  type ThreadData,
  type ToThread,
} from '../database-protocol.ts'
import { errcodeOf } from './binding.ts'
import { Marks } from './marks.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { openRows } from './rows.ts'
import { createTallies } from './tally.ts'

const port = parentPort
if (!port) throw new Error('This is the thread of a database, and has to be started as one')
const post = (message: FromThread) => port.postMessage(message)

try {
  const data = workerData as ThreadData
  const opened = await openDatabase(data)
  const { failure, warning, close } = opened
  const runBatch = createBatches(opened, data)
  const checkpointAfter = createCheckpoints(opened)
  port.on('message', (message: ToThread) => {
    if (message !== 'close') {
      const outcomes = runBatch(message.batch)
      post({ kind: 'done', outcomes })
      return checkpointAfter(message.batch, outcomes)
    }
    close()
    post({ kind: 'closed' })
    port.close()
  })
  post({ kind: 'ready', failure, warning })
} catch (error) {
  post({ kind: 'refused', message: (error as Error).message })
  port.close()
}

/**
 * Runs a batch in one transaction: all of it is on the disk before anything is answered. Where one request of a batch
 * fails for what it is, the others are run again without it.
 */
function createBatches(
  { database, committed }: OpenDatabase,
  { bounds, now }: ThreadData,
): (batch: readonly Request[]) => Outcomes {
  const clock = { now }
  const marks = new Marks(database, clock)
  const tallies = createTallies(database)
  const opened = openRows({ database, clock, bounds, marks, tallies })
  const rows: Record<string, unknown> = opened
  const inMemory = [tallies, opened.outbox.lines, opened.inbox.lines]

  function handle({ kind, now, args }: Request): unknown {
    clock.now = now
    const [name, method] = kind.split('.') as [string, string]
    return (rows[name] as Record<string, (...args: readonly unknown[]) => unknown>)[method]?.(...args)
  }

  function runAsOne(batch: readonly Request[]): unknown[] {
    database.exec('BEGIN')
    try {
      const values = batch.map(handle)
      database.exec('COMMIT')
      committed()
      for (const each of inMemory) each.confirm()
      return values
    } catch (error) {
      for (const each of inMemory) each.revert()
      rollBack()
      throw error
    }
  }

  /** Some failures have ended the transaction already. */
  function rollBack(): void {
    try {
      database.exec('ROLLBACK')
    } catch {}
  }

  return function run(batch): Outcomes {
    try {
      return { values: runAsOne(batch) }
    } catch (error) {
      if (batch.length > 1 && !isOfMachine(errcodeOf(error)))
        return inOrder(batch.map((request) => run([request])))
      return { values: [], failures: batch.map(() => failureOf(error)) }
    }
  }
}

/** Requests that erase: they change far more pages than a turn does. */
const erasing = new Set(['sweeper.sweep', 'turns.erase', 'results.delete', 'results.forget'])

/** Requests of a batch that has hardly waited for others. */
const fewRequests = 2

/** So many such batches one after the other: there is time to copy a part of the log, so that a sweep finds it short. */
const calmBatches = 10

/**
 * Empties the log at the end of a sweep, and shortens it while much is erased or little is asked: once turns have their answers.
 * Under load turns gather more, since what they touch again meanwhile is copied once.
 */
function createCheckpoints({ checkpoint, checkpointPart }: OpenDatabase) {
  let calm = 0
  return (batch: readonly Request[], { values }: Outcomes): void => {
    calm = batch.length <= fewRequests ? calm + 1 : 0
    const isSwept = batch.some(({ kind }, index) => kind === 'sweeper.sweep' && values[index] === false)
    if (isSwept) checkpoint()
    else if (calm >= calmBatches || batch.some(({ kind }) => erasing.has(kind))) checkpointPart()
  }
}

/** Of batches of one request each. */
const inOrder = (each: readonly Outcomes[]): Outcomes => ({
  values: each.map(({ values }) => values[0]),
  failures: each.map(({ failures }) => failures?.[0]),
})

function failureOf(error: unknown): Failure {
  const { message } = error as Error
  return { message, errcode: errcodeOf(error), code: error instanceof ServiceError ? error.code : undefined }
}
