import { ServiceError } from '../../errors.ts'

/** Who learns of a server that can't be used, and of one that can be again. */
export interface RedisReport {
  error(details: object, message: string): void
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

/** Whether Redis can be used, by what became of the calls. */
export interface RedisHealth {
  succeeded(): void
  /** The error that a failed call comes to. */
  failed(error: unknown): Error
  problem(): string | undefined
}

/** What a server answers while it can't serve, and not because of what was asked. */
const refusals =
  /^(?:OOM|LOADING|READONLY|BUSY|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|NOAUTH|WRONGPASS|NOPERM)\b/

export function createRedisHealth(report: RedisReport): RedisHealth {
  let problem: string | undefined
  return {
    succeeded() {
      if (problem === undefined) return
      problem = undefined
      report.info({}, 'Redis can be used again')
    },
    failed(error) {
      if (error instanceof ServiceError) return error
      // The error itself holds what was sent, which must not be logged.
      const { message } = error as Error
      if (isReply(error) && !refusals.test(message)) return new Error(`Redis refused a call: ${message}`)
      const text = `Redis can't be used: ${reasonOf(message)}`
      if (problem === undefined) report.error({}, text)
      problem = text
      return new ServiceError('SERVICE_UNAVAILABLE', text)
    },
    problem: () => problem,
  }
}

/** Whether an error is what the server answered. */
export const isReply = (error: unknown) => (error as Error).name === 'ReplyError'

/** The client has its own words for a server that is not there. */
function reasonOf(message: string): string {
  if (/^Stream isn't writeable|^Connection is closed|max retries|^Cluster isn't ready/.test(message))
    return 'there is no connection'
  if (/^Command timed out/.test(message)) return 'it does not answer in time'
  return message
}
