import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject, StringEnum } from '../../common.ts'
import { ResponseVariableMapping } from '../../response-variable-mapping.ts'
import { Type } from '../../type.ts'

/** The types that send an HTTP request; they differ in name only. */
export const httpRequestTypes = ['Webhook', 'Zapier', 'Make.com', 'Pabbly'] as const

const KeyValues = Type.Array(
  PartialObject({
    id: Id,
    key: Type.String({ examples: ['lang'] }),
    value: Type.String({ examples: ['{{Language}}'] }),
  }),
  { description: 'May hold placeholders. A row whose key or value ends up empty is left out' },
)

const Webhook = PartialObject({
  id: Type.String({ description: 'Of versions below 6; has no effect' }),
  url: Type.String({ examples: ['https://api.example/quotes'] }),
  method: StringEnum(['POST', 'GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'CONNECT', 'OPTIONS', 'TRACE'], {
    description: 'Default POST',
  }),
  queryParams: KeyValues,
  headers: KeyValues,
  body: Type.String({
    description:
      'Used when `isCustomBody` is true. `{{state}}` stands for all answers and variables, as does absence',
    examples: ['{"sku":"{{Sku}}"}'],
  }),
})

/** Calls another system over HTTP and reads its response. */
export const HttpRequestBlock = Type.Object({
  ...blockBase,
  type: StringEnum(httpRequestTypes),
  webhookId: Type.Optional(
    Type.String({ description: 'Of version 3: a stored request, which counts as none' }),
  ),
  options: Type.Optional(
    PartialObject({
      webhook: Webhook,
      isCustomBody: Type.Boolean({ description: 'Default false: all answers and variables are sent' }),
      isExecutedOnClient: Type.Boolean({
        description: 'Whether the browser sends the request (`Webhook` only). Default false',
      }),
      timeout: Type.Number({ minimum: 1, maximum: 120, description: 'Seconds. Default 10' }),
      responseVariableMapping: ResponseVariableMapping,
      proxyCredentialsId: Type.String({ description: 'A request through a proxy is not sent' }),
      variablesForTest: Type.Array(PartialObject({ id: Id, variableId: Id, value: Type.String() }), {
        description: 'For trials in the editor; has no effect',
      }),
    }),
  ),
})
export type HttpRequestBlock = Static<typeof HttpRequestBlock>
