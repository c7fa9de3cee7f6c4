import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional, StringEnum, Timestamp } from './common.ts'
import { Type } from './type.ts'

const place = Type.Optional(
  Type.String({
    description: 'Place in the file of a flow in YAML, as `file:line:column`',
    examples: ['table.flow.yaml:12:7'],
  }),
)

const FlowProblem = ClosedObject({
  pointer: Type.String({ description: 'JSON pointer into the definition; empty for the whole' }),
  message: Type.String(),
  place,
})

/** A finding about a published flow, for its author. */
export const FindingSummary = ClosedObject({
  severity: StringEnum(['error', 'warning']),
  code: Type.String({ examples: ['missing-group'] }),
  pointer: Type.String({ description: 'JSON pointer into the definition' }),
  blockId: Type.Optional(Type.String()),
  hint: Type.String({ description: 'What is wrong and how to mend it' }),
  place,
})

export type FindingSummary = Static<typeof FindingSummary>

/** State of one flow, as its operator reads it. */
export const FlowState = ClosedObject(
  {
    ...optional({
      file: Type.String({
        description: 'Absent for a flow that was published over HTTP',
        examples: ['welcome.json'],
      }),
      version: Type.Integer({ description: 'Of a flow that was published over HTTP', examples: [3] }),
    }),
    state: StringEnum(['published', 'stale', 'broken', 'shadowed'], {
      description:
        'Published; `stale`: the file is broken, and its last good version stays published; `broken`: so is the file, and there is no good version; `shadowed`: a file, or a file before it, has the same public id',
    }),
    publicId: Type.Optional(Type.String({ description: 'Absent for a broken file' })),
    name: Type.Optional(Type.String({ description: 'The title of the flow; absent for one without' })),
    flowId: Type.Optional(Type.String({ description: 'The id in the definition' })),
    publishedAt: Type.Optional(Timestamp),
    isClosed: Type.Optional(Type.Boolean()),
    isArchived: Type.Optional(Type.Boolean()),
    problems: Type.Array(FlowProblem, { description: 'Why the file as it is now can not be published' }),
    findings: Type.Array(FindingSummary, {
      description: 'What the author of the version that is published should know, the first 100',
    }),
  },
  { $id: 'FlowState' },
)
export type FlowState = Static<typeof FlowState>

/** Every flow file, in the order of the names; then what was published over HTTP, in the order of the public ids. */
export const FlowStates = ClosedObject({ flows: Type.Array(FlowState) })
