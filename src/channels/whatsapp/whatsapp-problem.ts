import type { SendProblem } from '../messenger.ts'
import { type Fields, fieldsOf, numberOf, present, textOf } from '../wire/read-wire.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

/** Codes after which a message is worth another try, and how long after: undefined for the usual pause. */
const passing: ReadonlyMap<number, number | undefined> = new Map([
  [1, undefined],
  [2, undefined],
  [4, minuteMs],
  [80_007, minuteMs],
  [130_429, secondMs],
  [131_000, undefined],
  [131_016, undefined],
  // So many to one person: one in six seconds is borrowed from later.
  [131_056, 6 * secondMs],
  // The account is being maintained, as when its throughput is raised.
  [131_057, minuteMs],
  [133_004, undefined],
])

/** Codes of accounts that can send nothing until somebody has done something: token, rights, payment, number, policy. */
const ofAccounts = new Set([
  ...[
    0, 3, 10, 33, 190, 368, 131_005, 131_031, 131_037, 131_042, 131_045, 131_048, 133_000, 133_005, 133_006,
  ],
  ...[133_010, 133_015],
])

/** More than a day has passed since the person wrote. */
const outOfWindow = 131_047

/** Longest piece of a text of the messenger's that is kept. */
const longest = 500

/** The meaning of an error, as a call answers it (`error`) and as webhooks bring it, for what can be done about it. */
export function problemOf(error: Fields, status = 0): SendProblem {
  const code = numberOf(error['code'])
  const { title, message, error_data } = error
  const details = textOf(fieldsOf(error_data)['details'])
  const name = (textOf(message) ?? textOf(title))?.replace(/^\(#\d+\) /, '')
  const words = [name, details].filter((text) => text !== undefined)
  const said = [...new Set(words)].join(': ').slice(0, longest) || `The answer was ${status}`
  return present({
    kind: kindOf(code, error, status),
    message: code === undefined ? said : `${code}: ${said}`,
    retryAfterMs: code === undefined ? undefined : passing.get(code),
  })
}

function kindOf(code: number | undefined, error: Fields, status: number): SendProblem['kind'] {
  if (code === outOfWindow) return 'window'
  if (code !== undefined && passing.has(code)) return 'wait'
  // The number itself is not found: 100 is said of wrong parameters else.
  const isNumberGone = code === 100 && error['error_subcode'] === 33
  if (isNumberGone || (code !== undefined && (ofAccounts.has(code) || (code >= 200 && code < 300))))
    return 'account'
  if (status === 429 || status >= 500) return 'wait'
  return status === 401 || status === 403 ? 'account' : 'never'
}
