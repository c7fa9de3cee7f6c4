import type { Static } from '@sinclair/typebox'
import { blockBase, blockOf, Id, NumberOrVariable, optional, PartialObject, StringEnum } from '../common.ts'
import { Type } from '../type.ts'

/** Which parts of a response go into which variables. Rows without both fields are left alone. */
export const ResponseVariableMapping = Type.Array(
  PartialObject({
    id: Id,
    variableId: Id,
    bodyPath: Type.String({
      description: 'Expression over `data` (the body) and `statusCode`',
      examples: ['data.items[0].name', 'statusCode'],
    }),
  }),
)
export type ResponseVariableMapping = Static<typeof ResponseVariableMapping>

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
  ...optional({
    webhookId: Type.String({ description: 'Of version 3: a stored request, which counts as none' }),
    options: PartialObject({
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
  }),
})
export type HttpRequestBlock = Static<typeof HttpRequestBlock>

const Addresses = Type.Array(Type.String({ examples: ['desk@shop.example', '{{Email}}'] }))

/** Sends a mail. All texts may hold placeholders. */
export const EmailBlock = blockOf('Email', {
  credentialsId: Type.String({ description: '`default` for the mail server of this service' }),
  recipients: Addresses,
  cc: Addresses,
  bcc: Addresses,
  replyTo: Type.String({ examples: ['Ada <ada@mail.example>'] }),
  subject: Type.String(),
  body: Type.String(),
  isCustomBody: Type.Boolean({ description: 'Default: true when there is a body' }),
  isBodyCode: Type.Boolean({ description: 'Whether the body is HTML. Default false' }),
  attachmentsVariableId: Id,
})
export type EmailBlock = Static<typeof EmailBlock>

/** Sends an event to Google Analytics from the browser; live sessions only. */
export const GoogleAnalyticsBlock = blockOf('Google Analytics', {
  trackingId: Type.String({ examples: ['G-XXXXXXX'] }),
  category: Type.String(),
  action: Type.String({ examples: ['purchase'] }),
  label: Type.String(),
  value: NumberOrVariable,
  sendTo: Type.String(),
})
export type GoogleAnalyticsBlock = Static<typeof GoogleAnalyticsBlock>

const eventTypes = [
  'Custom',
  'Lead',
  'Contact',
  'CompleteRegistration',
  'Schedule',
  'SubmitApplication',
  'ViewContent',
  'AddPaymentInfo',
  'AddToCart',
  'AddToWishlist',
  'CustomizeProduct',
  'Donate',
  'FindLocation',
  'InitiateCheckout',
  'Purchase',
  'Search',
  'StartTrial',
  'Subscribe',
] as const

/** Sends an event to an ad pixel from the browser; live sessions only. */
export const PixelBlock = blockOf('Pixel', {
  pixelId: Type.String({ description: 'Taken as written: placeholders are not replaced' }),
  isInitSkip: Type.Boolean({ description: 'Whether the page loads the pixel itself. Default false' }),
  eventType: StringEnum(eventTypes, { description: 'Absent: the pixel is loaded, and no event is sent' }),
  name: Type.String({ description: 'Name of the event when `eventType` is `Custom`' }),
  params: Type.Array(
    PartialObject({
      id: Id,
      key: Type.String({ examples: ['currency', 'value', 'content_name'] }),
      value: Type.Unknown({ description: 'Any JSON; text that reads as JSON is sent as what it says' }),
    }),
  ),
})
export type PixelBlock = Static<typeof PixelBlock>

/** Opens or closes a live-chat widget in the browser. All texts may hold placeholders. */
export const ChatwootBlock = blockOf('Chatwoot', {
  task: StringEnum(['Show widget', 'Close widget'], { description: 'Default `Show widget`' }),
  baseUrl: Type.String({ description: 'Default https://app.chatwoot.com' }),
  websiteToken: Type.String(),
  user: PartialObject({
    id: Type.String({ description: 'Default: the email address, else the result id' }),
    email: Type.String(),
    name: Type.String(),
    avatarUrl: Type.String(),
    phoneNumber: Type.String(),
  }),
})
export type ChatwootBlock = Static<typeof ChatwootBlock>

/** All of them. */
export const integrationBlocks = [
  HttpRequestBlock,
  EmailBlock,
  GoogleAnalyticsBlock,
  PixelBlock,
  ChatwootBlock,
] as const
