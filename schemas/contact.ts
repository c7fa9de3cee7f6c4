import type { Static, TProperties } from '@sinclair/typebox'
import { ClosedObject, Id, Locale, optional, PartialObject, Timestamp, VariableValue } from './common.ts'
import { Type } from './type.ts'

const ContactId = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Id of the person in your own system',
  examples: ['user-4711'],
})

const profile = {
  id: ContactId,
  ...optional({
    name: Type.String({ maxLength: 200, examples: ['Ada Lovelace'] }),
    email: Type.String({ maxLength: 320, examples: ['ada@shop.example'] }),
    phone: Type.String({ maxLength: 40, examples: ['+33612345678'] }),
    locale: Locale,
    timeZone: Type.String({
      maxLength: 64,
      description: 'A time zone of the IANA list',
      examples: ['Europe/Paris'],
    }),
    attributes: Type.Unsafe<Readonly<Record<string, string | number | boolean | null>>>({
      type: 'object',
      maxProperties: 32,
      propertyNames: { maxLength: 64 },
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 500 },
      description:
        'First values of the variables of these names: before `prefilledVariables` where the contact is vouched for, else behind them',
      examples: [{ Plan: 'pro' }],
    }),
  }),
} satisfies TProperties

/** A person, as a start names one (docs/contacts.md). */
export const Contact = Type.Object(profile, {
  $id: 'Contact',
  description: 'Person whom the conversation is held with',
})
export type Contact = Static<typeof Contact>

/** Fields of a public start that only a contact needs. */
export const contactFields = optional({
  contactToken: Type.String({
    maxLength: 16_384,
    description:
      'The contact, signed: a JWT with the fields of `contact` and `exp`, by HS256 with `CONTACT_SECRET` (docs/contacts.md). In place of `contact`',
  }),
  resume: Type.Boolean({
    description:
      'Whether an open conversation of the contact with this flow is given back instead of a new one: for contacts that are vouched for. Default false',
  }),
}) satisfies TProperties

/** Whose word the contact of a conversation is. */
export const ContactMark = ClosedObject(
  {
    id: Id,
    isVerified: Type.Boolean({
      description: 'Whether the operator vouches for the contact, by a token or a signature',
    }),
  },
  { description: 'Present where the start named a contact' },
)

const ContactConversation = ClosedObject({
  sessionId: Id,
  flowId: Id,
  resultId: Type.Optional(Id),
  startedAt: Timestamp,
  isVerified: Type.Boolean({
    description: 'Whether the contact was vouched for; else it is a word of a browser',
  }),
})

/** The path of everything about a contact. */
export const ContactParams = Type.Object({ contactId: ContactId })

export const ContactQuery = PartialObject({
  limit: Type.Integer({ minimum: 1, maximum: 200, description: 'Conversations of a page. Default 50' }),
  cursor: Type.String({ maxLength: 20, description: 'The `nextCursor` of the page before' }),
})

/** Response about a contact (docs/contacts.md). */
export const ContactResponse = ClosedObject(
  {
    id: ContactId,
    profile: Type.Optional(
      closedContact('As the latest start has named it. Missing where none that is vouched for has'),
    ),
    memory: Type.Record(Type.String(), VariableValue, {
      description: 'Variables of the scope `contact`, by name',
    }),
    memoryRevision: Type.Integer({ description: 'Grows with each turn that changes the memory' }),
    firstSeenAt: Type.Optional(Timestamp),
    lastSeenAt: Type.Optional(Timestamp),
    conversations: Type.Array(ContactConversation, { description: 'The latest first' }),
    nextCursor: Type.Optional(Type.String({ description: 'Missing on the last page' })),
  },
  { $id: 'ContactResponse' },
)
export type ContactResponse = Static<typeof ContactResponse>

/** All about a contact, as one file. */
export const ContactExport = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'The contact as `GET` has it, with all conversations: each with its `result`, and its `session` while that lives',
  },
)

function closedContact(description: string) {
  return Type.Object(profile, { additionalProperties: false, description })
}
