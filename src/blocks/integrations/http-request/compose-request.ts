import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import { autoBody } from './auto-body.ts'
import { composeHeaders, isFormContentType } from './block-headers.ts'
import { type JsonBody, renderJsonBody } from './json-body.ts'
import { type KeyValues, renderKeyValues } from './key-values.ts'
import type { RequestBody } from './request-body.ts'
import { addQuery } from './request-url.ts'

/** A request as its author wrote it. */
export interface RequestTemplate {
  readonly method: string
  readonly url: TextTemplate
  readonly queryParams: KeyValues
  readonly headers: KeyValues
  /** `auto` for all answers and variables. */
  readonly body: JsonBody | 'auto' | undefined
}

/** A request with its values. */
export interface ComposedRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestBody | undefined
}

/** Fills in a request (docs/behaviour/integrations.md, "HTTP request"). */
export function* composeRequest(request: RequestTemplate, context: RunContext): Effects<ComposedRequest> {
  const url = addQuery(context.text(request.url), renderKeyValues(request.queryParams, context))
  const headers = composeHeaders(renderKeyValues(request.headers, context))
  const body = yield* composeBody(request.body, context, isFormContentType(headers))
  return { url, method: request.method, headers, body }
}

function* composeBody(
  body: RequestTemplate['body'],
  context: RunContext,
  isForm: boolean,
): Effects<RequestBody | undefined> {
  if (body === 'auto') return { kind: 'json', value: yield* autoBody(context) }
  return body && renderJsonBody(body, context, isForm)
}
