import type { Static } from '@sinclair/typebox'
import { channels } from './channel.ts'
import { ClosedObject, Locale, optional, StringEnum, Timestamp, VariableValue } from './common.ts'
import { deliveryStates } from './outgoing-webhooks.ts'
import { Type } from './type.ts'

export const channelName = '^[a-z0-9][a-z0-9_-]{0,63}$'

const name = Type.String({
  pattern: channelName,
  description: 'Small letters of ASCII, digits, "_" and "-"',
  examples: ['support'],
})

export const ChannelParams = Type.Object({ name })

export const ChannelDeliveryParams = Type.Object({
  name,
  number: Type.String({
    pattern: '^[1-9]\\d{0,14}$',
    description: 'The `number` of the delivery',
    examples: ['7'],
  }),
})

const PublicId = Type.String({ minLength: 1, maxLength: 1024, examples: ['support-triage'] })

const words = (description: string, examples: string[]) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: examples.slice(0, 1) }), {
    maxItems: 50,
    description,
    examples: [examples],
  })

const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description, examples: [example] })

const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$|^24:00$', examples: ['09:00'] })

/** Days of a week, as `Date` counts them. */
export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const

const Hours = ClosedObject(
  {
    timeZone: Type.String({ maxLength: 64, description: 'Of the IANA list', examples: ['Europe/Paris'] }),
    open: Type.Array(
      ClosedObject({
        days: Type.Array(StringEnum(weekdays), { minItems: 1, maxItems: 7 }),
        from: TimeOfDay,
        to: TimeOfDay,
      }),
      { maxItems: 50, description: 'Times within one day each, `to` behind `from`' },
    ),
    text: text('The answer to every message outside of them', 'We are back at nine.'),
  },
  { description: 'When messages are taken; always unless given' },
)

const settings = {
  account: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Id of an account of the type `whatsapp` or `telegram` in `CREDENTIALS_FILE`',
    examples: ['whatsapp-support'],
  }),
  flow: Type.String({ ...PublicId, description: 'Public id of the flow that conversations begin with' }),
  ...optional({
    flows: Type.Array(
      ClosedObject({
        flow: PublicId,
        ...optional({
          words: words('First messages that begin with this flow instead', ['order']),
          adIds: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
            maxItems: 200,
            description: 'Ads, or parameters of links on Telegram, whose visitors begin with it',
          }),
        }),
      }),
      { maxItems: 100, description: 'The first that fits counts' },
    ),
    startOverWords: words(
      'Messages that end the conversation and begin anew. Default `/start`, `start over`',
      ['menu'],
    ),
    optOutWords: words(
      'Messages after which nothing more is sent. Default `stop`, `/stop`, `unsubscribe`; none for an empty list',
      ['stop'],
    ),
    optInWords: words('Messages after which it is sent again. Default `start`, `/start`', ['start']),
    optOutText: text('The answer to such a message, the last that is sent', 'You will hear no more from us.'),
    optInText: text('The answer to a message that takes it back', 'Good to have you back.'),
    hours: Hours,
  }),
}

/** Settings of a channel. */
export const ChannelBody = ClosedObject(settings, {
  examples: [{ account: 'whatsapp-support', flow: 'support-triage', startOverWords: ['menu'] }],
})
export type ChannelBody = Static<typeof ChannelBody>

export const Channel = ClosedObject(
  {
    name: Type.String(),
    ...settings,
    messenger: Type.Optional(
      StringEnum(channels, { description: 'Of the account. Missing where that is not there' }),
    ),
    webhookUrl: Type.Optional(
      Type.String({ description: 'What the messenger is to be told. Missing without `PUBLIC_URL`' }),
    ),
    isFromFile: Type.Boolean({ description: 'Whether it stands in `CHANNELS_FILE`, which alone changes it' }),
    disabled: Type.Optional(Type.String({ description: 'Why nothing is sent until it is put again' })),
    failing: Type.Optional(Type.String({ description: 'Why it is not at work at present' })),
  },
  { $id: 'Channel' },
)
export type Channel = Static<typeof Channel>

export const Channels = ClosedObject({
  channels: Type.Array(Channel, { description: 'In the order of their names' }),
})

export const ChannelDeliveries = ClosedObject({
  deliveries: Type.Array(
    ClosedObject({
      number: Type.Integer(),
      eventId: Type.String({
        description: 'A hash of the session, its turn, and the place of the message in it',
      }),
      type: Type.String(),
      state: StringEnum(deliveryStates),
      status: Type.Optional(
        StringEnum(['sent', 'failed', 'delivered', 'read'], { description: 'As the messenger has told it' }),
      ),
      attempts: Type.Integer(),
      createdAt: Timestamp,
      dueAt: Type.Optional(Timestamp),
      settledAt: Type.Optional(Timestamp),
      error: Type.Optional(Type.String({ description: 'Of the last attempt' })),
    }),
    { description: 'The latest first' },
  ),
})
export type ChannelDeliveries = Static<typeof ChannelDeliveries>

const Template = ClosedObject(
  {
    name: Type.String({ minLength: 1, maxLength: 512, examples: ['order_arrived'] }),
    language: Type.String({ minLength: 2, maxLength: 15, examples: ['fr'] }),
    components: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        maxItems: 20,
        description: 'What its places are filled with, as the messenger takes it',
        examples: [[{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }]],
      }),
    ),
  },
  { description: 'A message that the messenger has approved' },
)
export type ChannelTemplate = Static<typeof Template>

const Consent = ClosedObject(
  {
    at: Timestamp,
    text: Type.String({ minLength: 1, maxLength: 2000, description: 'The words that were agreed to' }),
    source: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Where',
      examples: ['https://shop.example/checkout'],
    }),
  },
  { description: 'Proof that the person wants to be written to; kept with the contact' },
)

/** A conversation that the operator begins. */
export const InviteBody = ClosedObject(
  {
    contact: ClosedObject({
      user: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Who it is at the messenger: a phone number in digits, or an id of this business alone',
        examples: ['33612345678'],
      }),
      ...optional({
        name: Type.String({ maxLength: 200 }),
        locale: Locale,
      }),
    }),
    template: Template,
    key: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Names the invitation: one that is repeated within a day is not sent again',
      examples: ['order-4711'],
    }),
    consent: Consent,
    ...optional({
      flow: Type.String({ ...PublicId, description: 'Public id; that of the channel unless given' }),
      variables: Type.Record(Type.String(), VariableValue, {
        description: 'First values of variables of the flow, by their names',
      }),
    }),
  },
  { $id: 'InviteBody' },
)
export type InviteBody = Static<typeof InviteBody>

export const Invited = ClosedObject({
  sessionId: Type.String(),
  contactId: Type.String({ description: 'Of the contact that the person is' }),
})
export type Invited = Static<typeof Invited>
