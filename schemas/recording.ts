import { ClosedObject, Id, StringEnum } from './common.ts'
import { StartPreviewChatBody } from './start-chat.ts'
import { EffectType } from './trace.ts'
import { Type } from './type.ts'
import { NextUserMessage } from './user-message.ts'

const { isStreamEnabled, isOnlyRegistering, prefilledVariables, textBubbleContentFormat, startFrom, locale } =
  StartPreviewChatBody.properties

/** The parts of a request that a turn read. */
export const RecordedRequest = Type.Object({
  message: Type.Optional(NextUserMessage),
  isStreamEnabled,
  isOnlyRegistering,
  prefilledVariables,
  textBubbleContentFormat,
  startFrom,
  locale,
  timer: Type.Optional(
    Type.Object(
      {
        type: StringEnum(['idle', 'wait', 'reply', 'expire', 'pause']),
        eventId: Type.Optional(Type.String()),
      },
      { description: 'The timer that took the turn, where nobody asked for it' },
    ),
  ),
  act: Type.Optional(
    Type.Object(
      { type: StringEnum(['pause', 'open', 'close', 'say']) },
      { additionalProperties: true, description: 'What an operator did, in the place of the visitor' },
    ),
  ),
})

/** An effect that a turn requested, with its answer. */
const RecordedEffect = Type.Object({
  type: EffectType,
  key: Type.String({ description: 'Names what was asked, which can not be read in it' }),
  answer: Type.Unknown({
    description: 'As it was given; values that JSON does not know are marked by `$value`',
  }),
  blocks: Type.Integer({ minimum: 0, description: 'Blocks that had been entered by then' }),
})

/** A flow that a session is in, with the hash that names its definition. */
const RecordedFrame = Type.Object(
  {
    program: Type.String(),
    flowId: Type.String(),
    variables: Type.Array(Type.Unknown()),
    answers: Type.Array(Type.Unknown()),
  },
  { additionalProperties: true },
)

const RecordedTurn = Type.Object({
  entry: StringEnum(['start', 'continue', 'timer', 'operator']),
  request: Type.Object({}, { additionalProperties: true, description: 'What the turn read of the request' }),
  payload: Type.Optional(Type.String({ description: 'What had come in for the webhook listener, as JSON' })),
  found: Type.Optional(
    Type.Object(
      { state: Type.String(), queue: Type.Array(RecordedFrame) },
      {
        additionalProperties: true,
        description: 'The session, where something other than a turn had changed it',
      },
    ),
  ),
  effects: Type.Array(RecordedEffect),
  blocks: Type.Array(Type.String(), { description: 'The ids of the blocks that ran, in order' }),
  response: Type.String({
    description: 'The JSON of the response, without the ids of a start and without a trace',
  }),
  left: Type.String({ description: 'Names the session that the turn left' }),
})

/** A conversation with all that it takes to run it again (docs/debug.md). */
export const RecordingResponse = ClosedObject(
  {
    format: Type.Literal('flow-runtime recording 1'),
    start: Type.Object(
      {
        program: Type.String({ description: 'Names the definition that the conversation was begun with' }),
        flowId: Id,
        isProgressTracked: Type.Boolean(),
        areResultsRead: Type.Boolean(),
        limits: Type.Object({}, { additionalProperties: Type.Number() }),
      },
      { additionalProperties: true, description: 'How the conversation was begun' },
    ),
    turns: Type.Array(RecordedTurn, { minItems: 1, description: 'Oldest first' }),
    isCut: Type.Optional(Type.Boolean({ description: 'Whether later turns are left out' })),
    masked: Type.Optional(
      Type.Array(ClosedObject({ mark: Type.String(), name: Type.String() }), {
        description:
          'Marks that stand in the places of what marked variables held (docs/privacy.md): a turn that has one can’t be run again',
      }),
    ),
    definitions: Type.Object({}, { additionalProperties: true, description: 'By their names' }),
  },
  { $id: 'RecordingResponse' },
)
