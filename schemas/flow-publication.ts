import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional, PartialObject, StringEnum, Timestamp } from './common.ts'
import { FindingSummary } from './flow-state.ts'
import { Type } from './type.ts'

const publicId = Type.String({ description: 'What visitors start the flow by', examples: ['lead-form'] })

/** The path of everything about one published flow. */
export const PublishedFlowParams = Type.Object({ publicId })

export const PublishFlowQuery = PartialObject({
  force: StringEnum(['true', 'false'], {
    description: 'Publish a flow whose check finds errors. What is no definition is refused all the same',
  }),
})

/** Which version is meant by an operator who changes a flow. */
export const FlowVersionHeaders = PartialObject({
  'if-match': Type.String({
    description:
      'The `etag` of what the change is made from: with 412 nothing is changed where another version is served now. `*` for any',
    examples: ['"3"'],
  }),
})

/** Headers of an operator's change, where the flow may not exist yet. */
export const PublishFlowHeaders = Type.Object({
  ...FlowVersionHeaders.properties,
  'if-none-match': Type.Optional(
    StringEnum(['*'], { description: 'Publish only where no flow has the public id, else 412' }),
  ),
})

const version = Type.Integer({ description: 'From 1 on; no number is used twice', examples: [3] })

const publishedBy = Type.String({
  description: 'The name of the token that it was published with',
  examples: ['admin'],
})

const flowFacts = {
  publicId,
  publishedAt: Timestamp,
  isClosed: Type.Boolean(),
  isArchived: Type.Boolean(),
}

/** Outcome of a change of a published flow. */
export const FlowPublication = ClosedObject(
  {
    ...flowFacts,
    version,
    publishedBy,
    isChanged: Type.Boolean({ description: 'False when it was so already' }),
    findings: Type.Optional(
      Type.Array(FindingSummary, {
        description: 'What its author should know, the first 100; where a definition was published',
      }),
    ),
  },
  { $id: 'FlowPublication' },
)
export type FlowPublication = Static<typeof FlowPublication>

/** A published flow with its definition. */
export const PublishedFlowBody = ClosedObject(
  {
    ...flowFacts,
    version: Type.Optional(version),
    publishedBy: Type.Optional(publishedBy),
    definition: Type.Unsafe<unknown>(Type.Ref('FlowDefinition')),
  },
  { $id: 'PublishedFlow', description: 'Of a flow file without `version` and `publishedBy`' },
)
export type PublishedFlowBody = Static<typeof PublishedFlowBody>

/** The versions of a published flow. */
export const FlowVersions = ClosedObject({
  versions: Type.Array(ClosedObject({ version, publishedAt: Timestamp, publishedBy, hash: Type.String() }), {
    description: 'The latest first; of a flow file none',
  }),
})
export type FlowVersions = Static<typeof FlowVersions>

/** Which version a flow goes back to. */
export const RollbackFlowBody = Type.Object({ version }, { examples: [{ version: 2 }] })

/** Settings of a published flow that change without a new version. */
export const ChangeFlowBody = Type.Object(
  {
    isClosed: Type.Optional(Type.Boolean({ description: 'Starts are refused with the words of the flow' })),
    isArchived: Type.Optional(Type.Boolean({ description: 'The flow counts as gone' })),
  },
  { minProperties: 1, examples: [{ isClosed: true }] },
)

/** Which rows of the audit. */
export const AuditQuery = ClosedObject(
  optional({
    limit: Type.Integer({ minimum: 1, maximum: 500, description: 'Rows of a page; 50 unless given' }),
    before: Type.Integer({ minimum: 1, description: 'The `number` of the last row of the page before' }),
  }),
)

/** Log of changes and erasures, with their authors and times. */
export const Audit = ClosedObject({
  rows: Type.Array(
    ClosedObject({
      number: Type.Integer(),
      at: Timestamp,
      actor: Type.String({ description: 'The name of the token' }),
      action: StringEnum(
        [
          'publish',
          'rollback',
          'set',
          'delete',
          'erase',
          'export',
          'import',
          'put webhook',
          'delete webhook',
          'put channel',
          'invite',
          'delete channel',
          'pause',
          'open',
          'close',
          'say',
        ],
        {
          description:
            '`erase`, `import`: of results; `export`: of results or counts; those of webhooks and channels; from `pause` on: in one conversation; the others: of the flow',
        },
      ),
      subject: Type.String({
        description:
          'The public id of the flow, or what it was called by; the name of the webhook or channel',
      }),
      detail: Type.String({ examples: ['version 3 to 2'] }),
    }),
    { description: 'The latest first' },
  ),
})
export type Audit = Static<typeof Audit>
