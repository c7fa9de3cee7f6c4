import { ServiceError } from '../../errors.ts'

/** Who learns of a server that is away, and of one that is back. */
export interface PostgresReport {
  error(details: object, message: string): void
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

/** Whether the server can be reached and written to, by what became of statements. */
export interface PostgresHealth {
  /** The error that a failure of a statement comes to. What fails for its own sake is a defect. */
  note(error: unknown): Error
  succeeded(): void
  problem(): string | undefined
}

/** The refusal of everything that needs the server: repeating a part of it by itself is of no use. */
export class ServerAway extends ServiceError {}

/** Classes of errors by their first two letters: connection, resources, operator, system. */
const classesOfServer = ['08', '53', '57', '58', 'XX']

/** The server may only be read from. */
const readOnly = '25006'

/** Statements that got in each other's way: deadlock, serialisation, lock timeout. */
const transientCodes = ['40P01', '40001', '55P03']

/** Whether a statement failed for what the server is, and not for what it asked. */
export function isOfServer(error: unknown): boolean {
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown }
  // Only the server knows a severity: everything else is a connection that is not there or does not answer.
  if (severity === undefined) return true
  return classesOfServer.includes(String(code).slice(0, 2)) || code === readOnly
}

/** Whether a connection that ended so can be used again. */
export function isConnectionLost(error: unknown): boolean {
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown }
  return severity === undefined || severity === 'FATAL' || String(code).startsWith('57P')
}

export function createPostgresHealth(report: PostgresReport): PostgresHealth {
  let problem: string | undefined
  return {
    note(error) {
      if (error instanceof ServiceError) return error
      const { message, code } = error as { readonly message: string; readonly code?: string }
      if (transientCodes.includes(code ?? ''))
        return new ServiceError('SERVICE_UNAVAILABLE', 'The database is busy with this: try again')
      if (!isOfServer(error))
        return new Error(`The database refused a statement: ${message}`, { cause: error })
      // The text of an error of the system holds the address, which is not for callers.
      const text = `The database does not serve (${code ?? message})`
      if (problem === undefined) report.error({ err: error }, 'the database of DATABASE_URL does not serve')
      problem = text
      return new ServerAway('SERVICE_UNAVAILABLE', text)
    },
    succeeded() {
      if (problem === undefined) return
      problem = undefined
      report.info({}, 'the database of DATABASE_URL serves again')
    },
    problem: () => problem,
  }
}
