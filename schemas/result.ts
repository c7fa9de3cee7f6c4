import type { Static } from '@sinclair/typebox'
import { ClosedObject, Id, optional, StringEnum, Timestamp, VariableValue } from './common.ts'
import { Log } from './log.ts'
import { Type } from './type.ts'

/** The path of everything about the results of a flow. */
export const ResultsParams = Type.Object({
  publicId: Type.String({
    description:
      'The public id of a published flow; else the id in the definition of a flow that has results',
    examples: ['lead-form'],
  }),
})

export const ResultParams = Type.Object({
  ...ResultsParams.properties,
  resultId: Type.String({ description: 'What a start returned', examples: ['uW2T9aJb1qTqGgqXUZm0v'] }),
})

/** Results in a page by default. */
export const defaultLimit = 50

/** Ids with commas between: an empty one is none. */
export const idsPattern = '^[^,]+(,[^,]+)*$'

/** A day or a time in a query. */
export const moment = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d))?$',
    description,
    examples: ['2026-11-21'],
  })

const yesOrNo = (description: string) => Type.Optional(StringEnum(['true', 'false'], { description }))

/** The latest conversations of results, by how far they have come (docs/analytics.md). */
const ofVisits = {
  ...optional({
    text: Type.String({
      minLength: 1,
      description: 'Results with this text in an answer or the value of a variable, in upper or lower case',
    }),
    visited: Type.String({
      pattern: idsPattern,
      maxLength: 4000,
      description: 'Ids of blocks with commas between: conversations that came through all of them',
      examples: ['b-name,b-mail'],
    }),
    leftAt: Type.String({
      minLength: 1,
      description:
        'The id of a block: conversations that ended there, or wait there for longer than the idle life of the flow; those of `left` in analytics',
    }),
    waitingAt: Type.String({
      minLength: 1,
      description: 'The id of a block: conversations that wait there, and may still go on',
    }),
    atFlow: Type.String({
      minLength: 1,
      description: 'The linked flow that has the block of `leftAt` or `waitingAt`',
    }),
    version: Type.String({
      minLength: 1,
      description: 'The `hash` of a version, or its number where the flow was published over HTTP (4.18)',
    }),
    locale: Type.String({ minLength: 1, description: 'Conversations that began in this language' }),
    channel: Type.String({
      minLength: 1,
      description: 'Conversations on this messenger',
      examples: ['telegram'],
    }),
  }),
  waiting: yesOrNo('Whether they wait, and may still go on'),
  started: yesOrNo('Whether anything was answered'),
  completed: yesOrNo('Whether they came to an end with an answer'),
  handedOver: yesOrNo('Whether a block gave them to a person'),
}

const ofResults = {
  ...ofVisits,
  from: Type.Optional(moment('Those begun then or later: a day in UTC, or a time with its zone')),
  until: Type.Optional(moment('Those begun before')),
  answer: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Results in which any input was answered with this text, in upper or lower case',
      examples: ['ada@shop.example'],
    }),
  ),
  answeredAt: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'The id of a block: only answers to it count for `answer`, which may then be one of several choices',
      examples: ['b-topic'],
    }),
  ),
}

/** Which page of results, and how it is written. */
export const ResultsQuery = ClosedObject({
  ...optional({
    limit: Type.Integer({
      minimum: 1,
      maximum: 500,
      description: `Results of a page. Default ${defaultLimit}; a page of large results holds fewer`,
    }),
    cursor: Type.String({
      description: 'Where the page begins: the `nextCursor` of the page before',
      examples: ['YmVmb3JlIDc'],
    }),
  }),
  ...ofResults,
  order: Type.Optional(
    StringEnum(['latest', 'earliest'], { description: 'Which come first. Default latest' }),
  ),
  format: Type.Optional(
    StringEnum(['json', 'csv'], {
      description: 'Default JSON. CSV is for spreadsheets, and lacks transcript and logs',
    }),
  ),
})
export type ResultsQuery = Static<typeof ResultsQuery>

/** What a file is written as. */
export const exportFormat = Type.Optional(
  StringEnum(['ndjson', 'csv', 'parquet'], {
    description:
      'NDJSON has an object a line, CSV is for spreadsheets, Parquet for data tools. Default NDJSON',
  }),
)

/** Which results a file has. */
export const ResultsExportQuery = ClosedObject({ ...ofResults, format: exportFormat })

/** Which results are erased. */
export const ErasureQuery = ClosedObject({
  ...ofResults,
  all: Type.Optional(StringEnum(['true'], { description: 'Needed to erase every result of the flow' })),
  count: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'How many somebody has confirmed: where more match now, none is erased',
    }),
  ),
})

/** Which results are counted. */
export const ResultsCountQuery = ClosedObject(ofResults)

const ResultVariable = ClosedObject({
  name: Type.String({ examples: ['Name'] }),
  value: VariableValue,
})

const ResultAnswer = ClosedObject({
  blockId: Id,
  content: Type.String({ examples: ['Ada'] }),
  attachedFileUrls: Type.Optional(Type.Array(Type.String())),
})

const TranscriptLine = ClosedObject({
  role: StringEnum(['assistant', 'user', 'person']),
  name: Type.Optional(Type.String({ description: 'Of the person' })),
  text: Type.String(),
  generatedBy: Type.Optional(
    Type.Literal('model', { description: 'Of the message, where a model has written or said it' }),
  ),
})

const ResultLog = ClosedObject({
  ...Log.properties,
  time: Timestamp,
  ...optional({
    requestId: Type.String({
      description: 'The `x-request-id` of the request that left it, as the log of the service names it',
    }),
    flowId: Type.String({
      description:
        'The id in the definition of the flow that left it, which may be a linked one; absent for logs of a client',
    }),
    groupId: Id,
    blockId: Id,
  }),
})

/** How far the latest conversation of a result has come. */
const ResultVisit = ClosedObject({
  version: Type.String({ description: 'The `hash` of the version that it runs' }),
  visited: Type.Array(Id, {
    description: 'Blocks of the flow itself that it came through, in the order of the flow',
  }),
  ...optional({
    blockId: Type.String({ description: 'The block where it waits, or has ended', examples: ['b2'] }),
    flowId: Type.String({ description: 'Of the linked flow that has the block' }),
    waitingSince: { ...Timestamp, description: 'Absent where it has ended' },
    channel: Type.String({ description: 'The messenger that it is held on', examples: ['telegram'] }),
  }),
  handedOver: Type.Boolean({ description: 'Whether a block gave it to a person' }),
})

/** The record of one visitor's run, as its operator reads it. */
export const ResultBody = ClosedObject(
  {
    id: Type.String({ description: 'A secret, as it lets its visitor go on with the run' }),
    flowId: Type.String({ description: 'The id in the definition of the flow, which is not its public id' }),
    conversation: Type.String({
      description: 'A hash of the id of its latest session, by which the log of the service names it too',
    }),
    sessionId: Type.Optional(
      Type.String({
        description:
          'The id of that session, a secret: of a single result, for tokens that may lead it (4.26)',
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    variables: Type.Array(ResultVariable, {
      description: 'Those that hold something, in the order of their declaration, without session variables',
    }),
    answers: Type.Array(ResultAnswer, {
      description: 'In the order they were given; a block that was answered twice is there twice',
    }),
    transcript: Type.Array(TranscriptLine, {
      description: 'What was shown and said, the latest 1,000 lines',
    }),
    logs: Type.Array(ResultLog, {
      description: 'What flow and client reported, the latest 1,000; long details are cut',
    }),
    hasStarted: Type.Boolean({ description: 'Whether anything was answered' }),
    isCompleted: Type.Boolean({ description: 'Whether a run came to its end with an answer' }),
    locale: Type.Optional(
      Type.String({
        description:
          'The language that the conversation was held in last; present where the flow has several, or the client named one',
        examples: ['fr'],
      }),
    ),
    visit: Type.Optional(ResultVisit),
    isImported: Type.Optional(
      Type.Literal(true, {
        description:
          'Where it comes from elsewhere (4.6): without a transcript, and without an end that is known',
      }),
    ),
  },
  {
    $id: 'ResultBody',
    description: "The record of one visitor's run of a flow.",
    examples: [
      {
        id: 'uW2T9aJb1qTqGgqXUZm0v',
        flowId: 'flow-1',
        conversation: 'i6ykSVn53bcla4VTYSGxh5',
        createdAt: '2026-11-21T09:17:01.712Z',
        updatedAt: '2026-11-21T09:17:44.020Z',
        variables: [{ name: 'Name', value: 'Ada' }],
        answers: [{ blockId: 'b2', content: 'Ada' }],
        transcript: [
          { role: 'assistant', text: 'Who are you?' },
          { role: 'user', text: 'Ada' },
        ],
        logs: [],
        hasStarted: true,
        isCompleted: true,
      },
    ],
  },
)
export type ResultBody = Static<typeof ResultBody>

/** A page of results, the latest created first. */
export const ResultPageBody = ClosedObject({
  results: Type.Array(ResultBody),
  nextCursor: Type.Optional(Type.String({ description: 'Where the next page begins; absent on the last' })),
})
export type ResultPageBody = Static<typeof ResultPageBody>

export const DeletedResults = ClosedObject({
  deleted: Type.Integer({ minimum: 0, description: 'How many were erased' }),
})

export const ResultCount = ClosedObject({
  count: Type.Integer({ minimum: 0, description: 'How many results match now' }),
})
