import { problemsOf, type ServiceError } from '../errors.ts'
import { errorStatus } from '../http/response/error-status.ts'
import { sendErrorAs } from '../http/response/problem-details.ts'

/** Texts that clients show or compare. */
const texts: ReadonlyMap<string, string> = new Map([
  ['Not found', 'Not found: this service runs flows, and has none of the routes of a builder'],
  ['Flow not found', 'Typebot not found'],
  ['Session not found.', 'Session expired. You need to start a new session.'],
])

/** Answers a request that failed in the shape that clients of the other API know. */
export const sendCompatError = sendErrorAs(compatErrorBody, 'application/json; charset=utf-8')

function compatErrorBody(error: ServiceError): object {
  const { code, message, problems } = error
  return {
    defined: false,
    code,
    status: errorStatus[code],
    message: texts.get(message) ?? message,
    ...(problems && { data: { issues: problemsOf(error).map(toIssue) } }),
  }
}

function toIssue({ pointer, message }: { pointer: string; message: string }): object {
  const [, ...keys] = pointer.split('/')
  const path = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return { path: path[0] === 'flow' ? ['typebot', ...path.slice(1)] : path, message }
}
