import type { OutgoingRequest, RequestOutcome } from '../../../engine/model/effect-payloads.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import { excessOfJsonText } from '../../../engine/values/json-excess.ts'
import { maskUrl } from '../../../engine/values/mask-url.ts'
import { parseExactJson } from '../../json-texts.ts'
import type { WrittenBody } from './request-body.ts'

/** Response as a mapping reads it. */
interface HttpResponse {
  readonly statusCode: number
  readonly data: unknown
}

/** Outcome of a request that this server was free to send. */
type SentOutcome = Exclude<RequestOutcome, { kind: 'off' | 'spent' }>

/** Prefix of the reason why an address is not reached; it is left out of what live sessions see. */
const toRefusal = (reason: string) => `Security validation failed: ${reason}`

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

interface HttpExchange {
  readonly request: OutgoingRequest
  readonly written: WrittenBody | undefined
  readonly outcome: SentOutcome
  readonly response: HttpResponse
}

/** Characters of a body that a log quotes. */
const reportedBody = 10_000

/** The log about a request: everything but its headers (docs/behaviour/integrations.md, "HTTP request"). */
export function describeExchange({ outcome, response, ...sent }: HttpExchange): LogEntry {
  if (outcome.kind === 'refused') return { status: 'error', description: toRefusal(outcome.reason) }
  const request = describe(sent)
  if (outcome.kind !== 'response') return failed({ response, request })
  const { statusCode, data } = response
  const text = shorten(outcome.text)
  if (statusCode < 200 || statusCode > 299) {
    const shown = text === outcome.text ? data : text
    return failed({ statusCode, request, response: { statusCode, data: shown } })
  }
  const details = JSON.stringify({ statusCode, response: text, request })
  return { status: 'success', description: 'Webhook successfuly executed.', details }
}

function failed(details: object): LogEntry {
  const description = 'Webhook returned an error.'
  return { status: 'error', description, details: JSON.stringify(details) }
}

function describe({ request, written }: Pick<HttpExchange, 'request' | 'written'>): object {
  const { url, method, timeoutMs } = request
  return { url: maskUrl(url), method, timeout: timeoutMs, ...(written && describeBody(written)) }
}

function describeBody({ kind, text }: WrittenBody): object {
  const shortened = shorten(text)
  return kind === 'json' && shortened === text ? { json: parseExactJson(text)?.value } : { body: shortened }
}

function shorten(text: string): string {
  return text.length > reportedBody ? `${text.slice(0, reportedBody)}...` : text
}
