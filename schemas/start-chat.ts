import type { Static, TProperties } from '@sinclair/typebox'
import { ClientSideAction } from './action.ts'
import { ClosedObject, Id, Locale, optional, PartialObject, StringEnum, Timestamp } from './common.ts'
import { Contact, ContactMark, contactFields } from './contact.ts'
import { Input } from './input.ts'
import { Log } from './log.ts'
import { Message } from './message.ts'
import { Mocks } from './mocks.ts'
import { sampleFlow, sampleOutput, sampleSessionId } from './samples.ts'
import { Settings } from './settings.ts'
import { taggedUnion } from './tagged-union.ts'
import { Theme } from './theme.ts'
import { TurnTrace } from './trace.ts'
import { Type } from './type.ts'
import { UserMessage } from './user-message.ts'
import { LintFinding } from './validate-flow.ts'

/** Format of text bubbles in a response, and of the text after a refused reply. */
export const TextBubbleContentFormat = StringEnum(['richText', 'markdown'], {
  description: 'How text bubbles come back. Default richText',
})

/** The header by which a request may be repeated (docs/api.md, "Repeating a request"). Names are in lower case. */
export const IdempotencyHeaders = PartialObject({
  'idempotency-key': Type.String({
    pattern: '^[!-~]{20,255}$',
    description:
      'A random name of your own for this request: the first answer is given again to a request that repeats the key and the body. 20 to 255 printable ASCII characters without blank',
    examples: ['0c5a3f5e-5d0e-4a43-9a0b-6a6d3a3f6f0e'],
  }),
})

const startFields = optional({
  message: UserMessage,
  isStreamEnabled: Type.Boolean({
    description: 'Whether the client can stream the text of AI blocks. Default false',
  }),
  isOnlyRegistering: Type.Boolean({
    description: 'Creates the session without running a block. Default false',
  }),
  prefilledVariables: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description:
      'Initial values by the name of the variable, at most 65,536 characters together. Names that the flow does not declare are ignored',
    examples: [{ Name: 'Ada', Age: 36 }],
  }),
  textBubbleContentFormat: TextBubbleContentFormat,
  locale: Locale,
  contact: Contact,
}) satisfies TProperties

/** The path of a public start. */
export const StartChatParams = Type.Object({
  publicId: Type.String({ description: 'What the flow is published as', examples: ['lead-form'] }),
})

/** Body of a public start (docs/api.md 2.2): every field is optional, unknown ones are ignored. */
export const StartChatBody = Type.Object(
  {
    ...startFields,
    ...contactFields,
    resultId: Type.Optional(
      Type.String({ description: 'An earlier result to go on with, where the flow remembers its visitors' }),
    ),
  },
  {
    examples: [
      {},
      { message: 'Hi', prefilledVariables: { Name: 'Ada' }, textBubbleContentFormat: 'markdown' },
    ],
  },
)
export type StartChatBody = Static<typeof StartChatBody>

/** The path of a preview start. */
export const StartPreviewChatParams = Type.Object({
  flowId: Type.String({ description: 'A label when the body holds a flow', examples: ['flow-1'] }),
})

const StartFrom = taggedUnion(
  [
    Type.Object({ type: Type.Literal('group'), groupId: Id, blockId: Type.Optional(Id) }),
    Type.Object({ type: Type.Literal('block'), blockId: Id, groupId: Type.Optional(Id) }),
    Type.Object({ type: Type.Literal('event'), eventId: Id }),
  ],
  {
    $id: 'StartFrom',
    description:
      'Where to begin instead of at the start event: at the top of a group, at a block of it, or where an event leads.',
  },
)

/** Body of a preview start (docs/api.md 2.3). The flow itself is checked by src/definition. */
export const StartPreviewChatBody = Type.Object(
  {
    ...startFields,
    ...optional({
      flow: Type.Unsafe<unknown>(Type.Ref('FlowDefinition')),
      startFrom: StartFrom,
      sessionId: Type.String({
        pattern: '^[!-.0-~]{1,128}$',
        description:
          'The preview session to start over; a new id is used as it is, and is best random: anyone with it can continue, except where the preview was started with the token. 1 to 128 printable ASCII characters without blank or slash',
        examples: [sampleSessionId],
      }),
      trace: Type.Boolean({
        description:
          'Whether each answer of the session has the `trace` of its turn (docs/debug.md). Default false',
      }),
      mocks: Mocks,
      dryRun: Type.Boolean({
        description:
          'Whether nothing leaves the service: every call of the session gets an empty answer, as with empty `mocks`. Default false',
      }),
      record: Type.Boolean({
        description:
          'Whether the turns of the session are written down to be run again (docs/debug.md), which goes with neither `mocks` nor `dryRun`. Default false',
      }),
      isProgressBarEnabled: Type.Boolean({
        description: 'Whether responses carry the progress, overriding the theme',
      }),
      findings: Type.Boolean({
        description: 'Whether to check the flow, and answer what was found. Default false',
      }),
    }),
  },
  {
    examples: [
      { flow: sampleFlow, sessionId: sampleSessionId },
      { flow: sampleFlow, startFrom: { type: 'group', groupId: 'g1' } },
    ],
  },
)
export type StartPreviewChatBody = Static<typeof StartPreviewChatBody>

/** The flow that a session runs, as its client sees it. */
export const startedFlow = {
  id: Id,
  version: Type.String({ description: 'The version of the definition that runs', examples: ['6.1'] }),
  theme: Theme,
  settings: Settings,
} satisfies TProperties

export const DynamicTheme = ClosedObject(
  {
    hostAvatarUrl: Type.Optional(Type.String()),
    guestAvatarUrl: Type.Optional(Type.String()),
    backgroundUrl: Type.Optional(Type.String()),
  },
  { description: 'The parts of the theme that start with a placeholder, with the present values.' },
)

export const WakesAt = Type.String({
  format: 'date-time',
  description: 'When the session goes on by itself. Present while it waits for that',
  examples: ['2026-11-23T08:00:00.000Z'],
})

export const Paused = ClosedObject(
  {
    since: Timestamp,
    who: Type.Optional(Type.String({ description: 'The person or the team', examples: ['Ada'] })),
    until: Type.Optional({ ...Timestamp, description: 'When the flow goes on by itself' }),
  },
  {
    description:
      'Present while a person leads the conversation: replies are for that person, and the flow is silent',
  },
)
export type Paused = Static<typeof Paused>

export const ActsAfterSeconds = Type.Integer({
  minimum: 0,
  description:
    'Seconds of silence after which the session acts by itself, by a wait or an event. Present while it may: its events tell of that, and a look has what it said',
  examples: [1800],
})

export const JoinsUntil = Type.String({
  format: 'date-time',
  description:
    'Until when what is said is kept, and joined into one answer, which comes then by the events of the session and in a look. Present while words are kept',
  examples: ['2026-11-23T08:00:02.000Z'],
})

export const Progress = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'Per cent of the flow, not rounded; may go down',
})

/** Fields in the response to every turn. */
export const outputFields = {
  lastMessageNewFormat: Type.Optional(
    Type.String({ description: 'The accepted reply as it was stored, when that differs from what was sent' }),
  ),
  messages: Type.Array(Message),
  input: Type.Optional(Input),
  clientSideActions: Type.Optional(Type.Array(ClientSideAction)),
  logs: Type.Optional(Type.Array(Log)),
  dynamicTheme: Type.Optional(DynamicTheme),
  progress: Type.Optional(Progress),
  wakesAt: Type.Optional(WakesAt),
  actsAfterSeconds: Type.Optional(ActsAfterSeconds),
  paused: Type.Optional(Paused),
} satisfies TProperties

/** Response to a public start (docs/api.md 2.5). Absent fields are missing, never null. */
export const StartChatResponse = ClosedObject(
  {
    sessionId: Id,
    resultId: Id,
    contact: Type.Optional(ContactMark),
    isResumed: Type.Optional(
      Type.Boolean({ description: 'Whether this is a conversation that was open already, for `resume`' }),
    ),
    // Absent when the start only registers.
    flow: ClosedObject({ ...startedFlow, publishedAt: Type.Optional(Timestamp) }),
    ...outputFields,
  },
  {
    $id: 'StartChatResponse',
    examples: [
      {
        sessionId: 'V1StGXR8Z5jdHi6BmyTq7',
        resultId: 'k3Jb0cV9qLxW2nE7rTzAf',
        flow: {
          id: 'flow-1',
          version: '6.1',
          theme: {},
          settings: {},
          publishedAt: '2026-11-21T09:17:01.712Z',
        },
        ...sampleOutput,
      },
    ],
  },
)

/** Response to a preview start: no result, and no moment of publication. */
export const StartPreviewChatResponse = ClosedObject(
  {
    sessionId: Id,
    contact: Type.Optional(ContactMark),
    findings: Type.Optional(
      Type.Array(LintFinding, { description: 'What was found about the flow, when it was asked for' }),
    ),
    flow: ClosedObject(startedFlow),
    ...outputFields,
    trace: Type.Optional(TurnTrace),
  },
  {
    $id: 'StartPreviewChatResponse',
    examples: [
      {
        sessionId: sampleSessionId,
        flow: { id: 'flow-1', version: '6.1', theme: {}, settings: {} },
        ...sampleOutput,
      },
    ],
  },
)
