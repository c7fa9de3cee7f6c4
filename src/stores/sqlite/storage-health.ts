import { type ErrorCode, ServiceError } from '../../errors.ts'
import { type Failure, isOfMachine, type Kind } from './database-protocol.ts'

/** Who learns of a disk that fails, and of one that works again. */
export interface StorageReport {
  error(details: object, message: string): void
  info(details: object, message: string): void
}

/** Whether the database can be written, by what became of its requests. */
export interface StorageHealth {
  /** The error that a failure comes to; undefined for a success. What fails for its own sake is a defect. */
  note(kind: Kind, failure: Failure | undefined): Error | undefined
  /** The database is gone for good. */
  stop(error: Error): ServiceError
  problem(): string | undefined
}

/** The error code of SQLite for a text that is larger than any it can hold. */
const tooBig = 18

/** Requests that prove nothing about writing. */
const readers: readonly Kind[] = [
  'find session',
  'why missing',
  'find answer',
  'get result',
  'list results',
  'get definition',
  'usage',
  'sweep',
]

export function createStorageHealth(report: StorageReport): StorageHealth {
  let problem: string | undefined

  function refuse(message: string, details: object): ServiceError {
    const text = `Nothing can be kept in DATA_DIR: ${message}`
    if (problem === undefined) report.error(details, text)
    problem = text
    return new ServiceError('SERVICE_UNAVAILABLE', text)
  }

  return {
    note(kind, failure) {
      if (!failure) {
        if (problem !== undefined && !readers.includes(kind)) {
          problem = undefined
          report.info({}, 'DATA_DIR can be written again')
        }
        return undefined
      }
      const { message, errcode, code } = failure
      if (code !== undefined) return new ServiceError(code satisfies ErrorCode, message)
      if (errcode === tooBig) return new ServiceError('PAYLOAD_TOO_LARGE', 'This is more than can be kept')
      if (!isOfMachine(errcode)) return new Error(`The database refused "${kind}": ${message}`)
      return refuse(message, { errcode, request: kind })
    },
    stop: (error) => refuse(error.message, { err: error }),
    problem: () => problem,
  }
}
