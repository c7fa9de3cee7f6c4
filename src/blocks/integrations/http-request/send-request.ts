import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { OutgoingRequest, RequestOutcome } from '../../../engine/model/effect-payloads.ts'
import { ask, type Effects } from '../../../engine/model/effects.ts'
import { type LogEntry, visibleError } from '../../../engine/model/log-entry.ts'
import type { Step } from '../../../engine/model/step.ts'
import { longToParse } from '../../json-texts.ts'
import { mapResponse, type ResponseMapping } from '../../response-mapping.ts'
import { type ComposedRequest, isFormContentType, withContentType } from './compose-request.ts'
import { type WrittenBody, writeBody } from './request-body.ts'
import { describeExchange, excessOf, toHttpResponse } from './request-outcome.ts'

/** Options of a request that this server sends itself. */
export interface SendRequest {
  readonly timeoutMs: number
  readonly mapping: ResponseMapping
}

/** Reading a response is that much quicker than making texts. */
const responseWeight = 1 / 16

/** Sends a request and reads the response. The flow goes on after every outcome. */
export function* sendRequest(
  composed: ComposedRequest,
  { timeoutMs, mapping }: SendRequest,
  context: RunContext,
): Effects<Step> {
  const { body, headers } = composed
  const written = body && writeBody(body, isFormContentType(headers))
  const request = requestOf(composed, written, timeoutMs)
  const outcome = yield* ask({ type: 'request', request })
  if (outcome.kind === 'off')
    return { logs: [{ audience: 'visitors', status: 'info', description: outcome.reason }] }
  if (outcome.kind === 'spent') return { logs: [overLimit(outcome.reason, context)] }
  if (outcome.kind === 'response') context.spend(Math.ceil(outcome.text.length * responseWeight))
  const response = toHttpResponse(outcome, timeoutMs)
  // A long parse is one slice, and the reading of its result the next. A turn that is out of time ends at its next
  // block.
  if (outcome.kind === 'response' && outcome.text.length > longToParse) yield* ask({ type: 'yield' })
  const { assignments, logs } = yield* mapResponse(mapping, response, context)
  const exchange = describeExchange({ outcome, response, request, written })
  return { assignments, logs: [exchange, ...unreadLogs(outcome, context), ...logs] }
}

/** Only what may be JSON could have been read otherwise. */
function unreadLogs(outcome: RequestOutcome, { place }: RunContext): readonly LogEntry[] {
  if (outcome.kind !== 'response' || !/^\s*[[{]/.test(outcome.text)) return []
  const excess = excessOf(outcome.text)
  const description = `The response ${excess}: it is read as text, and not as JSON`
  return excess === undefined ? [] : [visibleError({ description, details: place })]
}

function overLimit(description: string, { place }: RunContext): LogEntry {
  return visibleError({ description, details: place })
}

function requestOf(
  { url, method, headers }: ComposedRequest,
  written: WrittenBody | undefined,
  timeoutMs: number,
): OutgoingRequest {
  return {
    method,
    url,
    headers: withContentType(Object.entries(headers), written?.contentType),
    ...(written && { body: written.text }),
    timeoutMs,
  }
}
