import type { Static } from '@sinclair/typebox'
import { ClientSideAction } from './action.ts'
import { ClosedObject, StringEnum, Timestamp } from './common.ts'
import { Input } from './input.ts'
import { Message } from './message.ts'
import { sampleOutput } from './samples.ts'
import { DynamicTheme, Progress, startedFlow } from './start-chat.ts'
import { Type } from './type.ts'

/** State of a session at present (docs/api.md 2.14). Absent fields are missing, never null. */
export const SessionResponse = ClosedObject(
  {
    state: StringEnum(['registered', 'waiting'], {
      description: 'Registered: nothing has run yet. Waiting: for what `waitingFor` names',
    }),
    waitingFor: Type.Optional(
      StringEnum(['input', 'action', 'webhook'], {
        description:
          'The answer to `input`, what the client sends back to an action or an embed, or a call from another system. Present while waiting',
      }),
    ),
    input: Type.Optional(Input),
    clientSideActions: Type.Optional(
      Type.Array(ClientSideAction, { description: 'The one whose reply is awaited; present while one is' }),
    ),
    messages: Type.Optional(
      Type.Array(Message, { description: 'The embed whose event is awaited; present while one is' }),
    ),
    dynamicTheme: Type.Optional(DynamicTheme),
    progress: Type.Optional(Progress),
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
export type SessionResponse = Static<typeof SessionResponse>
