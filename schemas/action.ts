import type { Static } from '@sinclair/typebox'
import { ClosedObject, Id, optional } from './common.ts'
import { taggedUnion } from './tagged-union.ts'
import { Type } from './type.ts'

/** Argument of a script: text that reads as a number or a boolean is passed as one. */
const ArgumentValue = Type.Unsafe<unknown>({
  description:
    'Text, number, boolean, null, or a list of texts and nulls; of inline code, any JSON. Absent for `undefined`',
})

/** Code for the browser: the body of an async function whose parameters are the ids of the arguments. */
export const ScriptToExecute = ClosedObject({
  content: Type.String({ description: 'Body of an async function', examples: ['alert(vFirstName)'] }),
  args: Type.Array(ClosedObject({ id: Id, value: Type.Optional(ArgumentValue) })),
  isCode: Type.Optional(Type.Boolean({ description: '`setVariable` only: written as code by the author' })),
  isUnsafe: Type.Optional(Type.Boolean({ description: 'To be isolated by the client in a preview' })),
})
export type ScriptToExecute = Static<typeof ScriptToExecute>

const ChatwootScript = ClosedObject({ content: Type.String(), args: ScriptToExecute.properties.args })

const HttpRequestToExecute = ClosedObject({
  url: Type.String({ examples: ['https://api.example/quotes?lang=fr'] }),
  method: Type.Optional(Type.String({ examples: ['POST'] })),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(
    Type.Unknown({ description: 'JSON value, or text that is no JSON; absent for no body' }),
  ),
})

const GoogleAnalyticsEvent = ClosedObject({
  trackingId: Type.Optional(Type.String({ examples: ['G-XXXXXXX'] })),
  category: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
  value: Type.Optional(Type.Number()),
  sendTo: Type.Optional(Type.String()),
})
export type GoogleAnalyticsEvent = Static<typeof GoogleAnalyticsEvent>

const PixelEvent = ClosedObject({
  pixelId: Type.String(),
  eventType: Type.String({ examples: ['Lead'] }),
  name: Type.Optional(Type.String({ description: 'Name of the event when `eventType` is `Custom`' })),
  isInitSkip: Type.Optional(Type.Boolean()),
  params: Type.Optional(
    Type.Array(
      ClosedObject({
        id: Type.Optional(Id),
        key: Type.Optional(Type.String()),
        value: Type.Optional(Type.Unknown()),
      }),
    ),
  ),
})
export type PixelEvent = Static<typeof PixelEvent>

const StartPropsToInject = ClosedObject({
  googleAnalyticsId: Type.Optional(Type.String()),
  pixelIds: Type.Optional(Type.Array(Type.String())),
  gtmId: Type.Optional(Type.String({ description: 'Google Tag Manager container' })),
  customHeadCode: Type.Optional(Type.String({ description: 'HTML elements for the head of the page' })),
})

const ChatCompletionMessage = ClosedObject({
  role: Type.Optional(Type.String({ examples: ['user'] })),
  content: Type.Optional(Type.String()),
})

const common = optional({
  lastBubbleBlockId: Type.String({
    description: 'Message of this response after which to run; absent for before the first',
  }),
  expectsDedicatedReply: Type.Boolean({
    description: 'The session waits for what the client sends back when this is done',
  }),
})
const alwaysReplies = { ...common, expectsDedicatedReply: Type.Literal(true) }

/** Something for the client to do (docs/api.md 2.10). The payload stands under the name of the type. */
export const ClientSideAction = taggedUnion(
  [
    ClosedObject({
      type: Type.Literal('scriptToExecute'),
      scriptToExecute: ScriptToExecute,
      ...common,
    }),
    ClosedObject({
      type: Type.Literal('setVariable'),
      setVariable: ClosedObject({ scriptToExecute: ScriptToExecute }),
      ...alwaysReplies,
    }),
    ClosedObject({
      type: Type.Literal('redirect'),
      redirect: ClosedObject({
        url: Type.Optional(Type.String()),
        isNewTab: Type.Optional(Type.Boolean({ description: 'The client takes false for absent' })),
      }),
      ...common,
    }),
    ClosedObject({
      type: Type.Literal('wait'),
      wait: ClosedObject({ secondsToWaitFor: Type.Number({ minimum: 0 }) }),
      ...common,
    }),
    ClosedObject({ type: Type.Literal('listenForWebhook'), ...alwaysReplies }),
    ClosedObject({
      type: Type.Literal('httpRequestToExecute'),
      httpRequestToExecute: HttpRequestToExecute,
      ...alwaysReplies,
    }),
    ClosedObject({ type: Type.Literal('stream'), stream: Type.Literal(true), ...alwaysReplies }),
    ClosedObject({
      type: Type.Literal('streamOpenAiChatCompletion'),
      streamOpenAiChatCompletion: ClosedObject({ messages: Type.Array(ChatCompletionMessage) }),
      ...alwaysReplies,
    }),
    ClosedObject({
      type: Type.Literal('codeToExecute'),
      codeToExecute: ClosedObject({
        args: Type.Record(Type.String(), Type.Unknown()),
        content: Type.String(),
      }),
      ...common,
    }),
    ClosedObject({
      type: Type.Literal('chatwoot'),
      chatwoot: ClosedObject({ scriptToExecute: ChatwootScript }),
      ...common,
    }),
    ClosedObject({
      type: Type.Literal('googleAnalytics'),
      googleAnalytics: GoogleAnalyticsEvent,
      ...common,
    }),
    ClosedObject({ type: Type.Literal('pixel'), pixel: PixelEvent, ...common }),
    ClosedObject({
      type: Type.Literal('startPropsToInject'),
      startPropsToInject: StartPropsToInject,
      ...common,
    }),
  ],
  { $id: 'ClientSideAction', description: 'Something for the client to do, in this order.' },
)
export type ClientSideAction = Static<typeof ClientSideAction>
