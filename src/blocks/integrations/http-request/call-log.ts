import type { OutgoingRequest } from '../../../engine/model/effect-payloads.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import { maskUrl } from '../../../engine/values/mask-url.ts'
import { parseExactJson } from './parse-exact-json.ts'
import type { WrittenBody } from './request-body.ts'
import { type HttpResponse, type SentOutcome, toRefusal } from './request-outcome.ts'

/** A request and its outcome. */
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
