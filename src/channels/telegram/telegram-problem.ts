import type { SendProblem } from '../messenger.ts'
import { type Fields, fieldsOf, numberOf, textOf } from '../wire/read-wire.ts'

const longest = 500

/** The meaning of an answer that is no success, for what can be done about it. */
export function problemOfTelegram(body: Fields, status: number): SendProblem {
  const code = numberOf(body['error_code']) ?? status
  const description = textOf(body['description'])
  const message = description?.slice(0, longest) ?? `The answer was ${status}`
  const seconds = numberOf(fieldsOf(body['parameters'])['retry_after'])
  const retryAfterMs = seconds === undefined ? undefined : seconds * 1000
  const kind = kindOf(code)
  return {
    kind,
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    // A proxy on the way says nothing of what became of the message.
    ...(kind === 'wait' && description === undefined && { isDoubtful: true as const }),
  }
}

/** A token that is wrong is said to be unauthorized, one that is none at all not to be found. */
function kindOf(code: number): SendProblem['kind'] {
  if (code === 401 || code === 404) return 'account'
  return code === 429 || code >= 500 || code < 400 ? 'wait' : 'never'
}
