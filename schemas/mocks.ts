import type { Static, TProperties } from '@sinclair/typebox'
import { ClosedObject, optional, StringEnum, Timestamp } from './common.ts'
import { Type } from './type.ts'

/** Rules of one kind, and characters of a text to look for. */
const mostRules = 100
const longestText = 2000

const Text = (description: string, examples: readonly string[] = []) =>
  Type.Optional(Type.String({ maxLength: longestText, description, examples: [...examples] }))

const Json = Type.Optional(
  Type.Unknown({
    description:
      'What the JSON of the body holds: objects may hold more, lists are as long, the text `{{any}}` fits any value',
  }),
)

const block = Text('The id of the block that asks')

const Fail = StringEnum(['timeout', 'refused', 'failed'], {
  description:
    'How it fails in place of an answer: in time, as an address that flows may not reach, otherwise',
})

const Reply = ClosedObject({
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: 'Default 200' })),
  json: Type.Optional(Type.Unknown({ description: 'The body as JSON. Default {}' })),
  text: Type.Optional(Type.String({ description: 'The body as it stands, in place of `json`' })),
})

const times = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How often the rule answers. Default always' }),
)

const after = Type.Optional(
  Type.String({
    pattern: '^[0-9]{1,6}(ms|s)$',
    description:
      'Time that the answer takes; a call with a shorter limit fails. A fixed clock advances by it instead of waiting',
    examples: ['200ms'],
  }),
)

const pass = Type.Optional(
  Type.Literal(true, { description: 'Asks the world itself, as far as the preview may' }),
)

const Tokens = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

const url = Text('The address; `*` stands for any characters', ['https://api.example/orders/*'])
const method = Text('In capitals or not', ['POST'])
const text = Text('A text that the body holds')

const rules = <Properties extends TProperties>(properties: Properties, description: string) =>
  Type.Optional(
    Type.Array(ClosedObject({ ...properties, after, pass, times }), { maxItems: mostRules, description }),
  )

const orders = { match: { method: 'POST', url: 'https://api.example/orders/*' } }

const http = rules(
  {
    match: Type.Optional(ClosedObject({ method, url, text, json: Json, block })),
    reply: Type.Optional(Reply),
    fail: Type.Optional(Fail),
  },
  'Requests of flows, and of code that fetches. The first rule that fits answers',
)

const vendors = rules(
  optional({
    match: ClosedObject({
      vendor: Text('The type of the account', ['google-sheets']),
      method,
      path: Text('What follows the address of the account; `*` stands for any characters'),
      json: Json,
      block,
    }),
    reply: Reply,
    fail: Fail,
    facts: Type.Record(Type.String(), Type.String(), {
      description: 'What the flow may know of the account',
    }),
  }),
  'Calls of vendors with an account',
)

const models = rules(
  optional({
    match: ClosedObject({
      model: Text('The name of the model'),
      text: Text('A text of the last message'),
      block,
    }),
    reply: Type.String({ description: 'What the model says' }),
    tool: ClosedObject({
      name: Type.String(),
      args: Type.Optional(Type.Unknown({ description: 'Default {}' })),
    }),
    tokens: ClosedObject(
      { input: Type.Optional(Tokens), output: Type.Optional(Tokens) },
      { description: 'What the question and the answer count as. Default 0' },
    ),
    fail: Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      description: 'The status that the server of the model answers, or why it fails',
    }),
  }),
  'Questions to language models',
)

const outcome = (description: string) =>
  Type.Optional(StringEnum(['accept', 'refuse'], { description: `${description}. Default accept` }))

/** Substitutes for calls to other systems (docs/debug.md, "Dry run and mocks"). */
export const Mocks = ClosedObject(
  {
    http,
    vendors,
    models,
    mail: outcome('Outcome of mails'),
    payments: outcome('Outcome of payments without a rule in `vendors`'),
    ...optional({
      unmatched: StringEnum(['answer', 'fail'], {
        description:
          'What a call that no rule fits gets: an empty answer, or a failure. Default answer, in a file of tests fail',
      }),
      clock: { ...Timestamp, description: 'A moment at which the clock stands' },
      random: Type.Array(Type.Number({ minimum: 0, exclusiveMaximum: 1 }), {
        maxItems: 1000,
        description: 'The numbers that chance gives, in order; later ones are made of `seed`',
      }),
      seed: Type.Integer({ description: 'Has chance give the same numbers each time' }),
      ids: StringEnum(['count'], { description: '`count` makes ids `value-1`, `value-2`, …' }),
    }),
  },
  {
    $id: 'Mocks',
    examples: [
      {
        http: [{ ...orders, reply: { status: 201, json: { state: 'shipped' } }, times: 1 }],
        models: [{ match: { text: 'open' }, reply: 'We are open until 5.' }],
        clock: '2026-11-21T09:00:00Z',
        random: [0.1, 0.9],
        ids: 'count',
      },
    ],
  },
)
export type Mocks = Static<typeof Mocks>
