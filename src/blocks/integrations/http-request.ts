import type { ClientSideAction } from '../../../schemas/action.ts'
import { HttpRequestBlock } from '../../../schemas/blocks/integrations.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { visibleError } from '../../engine/model/log-entry.ts'
import type { Step } from '../../engine/model/step.ts'
import { parseJson } from '../json-texts.ts'
import { compileResponseMapping, isMappable, mapResponse } from '../response-mapping.ts'
import {
  type ComposedRequest,
  compileKeyValues,
  composeRequest,
  type RequestTemplate,
} from './http-request/compose-request.ts'
import { compileJsonBody } from './http-request/request-body.ts'
import { excessOf } from './http-request/request-outcome.ts'
import { type SendRequest, sendRequest } from './http-request/send-request.ts'

interface HttpRequest extends RequestTemplate, SendRequest {
  readonly isExecutedOnClient: boolean
  readonly isProxied: boolean
}

/** Calls another system (docs/behaviour/integrations.md, "HTTP request"), from the browser where the block says so. */
export const httpRequest = defineBlock<HttpRequestBlock, HttpRequest | undefined>({
  schema: HttpRequestBlock,
  kind: 'integration',
  compile,
  *run(request, context) {
    if (!request) return {}
    if (!hasAddress(request, context)) return failed("Couldn't parse webhook attributes")
    if (request.isProxied) return failed('Requests through a proxy are not available on this server')
    const composed = yield* composeRequest(request, context)
    return request.isExecutedOnClient ? handOver(composed) : yield* sendRequest(composed, request, context)
  },
  *handleClientReply(request, text, context) {
    context.spend(text.length)
    const sent = parseJson(text)
    if (!sent) return { malformed: `Provided response ${excessOf(text) ?? 'is not valid JSON'}` }
    return request && isMappable(sent.value) ? yield* mapResponse(request.mapping, sent.value, context) : {}
  },
  isPassThrough: (block) => !isExecutedOnClient(block),
  marks: {
    calls: true,
    mapping: { option: 'responseVariableMapping', counts: 'first' },
    isClientOnly: isExecutedOnClient,
  },
})

function compile(block: HttpRequestBlock, context: CompileContext): HttpRequest | undefined {
  const { webhook, proxyCredentialsId, responseVariableMapping } = block.options ?? {}
  if (!webhook) return undefined
  return {
    isExecutedOnClient: isExecutedOnClient(block),
    isProxied: proxyCredentialsId !== undefined,
    method: webhook.method ?? 'POST',
    url: context.text(webhook.url ?? '', '/options/webhook/url'),
    queryParams: compileKeyValues(webhook.queryParams, '/options/webhook/queryParams', context),
    headers: compileKeyValues(webhook.headers, '/options/webhook/headers', context),
    body: compileBody(block, context),
    timeoutMs: 1000 * timeoutOf(block),
    mapping: compileResponseMapping(responseVariableMapping, context),
  }
}

/** The relays take a call from the server only, and their answer is not read by a browser. */
function isExecutedOnClient({ type, options }: HttpRequestBlock): boolean {
  return type === 'Webhook' && options?.isExecutedOnClient === true
}

/** Methods that never have a body; a configured one is ignored. */
const bodiless = new Set(['GET', 'HEAD', 'CONNECT', 'TRACE'])

function compileBody({ options }: HttpRequestBlock, context: CompileContext): HttpRequest['body'] {
  const { method = 'POST', body = '' } = options?.webhook ?? {}
  if (bodiless.has(method)) return undefined
  const isCustom = options?.isCustomBody === true && body !== '' && body !== '{{state}}'
  return isCustom ? compileJsonBody(body, context) : 'auto'
}

const defaultTimeout = 10

/** In seconds. Relays wait as long as the calls that they pass on, unless the author has changed the limit. */
function timeoutOf({ type, options }: HttpRequestBlock): number {
  const { timeout = defaultTimeout } = options ?? {}
  return timeout === defaultTimeout && type !== 'Webhook' ? 120 : timeout
}

/** An address whose placeholders hold nothing is refused like any other that is not valid: on its way out. */
function hasAddress({ url, isExecutedOnClient }: HttpRequest, context: RunContext): boolean {
  return (isExecutedOnClient ? context.text(url) : url.constant) !== ''
}

/** Has the client send the request; the session waits for the response. */
function handOver({ url, method, headers, body }: ComposedRequest): Step {
  const httpRequestToExecute = {
    url,
    method,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body: body.value }),
  }
  const type = 'httpRequestToExecute'
  const action: ClientSideAction = { type, httpRequestToExecute, expectsDedicatedReply: true }
  return { actions: [action], next: { to: 'wait' } }
}

function failed(description: string): Step {
  return { logs: [visibleError({ description })] }
}
