import type { Static } from '@sinclair/typebox'
import { ClosedObject, Id, optional, StringEnum, Timestamp } from './common.ts'
import { exportFormat, idsPattern, moment } from './result.ts'
import { Type } from './type.ts'

const ofCounts = {
  from: moment(
    'From the hour of this time on: a day in UTC, or a time with its zone. Default: the first count',
  ),
  until: moment('Before the hour of this time. Default: now'),
  version: Type.String({
    minLength: 1,
    description: 'The `hash` of a version (4.18, or `versions` of the answer), or its number. Default: all',
  }),
}

/** Which counts, and how they are set against each other. */
export const AnalyticsQuery = ClosedObject(
  optional({
    ...ofCounts,
    by: Type.String({
      pattern: '^(version|locale|channel|utm_(source|medium|campaign|term|content)|ab:.+)$',
      maxLength: 500,
      description:
        '`version`, `locale`, `channel`, the name of a UTM variable, or `ab:` and the id of an AB test: compares the conversations that differ in it',
      examples: ['utm_source'],
    }),
    funnel: Type.String({
      pattern: idsPattern,
      maxLength: 4000,
      description:
        'Ids of blocks with commas between: how many conversations have come through the first of them, through the first two, and so on, whatever their order was',
      examples: ['b-name,b-mail'],
    }),
  }),
)
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

/** Which counts a file has. */
export const CountsExportQuery = ClosedObject({ ...optional(ofCounts), format: exportFormat })

const count = (description: string) => Type.Integer({ minimum: 0, description })

const Seconds = Type.Number({ description: 'At most 1.41 times too long: times are counted in buckets' })

/** Place in a flow. */
const place = { blockId: Id, flowId: Type.Optional(Type.String({ description: 'Of a linked flow' })) }

const BlockCounts = ClosedObject({
  ...place,
  shown: count('How often it ran'),
  asked: count('How often a conversation came to wait at it'),
  answered: count('Replies that it took'),
  refused: count('Replies after which it asked again'),
  waiting: count('Conversations that wait at it, and may still go on'),
  left: count('Conversations that ended or expired here, or wait for longer than the idle life of the flow'),
  ended: count('Of them those that ended'),
  expired: count('Of them those whose idle life ended by its timer'),
  handedOver: count('How often it gave a conversation to a person'),
  errors: count('Error logs that it left'),
  medianSeconds: Type.Optional(Seconds),
})

const Share = ClosedObject({
  count: count('Conversations'),
  share: Type.Number({ description: 'Of all of them, from 0 to 1' }),
  low: Type.Number({ description: 'Lower end of the 95 % interval by Wilson' }),
  high: Type.Number({ description: 'Its upper end' }),
  difference: StringEnum(['higher', 'lower', 'none shown'], {
    description:
      'Against all others together: shown where the 95 % interval of the difference by Newcombe leaves zero out, widened for as many comparisons as there are',
  }),
})

const Cohort = ClosedObject({
  value: Type.Optional(Type.String({ description: 'Absent for conversations without one' })),
  conversations: count('Conversations'),
  started: Share,
  completed: Share,
})
export type Cohort = Static<typeof Cohort>

/** Counts of a flow (docs/analytics.md). */
export const Analytics = ClosedObject({
  flowId: Type.String(),
  ...optional({ from: Timestamp }),
  until: Timestamp,
  ...optional({
    countedUntil: {
      ...Timestamp,
      description:
        'Turns before this hour are counted, and later ones not all: many came at once. Absent where all are',
    },
  }),
  conversations: count('Conversations that began'),
  started: count('Of them those with an answer'),
  completed: count('Of them those that came to an end with an answer'),
  handedOver: count('Of them those that a block gave to a person'),
  medianSeconds: Type.Optional(Seconds),
  versions: Type.Array(
    ClosedObject({ hash: Type.String(), conversations: count('Conversations that began') }),
  ),
  blocks: Type.Array(BlockCounts, { description: 'In the order of the flow, as far as it is known' }),
  edges: Type.Array(ClosedObject({ edgeId: Id, flowId: place.flowId, count: count('How often') })),
  items: Type.Array(ClosedObject({ ...place, itemId: Id, count: count('How often it was taken') })),
  funnel: Type.Optional(Type.Array(ClosedObject({ blockId: Id, conversations: count('Up to here') }))),
  cohorts: Type.Optional(
    Type.Array(Cohort, { description: 'The largest first; those behind the fiftieth together, as `other`' }),
  ),
})
export type Analytics = Static<typeof Analytics>
