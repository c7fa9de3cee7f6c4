import { ServiceError } from '../../lib/errors.ts'
import type { StoreHealth } from '../store-health.ts'

/** The refusal of everything that needs the server: repeating a part of it by itself is of no use. */
export class ServerAway extends ServiceError {}

/** Classes of errors by their first two letters: connection, resources, operator, system. */
const classesOfServer = ['08', '53', '57', '58', 'XX']

/** The server may only be read from. */
const readOnly = '25006'

/** Statements that got in each other's way: deadlock, serialisation, lock timeout. */
const transientCodes = ['40P01', '40001', '55P03']

/** Severities that end a connection, and not a statement alone. */
const fatal: readonly unknown[] = ['FATAL', 'PANIC']

interface ServerError {
  readonly message: string
  readonly code?: string
  readonly severity?: string
}

/** Whether a statement failed for what the server is, and not for what it asked. */
function isOfServer(error: unknown): boolean {
  const { code, severity } = error as ServerError
  // Only the server knows a severity: everything else is a connection that is not there or does not answer.
  if (severity === undefined || fatal.includes(severity)) return true
  return classesOfServer.includes(String(code).slice(0, 2)) || code === readOnly
}

/** Whether a connection that ended so can be used again. */
export function isConnectionLost(error: unknown): boolean {
  const { code, severity } = error as ServerError
  return severity === undefined || fatal.includes(severity) || String(code).startsWith('57P')
}

/** The error that a failure of a statement comes to. What fails for its own sake is a defect. */
export function errorOfStatement(error: unknown, health: Pick<StoreHealth, 'failed'>): Error {
  if (error instanceof ServiceError) return error
  const { message, code } = error as ServerError
  if (transientCodes.includes(code ?? ''))
    return new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The database gave up this change in favour of others: try again',
    )
  if (!isOfServer(error)) return new Error(`The database refused a statement: ${message}`, { cause: error })
  return serverAway(error, health)
}

/** The refusal of what needs a server that is away, or refuses connections for whatever reason. */
export function serverAway(error: unknown, health: Pick<StoreHealth, 'failed'>): ServerAway {
  const text = 'The database does not serve'
  // The error itself can hold the whole statement.
  const { message, code } = error as ServerError
  health.failed(text, { code, reason: message })
  return new ServerAway('SERVICE_UNAVAILABLE', text)
}
