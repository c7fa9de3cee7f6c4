import { type ErrorCode, ServiceError } from '../../lib/errors.ts'
import { createStoreHealth, type StoreHealth, type StoreHealthOptions } from '../store-health.ts'
import { isBrokenFile, remedyFor } from './broken-file.ts'
import { type Failure, isOfMachine } from './database-protocol.ts'

/** Whether the database can be written, by what became of its requests. */
interface StorageHealth extends Pick<StoreHealth, 'problems' | 'served'> {
  /** The error that a failure comes to. What fails for its own sake is a defect. */
  failed(kind: string, failure: Failure): Error
  /** The database is gone for good. */
  stop(error: Error): ServiceError
}

/** The error code of SQLite for a text that is larger than any it can hold. */
const tooBig = 18

export function createStorageHealth(
  options: Pick<StoreHealthOptions, 'report' | 'probe'>,
  folder: string,
): StorageHealth {
  const health = createStoreHealth({ ...options, wellAgain: 'DATA_DIR can be written again' })

  function refuse(message: string, details: object): ServiceError {
    const text = `Nothing can be kept in DATA_DIR: ${message}`
    health.failed(text, details)
    return new ServiceError('SERVICE_UNAVAILABLE', text)
  }

  return {
    served: health.served,
    failed(kind, { message, errcode, code }) {
      if (code !== undefined) return new ServiceError(code satisfies ErrorCode, message)
      if (errcode === tooBig)
        return new ServiceError('PAYLOAD_TOO_LARGE', 'The session is larger than a row of SQLite can be')
      if (!isOfMachine(errcode)) return new Error(`The database refused "${kind}": ${message}`)
      const remedy = isBrokenFile(errcode) && { remedy: remedyFor(folder) }
      return refuse(message, { errcode, request: kind, ...remedy })
    },
    stop: (error) => refuse(error.message, { err: error }),
    problems: health.problems,
  }
}
