import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional } from './common.ts'
import type { FlowTestFile } from './flow-test.ts'
import { Type } from './type.ts'

/** A recording that is run again (docs/api.md 4.23). */
export const ReplayBody = Type.Object({
  recording: Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    description: 'What the recording of a session is returned as (docs/api.md 4.21)',
  }),
  ...optional({
    flow: Type.Unsafe<unknown>({
      allOf: [Type.Ref('FlowDefinition')],
      description: 'A definition that takes the place of the one that was recorded',
    }),
    asTest: Type.Boolean({
      description: 'Makes tests of the recording: what was said and seen, with answers as mocks',
    }),
  }),
})
export type ReplayBody = Static<typeof ReplayBody>

const ReplayDivergence = ClosedObject(
  {
    turn: Type.Integer({ minimum: 1, description: 'Counted from 1' }),
    blockId: Type.Optional(
      Type.String({ description: 'The block that does otherwise; absent where none had run' }),
    ),
    description: Type.String({ description: 'One sentence: where, what it did, and what it does now' }),
  },
  { description: 'Absent where every turn is the same, byte by byte' },
)

/** Outcome of the replay of a recording (docs/api.md 4.23). */
export const ReplayResponse = ClosedObject(
  {
    turns: Type.Integer({ minimum: 1, description: 'Those of the recording' }),
    ...optional({
      replayed: Type.Integer({
        minimum: 0,
        description: 'Those that were run again, the one included that diverges; absent with `asTest`',
      }),
      isCut: Type.Boolean({ description: 'Whether the time was over before the last of them' }),
      divergence: ReplayDivergence,
      masked: Type.Array(Type.String(), {
        description:
          'Variables whose values the recording masks: the turns from the first on that holds one were not run again',
      }),
      tests: Type.Unsafe<FlowTestFile>({
        type: 'object',
        additionalProperties: true,
        description: 'A file of tests that `POST /v1/flows/test` takes as `tests`',
      }),
      untestable: Type.String({ description: 'Why no test can stand for the recording' }),
    }),
  },
  { $id: 'ReplayResponse' },
)
export type ReplayResponse = Static<typeof ReplayResponse>
