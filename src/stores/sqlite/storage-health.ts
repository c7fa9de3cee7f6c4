import { type ErrorCode, ServiceError } from '../../lib/errors.ts'
import { createStoreHealth, type StoreHealthOptions } from '../store-health.ts'
import { isBrokenFile, remedyFor } from './broken-file.ts'
import { type Failure, isOfMachine } from './database-protocol.ts'

/** The error code of SQLite for a text that is larger than any it can hold. */
const tooBig = 18

/** Whether the database can be written, by what became of its requests. */
export function createStorageHealth(options: Pick<StoreHealthOptions, 'report' | 'probe'>, folder: string) {
  const health = createStoreHealth({ ...options, wellAgain: 'DATA_DIR can be written again' })

  function refuse(message: string, details: object): ServiceError {
    const text = `Nothing can be kept in DATA_DIR: ${message}`
    health.failed(text, details)
    return new ServiceError('SERVICE_UNAVAILABLE', text)
  }

  return {
    served: health.served,
    /** The error that a failure comes to. What fails for its own sake is a defect. */
    failed(kind: string, { message, errcode, code }: Failure): Error {
      if (code !== undefined) return new ServiceError(code satisfies ErrorCode, message)
      if (errcode === tooBig)
        return new ServiceError('PAYLOAD_TOO_LARGE', 'The session is larger than a row of SQLite can be')
      if (!isOfMachine(errcode)) return new Error(`The database refused "${kind}": ${message}`)
      const remedy = isBrokenFile(errcode) && { remedy: remedyFor(folder) }
      return refuse(message, { errcode, request: kind, ...remedy })
    },
    /** The database is gone for good. */
    stop: (error: Error) => refuse(error.message, { err: error }),
    problems: health.problems,
  }
}
