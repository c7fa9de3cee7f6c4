import type { Static } from '@sinclair/typebox'
import { ClosedObject, Id, PartialObject, StringEnum, Timestamp, VariableValue } from './common.ts'
import { Type } from './type.ts'

/** Kinds of effects that a turn requests. */
export const EffectType = StringEnum([
  'now',
  'random',
  'id',
  'link',
  'evaluate',
  'request',
  'mail',
  'complete',
  'callVendor',
  'signToken',
])

/** All the reasons why a walk leaves a block as it does. */
export const reasons = [
  'start edge',
  'chosen place',
  'event',
  'own edge',
  'item edge',
  'next in group',
  'jump',
  'return',
  'link',
  'link ended',
  'link not followed',
  'item without edge',
  'missing edge',
  'missing group',
  'empty group',
  'refused',
  'waits',
  'end',
  'limit',
] as const

/** One piece of the way from a block to the next: an edge that leads to an empty group has another one behind it. */
export const TraceHop = ClosedObject({
  why: StringEnum(reasons, { description: 'Why the walk went there' }),
  edgeId: Type.Optional(Id),
  eventId: Type.Optional(Id),
  groupId: Type.Optional(Type.String({ description: 'The group that was looked for' })),
  flowId: Type.Optional(Type.String({ description: 'The flow that a link led into, or back to' })),
})
export type TraceHop = Static<typeof TraceHop>

const waysToCompare = [
  'texts',
  'lists',
  'parts',
  'elements',
  'numbers',
  'dates',
  'lengths',
  'different sizes',
  'patterns',
  'presence',
] as const

/** One comparison of a condition. */
export const TraceComparison = ClosedObject({
  pointer: Type.String({
    description: 'Where it stands inside the block',
    examples: ['/items/0/content/comparisons/0'],
  }),
  variableId: Id,
  variable: Type.Optional(Type.String({ description: 'The name of the variable' })),
  operator: Type.String({ examples: ['Greater than'] }),
  left: VariableValue,
  right: VariableValue,
  by: StringEnum(waysToCompare, { description: 'What of the two was compared' }),
  sizes: Type.Optional(
    Type.Array(Type.Unsafe<number | null>({ type: ['number', 'null'] }), {
      description:
        'What was compared of left and right where it is their size: a number, milliseconds, a length',
    }),
  ),
  holds: Type.Boolean(),
})
export type TraceComparison = Static<typeof TraceComparison>

const TraceWrite = ClosedObject({
  variableId: Type.Optional(Id),
  variable: Type.String({ description: 'The name of the variable' }),
  before: VariableValue,
  after: VariableValue,
})

/** A call to something outside the turn, with its answer. */
export const TraceCall = ClosedObject({
  type: EffectType,
  request: Type.Optional(Type.Unknown({ description: 'What was asked, secrets masked and long texts cut' })),
  answer: Type.Optional(Type.Unknown({ description: 'What came of it, secrets masked and long texts cut' })),
  ms: Type.Number({ description: 'Milliseconds until the answer' }),
  isMocked: Type.Optional(Type.Boolean({ description: 'Whether nothing was sent: mocks answered' })),
})
export type TraceCall = Static<typeof TraceCall>

/** One block, from when it was entered until the next one was. */
export const TraceStep = ClosedObject({
  block: ClosedObject({
    flowId: Id,
    groupId: Id,
    blockId: Id,
    blockType: Type.String(),
    pointer: Type.String({
      description: 'JSON pointer into the definition',
      examples: ['/groups/0/blocks/2'],
    }),
  }),
  did: StringEnum(['ran', 'took a reply'], { description: 'What the block was entered for' }),
  reply: Type.Optional(
    ClosedObject({
      outcome: StringEnum(['accepted', 'skipped', 'refused']),
      content: Type.Optional(Type.String({ description: 'The answer in its normal form' })),
      rule: Type.Optional(
        Type.String({
          description: 'Which rule a refused answer broke',
          examples: ['it is above the maximum, 10'],
        }),
      ),
    }),
  ),
  comparisons: Type.Optional(Type.Array(TraceComparison)),
  calls: Type.Optional(Type.Array(TraceCall)),
  message: Type.Optional(Type.Unknown({ description: 'What it showed' })),
  input: Type.Optional(Type.Unknown({ description: 'What it asked for' })),
  actions: Type.Optional(Type.Array(Type.Unknown(), { description: 'What the client is to do' })),
  logs: Type.Optional(Type.Array(Type.String(), { description: 'The descriptions of its logs' })),
  wrote: Type.Optional(Type.Array(TraceWrite)),
  went: Type.Array(TraceHop, { description: 'How the walk went on, up to the next step' }),
  ms: Type.Number({ description: 'Milliseconds until the next block was entered' }),
})
export type TraceStep = Static<typeof TraceStep>

/** Steps of one turn, block by block (docs/debug.md). */
export const TurnTrace = ClosedObject(
  {
    turn: Type.Integer({ minimum: 1, description: 'Counted from the start of the session' }),
    entry: StringEnum(['start', 'continue', 'timer', 'operator']),
    flow: ClosedObject({ id: Id, hash: Type.String({ description: 'Names the definition that ran' }) }),
    startedAt: Timestamp,
    engineMs: Type.Number({ description: 'Milliseconds of the turn itself, waiting left out' }),
    wallMs: Type.Number({ description: 'Milliseconds in all' }),
    came: Type.Array(TraceHop, { description: 'How the walk came to the first step' }),
    steps: Type.Array(TraceStep),
    isCut: Type.Optional(Type.Boolean({ description: 'Whether the end of the turn is left out' })),
  },
  { $id: 'TurnTrace' },
)
export type TurnTrace = Static<typeof TurnTrace>

export const TraceQuery = Type.Object({
  after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only turns behind this one' })),
})

/** The headers of a look at the trace. Names are in lower case. */
export const TraceHeaders = PartialObject({
  'last-event-id': Type.String({
    pattern: '^[0-9]{1,15}$',
    description:
      'The number of the last turn that the client knows, which browsers send when they connect again',
    examples: ['3'],
  }),
})

/** The turns of a session that are kept. */
export const TraceResponse = ClosedObject(
  {
    turns: Type.Array(TurnTrace, {
      description: 'Oldest first; the first ones of a long session are left out',
    }),
  },
  { $id: 'TraceResponse', examples: [{ turns: [] }] },
)

/** The text of the turns as a stream of events. */
export const TraceEvents = Type.String({
  description: 'Events `turn`: `id` is the number of the turn, `data` its trace as JSON',
  examples: ['id: 3\nevent: turn\ndata: {"turn":3}\n\n'],
})
