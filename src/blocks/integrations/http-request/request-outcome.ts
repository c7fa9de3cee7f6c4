import type { RequestOutcome } from '../../../engine/model/effect-payloads.ts'
import { excessOfJsonText } from '../../../engine/values/json-excess.ts'
import { parseExactJson } from './parse-exact-json.ts'

/** Response as a mapping reads it. */
export interface HttpResponse {
  readonly statusCode: number
  readonly data: unknown
}

/** Outcome of a request that this server was free to send. */
export type SentOutcome = Exclude<RequestOutcome, { kind: 'off' | 'spent' }>

/** Prefix of the reason why an address is not reached; it is left out of what live sessions see. */
export const toRefusal = (reason: string) => `Security validation failed: ${reason}`

/** The response to a request; one that got none has one that says why (docs/behaviour/integrations.md, "HTTP request"). */
export function toHttpResponse(outcome: SentOutcome, timeoutMs: number): HttpResponse {
  switch (outcome.kind) {
    case 'response':
      return { statusCode: outcome.status, data: readData(outcome.text) }
    case 'timeout':
      return { statusCode: 408, data: { message: `Request timed out. (${timeoutMs / 1000}s)` } }
    case 'refused':
      return { statusCode: 400, data: { message: toRefusal(outcome.reason) } }
    case 'failed':
      return { statusCode: 500, data: { context: failureContext, description: descriptionOf(outcome) } }
  }
}

const failureContext = 'Unknown error while executing HTTP request'

/** Characters that are read as JSON: that goes on without a break. */
const longestJson = 2 * 2 ** 20

/** JSON where the text is valid JSON, under any content type; else the text. */
function readData(text: string): unknown {
  const parsed = excessOf(text) === undefined ? parseExactJson(text) : undefined
  return parsed ? parsed.value : text
}

/** Reason why a response is read as text though it may be JSON; undefined when it is parsed. */
export function excessOf(text: string): string | undefined {
  if (text.length > longestJson) return `is longer than ${longestJson} characters`
  const excess = excessOfJsonText(text)
  return excess && `holds ${excess}`
}

function descriptionOf({ message, cause }: Extract<SentOutcome, { kind: 'failed' }>): string {
  return cause === undefined ? message : `[${cause}] ${message}`
}
