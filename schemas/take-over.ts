import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional, StringEnum, Timestamp } from './common.ts'
import { Message } from './message.ts'
import { Paused } from './start-chat.ts'
import { Type } from './type.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, examples: ['Ada'] })
const Reason = Type.String({ maxLength: 1000, description: 'For operators; visitors are not told' })

/** Body of a change of who leads a conversation (docs/api.md 4.26). */
export const SessionChangeBody = ClosedObject(
  {
    status: StringEnum(['paused', 'open', 'closed'], {
      description: 'A person leads it, its flow does, or it is over',
    }),
    ...optional({
      reason: Reason,
      who: { ...Name, description: '`paused`: the person or the team, which visitors are told' },
      until: { ...Timestamp, description: '`paused`: when the flow goes on by itself, at most a year ahead' },
      groupId: Type.String({
        description: '`open`: the group where the flow goes on. Default: where it stood',
      }),
    }),
  },
  { examples: [{ status: 'paused', who: 'Ada', until: '2026-11-21T12:00:00Z' }, { status: 'open' }] },
)
export type SessionChangeBody = Static<typeof SessionChangeBody>

/** Response to a change of who leads a conversation. */
export const SessionChangeResponse = ClosedObject(
  {
    status: StringEnum(['paused', 'open', 'closed'], { description: 'What it is now' }),
    paused: Type.Optional(ClosedObject({ ...Paused.properties, reason: Type.Optional(Reason) })),
  },
  { examples: [{ status: 'open' }] },
)

/** Body of a message that a person writes (docs/api.md 4.27). */
export const PersonMessageBody = ClosedObject(
  {
    text: Type.String({ minLength: 1, maxLength: 10_000, description: 'Each line becomes a paragraph' }),
    name: Type.Optional({ ...Name, description: 'Whom the visitor sees as the sender' }),
  },
  { examples: [{ text: 'Hi, how can I help?', name: 'Ada' }] },
)
export type PersonMessageBody = Static<typeof PersonMessageBody>

/** Response once a person has written. */
export const PersonMessageResponse = ClosedObject(
  { message: Message },
  {
    examples: [
      {
        message: {
          id: 'wq3mZ8',
          type: 'text',
          content: {
            type: 'richText',
            richText: [{ type: 'p', children: [{ text: 'Hi, how can I help?' }] }],
          },
          sender: { name: 'Ada' },
        },
      },
    ],
  },
)

/** Lines of one page of a transcript. */
export const mostLines = 200

/** Which part of a transcript. */
export const TranscriptQuery = ClosedObject(
  optional({
    limit: Type.Integer({ minimum: 1, maximum: mostLines, description: 'Lines of a page. Default 50' }),
    cursor: Type.String({
      pattern: '^\\d{1,6}$',
      description: '`nextCursor` of the page behind',
      examples: ['50'],
    }),
  }),
)

/** Page of what was said (docs/api.md 4.28). */
export const TranscriptBody = ClosedObject(
  {
    lines: Type.Array(
      ClosedObject({
        role: StringEnum(['assistant', 'user', 'person'], {
          description: 'The flow, the visitor, or a person in the place of the flow',
        }),
        name: Type.Optional(Type.String({ description: 'Of the person' })),
        text: Type.String(),
      }),
      { description: 'In the order in which they were said, the latest page first' },
    ),
    nextCursor: Type.Optional(
      Type.String({ description: 'Where the page before these begins; absent on the first' }),
    ),
  },
  { examples: [{ lines: [{ role: 'person', name: 'Ada', text: 'Hi, how can I help?' }] }] },
)
export type TranscriptBody = Static<typeof TranscriptBody>
