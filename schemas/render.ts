import type { Static } from '@sinclair/typebox'
import { ClientSideAction } from './action.ts'
import { channels } from './channel.ts'
import { ClosedObject, optional, PartialObject, StringEnum } from './common.ts'
import { Input } from './input.ts'
import { Message } from './message.ts'
import { sampleOutput } from './samples.ts'
import { Settings } from './settings.ts'
import { Type } from './type.ts'
import { NextUserMessage } from './user-message.ts'

/** Body of a rendering for a messenger (docs/api.md 4.25). */
export const RenderBody = Type.Object(
  {
    channel: StringEnum(channels, { description: 'The messenger' }),
    ...optional({
      messages: Type.Array(Message, { description: 'As the answer of a turn has them' }),
      input: Input,
      clientSideActions: Type.Array(ClientSideAction),
      settings: Settings,
      turn: Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        description:
          'The number of the turn, which buttons carry: a press of another one is stale. Default 0',
      }),
      page: Type.String({
        pattern: '^https?://[^/\\s]',
        description: 'Where what only a page shows is linked to; without it, that is left out',
        examples: ['https://chat.example/f/lead-form'],
      }),
      join: Type.Boolean({
        description:
          'Whether texts that follow each other become one message. Default: as the rates of the messenger demand',
      }),
      said: PartialObject(
        {
          press: Type.String({ description: 'The id of the button or row that was pressed' }),
          text: Type.String({ description: 'What was written' }),
        },
        { description: 'What somebody did then, to be told which reply it is' },
      ),
    }),
  },
  { examples: [{ channel: 'whatsapp', ...sampleOutput }] },
)
export type RenderBody = Static<typeof RenderBody>

/** Messages of a messenger, and what one of its users means. */
export const RenderResponse = ClosedObject(
  {
    messages: Type.Array(
      ClosedObject({
        request: Type.Optional(
          ClosedObject({
            method: Type.String({ description: 'The last part of the address', examples: ['sendMessage'] }),
            body: Type.Record(Type.String(), Type.Unknown(), {
              description: 'As the messenger takes it, but for whom it goes to',
            }),
          }),
        ),
        notes: Type.Array(
          ClosedObject({
            code: StringEnum(['cut', 'split', 'numbered', 'linked', 'left-out']),
            text: Type.String(),
          }),
          { description: 'How it differs from what a page shows' },
        ),
      }),
      { description: 'In order; one without a request only says what is left out' },
    ),
    reply: Type.Optional({
      ...NextUserMessage,
      $id: 'SaidReply',
      description: 'The `message` to continue with, for what was `said`',
    }),
    isStale: Type.Optional(Type.Boolean({ description: 'Whether the press belongs to another turn' })),
  },
  {
    $id: 'RenderResponse',
    examples: [
      {
        messages: [{ request: { method: 'sendMessage', body: { text: 'Hello Ada' } }, notes: [] }],
      },
    ],
  },
)
export type RenderResponse = Static<typeof RenderResponse>
