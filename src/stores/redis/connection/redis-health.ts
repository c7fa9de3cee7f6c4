import { ServiceError } from '../../../lib/errors.ts'
import type { StoreHealth } from '../../store-health.ts'

/** What a server answers while it can't serve, and not because of what was asked. */
const refusals =
  /^(?:OOM|LOADING|READONLY|BUSY|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|NOAUTH|WRONGPASS|NOPERM)\b/

/** The error that a failed call comes to. What fails for its own sake is a defect. */
export function errorOfCall(error: unknown, health: Pick<StoreHealth, 'failed'>): Error {
  if (error instanceof ServiceError) return error
  // The error itself holds what was sent, which must not be logged.
  const { message } = error as Error
  if (isReply(error) && !refusals.test(message)) return new Error(`Redis refused a call: ${message}`)
  const text = "Redis can't be used"
  health.failed(text, { reason: reasonOf(message) })
  return new ServiceError('SERVICE_UNAVAILABLE', text)
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
