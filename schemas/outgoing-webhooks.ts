import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional, StringEnum, Timestamp } from './common.ts'
import { Type } from './type.ts'

/** All that is told to others (docs/webhooks.md). */
export const eventTypes = [
  'conversation.started',
  'turn.completed',
  'conversation.paused',
  'conversation.opened',
  'conversation.ended',
  'conversation.expired',
  'result.changed',
  'result.completed',
  'flow.published',
] as const
export type EventType = (typeof eventTypes)[number]

const name = Type.String({
  pattern: '^(?!stripe$)[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Small letters of ASCII, digits, "_" and "-"; not `stripe`',
  examples: ['crm'],
})

export const OutgoingWebhookParams = Type.Object({ name })

export const DeliveryParams = Type.Object({
  name,
  number: Type.String({
    pattern: '^[1-9]\\d{0,14}$',
    description: 'The `number` of the delivery',
    examples: ['7'],
  }),
})

const settings = {
  url: Type.String({
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s@]+$',
    maxLength: 2048,
    description: 'Where events are sent, by POST',
    examples: ['https://crm.example/hooks/chat'],
  }),
  events: Type.Optional(
    Type.Array(StringEnum(eventTypes), {
      maxItems: 50,
      description: 'Absent for all',
      examples: [['turn.completed']],
    }),
  ),
  flows: Type.Optional(
    Type.Array(
      Type.String({
        // No address names others: a filter by such a slip would keep everything back without a word.
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]+$',
        maxLength: 1024,
        examples: ['lead-form'],
      }),
      {
        maxItems: 500,
        description: 'Public ids; absent for all flows',
        examples: [['lead-form']],
      },
    ),
  ),
  includesContent: Type.Optional(
    Type.Boolean({
      description:
        'Whether events say what was said: messages, the waiting input, the reply, answers and variables',
    }),
  ),
}

/** Settings of an endpoint. A filter that is misspelt would be none, and the endpoint be told everything. */
export const OutgoingWebhookBody = ClosedObject(
  {
    ...settings,
    secrets: Type.Optional(
      Type.Array(
        Type.String({
          // Whole bytes, 24 to 64 of them: strict receivers read nothing else.
          pattern:
            '^whsec_(?![A-Za-z0-9+/]{87})([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$',
          description: '`whsec_` and 24 to 64 bytes as base64',
          examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
        }),
        {
          minItems: 1,
          maxItems: 2,
          description: 'Two while they are changed. Absent to keep those that there are',
        },
      ),
    ),
  },
  {
    examples: [
      { url: 'https://crm.example/hooks/chat', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] },
    ],
  },
)
export type OutgoingWebhookBody = Static<typeof OutgoingWebhookBody>

/** An endpoint, without its secrets. */
export const OutgoingWebhook = ClosedObject(
  {
    name: Type.String(),
    ...settings,
    secretCount: Type.Integer({ description: 'Secrets that events are signed with; none is ever shown' }),
    disabled: Type.Optional(
      Type.String({ description: 'Why nothing is sent there until it is put again', examples: ['410 Gone'] }),
    ),
    failing: Type.Optional(
      Type.String({
        description: 'Why deliveries of this process fail at present, where several have in a row',
      }),
    ),
  },
  { $id: 'OutgoingWebhook' },
)
export type OutgoingWebhook = Static<typeof OutgoingWebhook>

export const OutgoingWebhooks = ClosedObject({
  webhooks: Type.Array(OutgoingWebhook, { description: 'In the order of their names' }),
})

/** Of what is sent to others. */
export const deliveryStates = ['waiting', 'delivered', 'set aside'] as const

export const DeliveriesQuery = ClosedObject(
  optional({
    limit: Type.Integer({ minimum: 1, maximum: 500, description: 'Deliveries of a page; 50 unless given' }),
    before: Type.Integer({ minimum: 1, description: 'The `number` of the last delivery of the page before' }),
    state: StringEnum(deliveryStates, { description: 'Absent for all' }),
  }),
)
export type DeliveriesQuery = Static<typeof DeliveriesQuery>

export const Deliveries = ClosedObject({
  deliveries: Type.Array(
    ClosedObject({
      number: Type.Integer(),
      eventId: Type.String({ description: 'The `webhook-id` that its receiver sees' }),
      type: StringEnum(eventTypes),
      state: StringEnum(deliveryStates),
      attempts: Type.Integer(),
      createdAt: Timestamp,
      dueAt: Type.Optional(Timestamp),
      settledAt: Type.Optional(Timestamp),
      error: Type.Optional(
        Type.String({ description: 'Of the last attempt', examples: ['The answer was 500'] }),
      ),
    }),
    { description: 'The latest first' },
  ),
})
export type Deliveries = Static<typeof Deliveries>

export const Retried = ClosedObject({
  retried: Type.Integer({ description: 'Events that are sent now' }),
})
