import type { ClientSideAction, HttpRequestToExecute } from '../../../schemas/action.ts'
import { type HttpRequestBlock, httpRequestTypes } from '../../../schemas/blocks/integrations/http-request.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/block-handler.ts'
import type { Effects } from '../../engine/effects.ts'
import type { Step } from '../../engine/step.ts'
import type { TextTemplate } from '../../engine/text-template.ts'
import { notAvailable, reportNotAvailable } from '../not-available.ts'
import { compileResponseMapping, isMappable, mapResponse, type ResponseMapping } from '../response-mapping.ts'
import { autoBody } from './auto-body.ts'
import { compileJsonBody, type JsonBody, renderJsonBody } from './json-body.ts'
import { compileKeyValues, type KeyValues, renderKeyValues } from './key-values.ts'
import { parseJson } from './parse-json.ts'
import { announcesForm, composeHeaders } from './request-headers.ts'
import { addQuery } from './request-url.ts'

interface HttpRequest {
  readonly type: string
  readonly isExecutedOnClient: boolean
  readonly isProxied: boolean
  readonly method: string
  readonly url: TextTemplate
  readonly queryParams: KeyValues
  readonly headers: KeyValues
  /** `auto` for all answers and variables. */
  readonly body: JsonBody | 'auto' | undefined
  readonly mapping: ResponseMapping
}

/** Calls another system (docs/behaviour.md, "HTTP request"): from the browser, where the block says so. */
export const httpRequest = defineBlock<HttpRequestBlock, HttpRequest | undefined>({
  types: httpRequestTypes,
  kind: 'integration',
  compile,
  *run(request, context) {
    if (!request) return {}
    const url = context.text(request.url)
    if (url === '') return failed("Couldn't parse webhook attributes")
    if (!request.isExecutedOnClient) return notAvailable(request.type)
    if (request.isProxied) return failed('Requests through a proxy are not available on this server')
    const httpRequestToExecute = yield* compose(request, url, context)
    const action: ClientSideAction = {
      type: 'httpRequestToExecute',
      httpRequestToExecute,
      expectsDedicatedReply: true,
    }
    return { actions: [action], next: { to: 'wait' } }
  },
  receive(request, text, context) {
    context.spend(text.length)
    const sent = parseJson(text)
    if (!sent) return { malformed: 'Provided response is not valid JSON' }
    return request && isMappable(sent.value) ? mapResponse(request.mapping, sent.value, context) : {}
  },
  alwaysPasses: (block) => !isExecutedOnClient(block),
})

function compile(block: HttpRequestBlock, context: CompileContext): HttpRequest | undefined {
  const { webhook, proxyCredentialsId } = block.options ?? {}
  if (!webhook) return undefined
  const onClient = isExecutedOnClient(block)
  if (!onClient) reportNotAvailable(block.type, context)
  return {
    type: block.type,
    isExecutedOnClient: onClient,
    isProxied: proxyCredentialsId !== undefined,
    method: webhook.method ?? 'POST',
    url: context.text(webhook.url ?? '', '/options/webhook/url'),
    queryParams: compileKeyValues(webhook.queryParams, '/options/webhook/queryParams', context),
    headers: compileKeyValues(webhook.headers, '/options/webhook/headers', context),
    body: compileBody(block, context),
    mapping: onClient ? compileResponseMapping(block.options?.responseVariableMapping, context) : [],
  }
}

/** The relays take a call from the server only, and their answer is not read by a browser. */
function isExecutedOnClient({ type, options }: HttpRequestBlock): boolean {
  return type === 'Webhook' && options?.isExecutedOnClient === true
}

/** Methods that never have a body, whatever is configured. */
const bodiless = new Set(['GET', 'HEAD', 'CONNECT', 'TRACE'])

function compileBody({ options }: HttpRequestBlock, context: CompileContext): HttpRequest['body'] {
  const { method = 'POST', body = '' } = options?.webhook ?? {}
  if (bodiless.has(method)) return undefined
  const isCustom = options?.isCustomBody === true && body !== '' && body !== '{{state}}'
  return isCustom ? compileJsonBody(body, context) : 'auto'
}

function* compose(request: HttpRequest, url: string, context: RunContext): Effects<HttpRequestToExecute> {
  const headers = composeHeaders(renderKeyValues(request.headers, context))
  const body =
    request.body === 'auto'
      ? yield* autoBody(context)
      : request.body && renderJsonBody(request.body, context, announcesForm(headers))
  return {
    url: addQuery(url, renderKeyValues(request.queryParams, context)),
    method: request.method,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
  }
}

function failed(description: string): Step {
  return { logs: [{ status: 'error', description }] }
}
