import { errorStatus, sendErrorAs } from '../http/response/problem-details.ts'
import type { ByteString } from '../lib/byte-string.ts'
import { problemsOf, type ServiceError } from '../lib/errors.ts'

/** Texts that clients show or compare. */
const texts: ReadonlyMap<string, string> = new Map([
  ['Not found', 'Not found: this service runs flows, and has none of the routes of a builder'],
  ['Flow not found', 'Typebot not found'],
])

/** Errors that the other API reports with `defined: false`. */
const undefinedThere: ReadonlySet<string> = new Set(['Not found', 'The request body is not valid JSON'])

/** Answers a request that failed in the shape that clients of the other API know. */
export const sendCompatError = sendErrorAs(compatErrorBody, 'application/json; charset=utf-8')

function compatErrorBody(error: ServiceError, path: string | undefined): object {
  const { code, message, problems } = error
  const isDefined = code !== 'INTERNAL_SERVER_ERROR' && !undefinedThere.has(message)
  return {
    defined: isDefined,
    code,
    status: errorStatus[code],
    message: textOf(error, path),
    ...(isDefined && problems && { data: { issues: problemsOf(error).map(toIssue) } }),
  }
}

/** Of sessions that can't go on clients tell those that were there from others, at some routes. */
function textOf({ message, extension }: ServiceError, path = ''): string {
  if (message !== 'Session not found.') return texts.get(message) ?? message
  if (path.endsWith('/sendMessage') || extension?.reason === 'expired')
    return 'Session expired. You need to start a new session.'
  return path.endsWith('/updateTypebot') ? 'Session not found' : message
}

function toIssue({ pointer, message }: { pointer: string; message: string }): object {
  const [, ...keys] = pointer.split('/')
  const path = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return { path: path[0] === 'flow' ? ['typebot', ...path.slice(1)] : path, message }
}

/** A turn with the lists that these clients go through without a look whether they are there. */
export function withEmptyLists(turn: ByteString): ByteString {
  const { clientSideActions, logs } = JSON.parse(turn) as Readonly<Record<string, unknown>>
  const actions = clientSideActions === undefined ? ',"clientSideActions":[]' : ''
  return `${turn.slice(0, -1)}${actions}${logs === undefined ? ',"logs":[]' : ''}}` as ByteString
}
