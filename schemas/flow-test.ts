import type { Static, TProperties } from '@sinclair/typebox'
import { ClosedObject, languageTag, optional, StringEnum, VariableValue } from './common.ts'
import { Contact } from './contact.ts'
import { Mocks } from './mocks.ts'
import { Type } from './type.ts'

const longestText = 10_000

const TestContact = ClosedObject(
  {
    ...Contact.properties,
    memory: Type.Optional(
      Type.Record(Type.String(), VariableValue, {
        description: 'Values of variables of the scope `contact`, as earlier conversations have left them',
      }),
    ),
  },
  { description: 'Person whom the conversation is held with, vouched for (docs/contacts.md)' },
)

const Locale = Type.String({
  pattern: languageTag,
  maxLength: 35,
  description: 'The language that the visitor asks for, as a start takes it',
  examples: ['fr'],
})

const Pattern = Type.String({
  maxLength: longestText,
  description: 'A text, in which `…` stands for any characters, or a `/pattern/`',
})

const SeenMessage = Type.Unsafe<string | Readonly<Record<string, string>>>({
  type: ['string', 'object'],
  maxLength: longestText,
  additionalProperties: { type: 'string' },
  maxProperties: 1,
  description: 'A text message, or an address by the type of its message: `{embed: …}`',
})

const Words = (description: string) =>
  Type.Unsafe<string | number | readonly (string | number)[]>({
    type: ['string', 'number', 'array'],
    items: { type: ['string', 'number'] },
    description,
  })

const Answer = Type.Unsafe<string | number | null | SaidObject>({
  type: ['string', 'number', 'null', 'object'],
  maxLength: longestText,
  properties: {
    text: { type: 'string', maxLength: longestText },
    item: { type: 'string' },
    files: { type: 'array', items: { type: 'string' } },
    command: { type: 'string' },
  },
  additionalProperties: false,
  description:
    'What the visitor says: a text, `{text, item, files}`, `{command}`, or null to go on without a word',
})

/** A visitor's message with more than a text. */
export interface SaidObject {
  readonly text?: string
  /** The id of an item. */
  readonly item?: string
  readonly files?: readonly string[]
  readonly command?: string
}

const CalledStep = ClosedObject({
  method: Type.Optional(Pattern),
  url: Type.Optional(Pattern),
  vendor: Type.Optional(Pattern),
  model: Type.Optional(Pattern),
  text: Type.Optional(Pattern),
  json: Type.Optional(Type.Unknown({ description: 'What the JSON of the body holds' })),
})

const MailedStep = ClosedObject({
  to: Type.Optional(Pattern),
  subject: Type.Optional(Pattern),
  text: Type.Optional(Pattern),
})

export type TestContact = Static<typeof TestContact>

/** One step of a test: exactly one of them. */
const FlowTestStep = ClosedObject(
  optional({
    sees: Type.Unsafe<string | readonly (string | Readonly<Record<string, string>>)[]>({
      type: ['string', 'array'],
      items: SeenMessage,
      maxItems: 500,
      description: 'All messages of the turn',
    }),
    asks: Type.Unsafe<string | { readonly type?: string; readonly items?: readonly string[] }>({
      type: ['string', 'object'],
      properties: { type: { type: 'string' }, items: { type: 'array', items: { type: 'string' } } },
      additionalProperties: false,
      description:
        'The type of the input that waits, and its items; `nothing` when the conversation is over, `time` when it goes on by itself, `person` while a person leads it',
    }),
    says: Answer,
    operator: ClosedObject(
      optional({
        status: StringEnum(['paused', 'open', 'closed'], { description: 'What the conversation becomes' }),
        groupId: Type.String({ description: '`open`: the group where the flow goes on' }),
        says: Type.String({
          maxLength: longestText,
          description: 'In place of a status: what a person writes',
        }),
        name: Type.String({ description: 'Of that person' }),
      }),
      {
        description: 'Does what an operator does: pauses the conversation, gives it back, ends it, or writes',
        examples: [{ status: 'open' }, { says: 'Hi, how can I help?', name: 'Ada' }],
      },
    ),
    refused: Type.Unsafe<boolean | string>({
      type: ['boolean', 'string'],
      description: 'Whether the last answer was refused, or with which message',
    }),
    called: CalledStep,
    mailed: MailedStep,
    vars: Type.Record(Type.String(), Type.Unknown(), { description: 'Values of variables, by name' }),
    went: Words('Groups (ids or titles), edges and items, in the order in which they came'),
    progress: Type.Number(),
    logs: Words('Logs of the turn, among others'),
    after: Type.String({
      pattern: '^[0-9]+(ms|s|m|h|d)$',
      description: 'Lets time pass on a fixed clock, with what the flow does by itself meanwhile',
      examples: ['2h'],
    }),
    advance: Type.String({
      pattern: '^[0-9]+(ms|s|m|h|d)$',
      description: 'Moves a fixed clock',
      examples: ['2h'],
    }),
  }),
  { $id: 'FlowTestStep', minProperties: 1, maxProperties: 1 },
)
export type FlowTestStep = Static<typeof FlowTestStep>

export type OperatorStep = NonNullable<FlowTestStep['operator']>

const none = (description: string) => Type.Optional(StringEnum(['none', 'any'], { description }))

const FlowTest = ClosedObject(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
    vars: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    random: Mocks.properties.random,
    locale: Type.Optional(Locale),
    contact: Type.Optional(TestContact),
    ...optional({
      steps: Type.Array(FlowTestStep, { minItems: 1, maxItems: 1000 }),
      golden: Type.String({ description: 'A transcript beside the file, of what `says` leads to' }),
      says: Type.Array(Answer, { maxItems: 1000 }),
      explore: ClosedObject({
        depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Answers. Default 20' })),
        says: Type.Optional(
          Type.Record(Type.String(), Type.Array(Answer, { minItems: 1, maxItems: 20 }), {
            description: 'Answers to try, by the type of an input or the id of its block',
          }),
        ),
        vars: Type.Optional(
          Type.Record(Type.String(), Type.Array(Type.Unknown(), { minItems: 1, maxItems: 20 }), {
            description:
              'First values of variables to begin with, each with each: conditions that look at them go both ways',
          }),
        ),
      }),
      expect: ClosedObject({
        errors: none('Error logs. Default none'),
        unfinished: none('Ways that are longer than `depth`. Default any'),
        deadEnds: none('Ways that end with an answer, after which nothing is shown. Default any'),
        unreached: none('Groups without a path to them. Default any'),
      }),
    }),
  },
  { $id: 'FlowTest' },
)
export type FlowTest = Static<typeof FlowTest>

const fileFields = {
  vars: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'First values of variables, by name' }),
  ),
  locale: Type.Optional(Locale),
  contact: Type.Optional(TestContact),
  tests: Type.Array(FlowTest, { minItems: 1, maxItems: 500 }),
} satisfies TProperties

/** Content of a file of tests (docs/testing-flows.md). */
export const FlowTestFile = ClosedObject(
  {
    $schema: Type.Optional(Type.String({ description: 'Where editors find what may stand here' })),
    flow: Type.Optional(Type.String({ description: 'The file of the flow, from the file of the tests' })),
    ...(Mocks.properties as typeof Mocks.properties),
    ...fileFields,
  },
  { $id: 'FlowTestFile' },
)
export type FlowTestFile = Static<typeof FlowTestFile>
