import type { Static } from '@sinclair/typebox'
import { ClientSideAction } from './action.ts'
import { ClosedObject, optional, PartialObject, StringEnum, Timestamp } from './common.ts'
import { Input } from './input.ts'
import { Message } from './message.ts'
import { sampleOutput } from './samples.ts'
import {
  ActsAfterSeconds,
  DynamicTheme,
  JoinsUntil,
  Paused,
  Progress,
  startedFlow,
  WakesAt,
} from './start-chat.ts'
import { Type } from './type.ts'

/** State of a session at present (docs/api.md 2.14). Absent fields are missing, never null. */
export const SessionResponse = ClosedObject(
  {
    state: StringEnum(['registered', 'waiting'], {
      description: 'Registered: nothing has run yet. Waiting: for what `waitingFor` names',
    }),
    ...optional({
      waitingFor: StringEnum(['input', 'action', 'webhook', 'timer', 'person'], {
        description:
          'The answer to `input`, what the client sends back to an action or an embed, a call from another system, a time, or a person who gives the conversation back. Present while waiting',
      }),
      wakesAt: WakesAt,
      paused: Paused,
      actsAfterSeconds: ActsAfterSeconds,
      joinsUntil: JoinsUntil,
      input: Input,
      clientSideActions: Type.Array(ClientSideAction, {
        description: 'The one whose reply is awaited; present while one is',
      }),
      messages: Type.Array(Message, {
        description:
          'What the session has said by itself since its visitor last did something, and the embed whose event is awaited',
      }),
      timers: Type.Array(
        ClosedObject({
          type: StringEnum(['idle', 'wait', 'reply', 'expire', 'pause']),
          due: Timestamp,
          eventId: Type.Optional(Type.String()),
        }),
        { description: 'What a preview does by itself, the earliest first' },
      ),
      dynamicTheme: DynamicTheme,
      progress: Progress,
    }),
    flow: ClosedObject({ ...startedFlow, publishedAt: Type.Optional(Timestamp) }),
  },
  {
    $id: 'SessionResponse',
    examples: [
      {
        state: 'waiting',
        waitingFor: 'input',
        input: sampleOutput.input,
        flow: { id: 'flow-1', version: '6.1', theme: {}, settings: {} },
      },
    ],
  },
)

/** The headers of a stream of events. Names are in lower case. */
export const SessionEventsHeaders = PartialObject({
  'last-event-id': Type.String({
    maxLength: 100,
    description:
      'The version that the client knows, which browsers send when they connect again: the first event reports all changes since',
    examples: ['3-mib2qk1c'],
  }),
})

/** The text of a stream of events (docs/api.md 4.15). */
export const SessionEvents = Type.String({
  description:
    'Events `webhook`, `messages`, `reply` and `updated`. `id` is the version of the session that they lead to, `data` the same as JSON, with the messages and actions that the session or a person sent, or what its visitor said to that person; lines that begin with a colon are to be ignored',
  examples: ['id: 3-mib2qk1c\nevent: webhook\ndata: {"version":"3-mib2qk1c"}\n\n'],
})

/** Body of a request for a stream. */
export const StreamMessageBody = Type.Object(
  {
    messages: Type.Optional(
      Type.Unknown({ description: 'Has no effect: the flow says what a model is asked' }),
    ),
  },
  { examples: [{}] },
)

/** Lines of a stream, one record each: `<code>:<JSON>`. */
export const StreamedRecords = Type.String({
  description:
    '`0:` a piece of text, `3:` a text that holds the JSON of what went wrong, `d:` the end and its reason',
  examples: ['0:"9 to"\n0:" 5."\nd:{"finishReason":"stop"}\n'],
})

const text = { maxLength: 16_384 }

const ClientLog = Type.Object({
  status: Type.Optional(StringEnum(['error', 'info', 'success'], { description: 'Default error' })),
  description: Type.String({ ...text, examples: ['The script could not be run'] }),
  details: Type.Optional(
    Type.String({ ...text, description: 'Cut where results are kept: the first 1000 characters stay' }),
  ),
  context: Type.Optional(Type.String(text)),
})

/** Logs that a client reports (docs/api.md 4.4). Unknown keys are ignored. */
export const ClientLogsBody = Type.Object(
  { clientLogs: Type.Array(ClientLog, { maxItems: 100 }) },
  {
    examples: [
      {
        clientLogs: [
          { status: 'error', description: 'The script could not be run', details: 'x is not defined' },
        ],
      },
    ],
  },
)
export type ClientLogsBody = Static<typeof ClientLogsBody>

export const ClientLogsResponse = ClosedObject(
  { message: Type.Literal('Logs successfully saved.') },
  { examples: [{ message: 'Logs successfully saved.' }] },
)

/** Response once a session is on the published version (docs/api.md 4.5). */
export const UpdateFlowResponse = ClosedObject(
  { message: Type.Literal('success') },
  { examples: [{ message: 'success' }] },
)
