import { parentPort, workerData } from 'node:worker_threads'
import { ServiceError } from '../../../errors.ts'
import {
  type Failure,
  type FromThread,
  isOfMachine,
  type Outcomes,
  type Request,
  type ThreadData,
  type ToThread,
} from '../database-protocol.ts'
import type { Database } from './binding.ts'
import { createHandlers } from './handlers.ts'
import { openDatabase } from './open-database.ts'

const port = parentPort
if (!port) throw new Error('This is the thread of a database, and has to be started as one')
const post = (message: FromThread) => port.postMessage(message)

try {
  const data = workerData as ThreadData
  const { database, close } = await openDatabase(data)
  const runBatch = createBatches(database, data)
  port.on('message', (message: ToThread) => {
    if (message !== 'close') return post({ kind: 'done', outcomes: runBatch(message.batch) })
    close()
    post({ kind: 'closed' })
    port.close()
  })
  post({ kind: 'ready' })
} catch (error) {
  post({ kind: 'refused', message: (error as Error).message })
  port.close()
}

/**
 * Runs a batch in one transaction: all of it is on the disk before anything is answered. Where one request of a batch
 * fails for what it is, the others are run again without it.
 */
function createBatches(database: Database, data: ThreadData): (batch: readonly Request[]) => Outcomes {
  const { handlers, tallies } = createHandlers(database, data)

  function runAsOne(batch: readonly Request[]): unknown[] {
    database.exec('BEGIN')
    try {
      const values = batch.map((request) => handlers[request.kind](request as never))
      database.exec('COMMIT')
      tallies.confirm()
      return values
    } catch (error) {
      tallies.revert()
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
      const values = runAsOne(batch)
      if (batch.some(({ kind }, index) => kind === 'sweep' && values[index] === false)) checkpoint(database)
      return { values }
    } catch (error) {
      if (batch.length > 1 && !isOfMachine((error as { errcode?: number }).errcode))
        return inOrder(batch.map((request) => run([request])))
      return { values: [], failures: batch.map(() => failureOf(error)) }
    }
  }
}

/** Of batches of one request each. */
const inOrder = (each: readonly Outcomes[]): Outcomes => ({
  values: each.map(({ values }) => values[0]),
  failures: each.map(({ failures }) => failures?.[0]),
})

/** Lets the log begin anew; what it holds is safe without that. */
function checkpoint(database: Database): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {}
}

function failureOf(error: unknown): Failure {
  const { message, errcode } = error as { message: string; errcode?: number }
  return { message, errcode, code: error instanceof ServiceError ? error.code : undefined }
}
