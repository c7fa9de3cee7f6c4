import type { Static } from '@sinclair/typebox'
import { ClosedObject, Id, StringEnum } from './common.ts'
import type { FlowTestFile } from './flow-test.ts'
import { sampleFlow } from './samples.ts'
import { reasons } from './trace.ts'
import { Type } from './type.ts'

const sampleTests = {
  tests: [{ name: 'greets', steps: [{ sees: 'What is your name?' }, { asks: 'text input' }] }],
}

/** A flow, and conversations that are to be held with it (docs/api.md 4.22). */
export const TestFlowBody = Type.Object(
  {
    flow: Type.Unsafe<unknown>(Type.Ref('FlowDefinition')),
    tests: Type.Unsafe<string | Partial<FlowTestFile>>({
      type: ['string', 'object'],
      maxLength: 131_072,
      description:
        'What a file of tests holds, as an object or as a text of YAML: then what fails has its line in it. `flow` in it counts for nothing',
    }),
    only: Type.Optional(Type.String({ description: 'Runs the tests with this tag' })),
    loose: Type.Optional(Type.Boolean({ description: 'Messages may be shown that a test does not name' })),
    bail: Type.Optional(Type.Boolean({ description: 'Stops at the first test that fails' })),
  },
  {
    examples: [
      { flow: sampleFlow, tests: sampleTests },
      { flow: sampleFlow, tests: 'tests:\n  - name: every way\n    explore: { depth: 5 }\n', bail: true },
    ],
  },
)
export type TestFlowBody = Static<typeof TestFlowBody>

const pointer = Type.String({
  description: 'JSON pointer into the tests',
  examples: ['/tests/0/steps/2/sees'],
})

const place = Type.Optional(
  Type.String({ description: 'Line and column in the text of the tests', examples: ['12:9'] }),
)

const count = Type.Integer({ minimum: 0 })
const covered = ClosedObject({ total: count, hit: count })

const WayPoint = ClosedObject({
  pointer: Type.String({
    description: 'JSON pointer into the flow: the block, or its item by which it was left',
    examples: ['/groups/0/blocks/1', '/groups/1/blocks/0/items/2'],
  }),
  place: Type.Optional(
    Type.String({ description: 'Line and column in the file of the flow', examples: ['20:7'] }),
  ),
  blockId: Id,
  blockType: Type.String(),
  went: Type.Array(StringEnum(reasons), { description: 'Why the walk went on as it did' }),
})

const TestedConversation = ClosedObject(
  {
    name: Type.String(),
    pointer,
    place,
    outcome: StringEnum(['passed', 'failed', 'not run'], {
      description: '`not run` for those behind `bail`, and behind the time for all',
    }),
    failures: Type.Array(
      ClosedObject({
        pointer,
        place,
        message: Type.String(),
        way: Type.Optional(
          Type.Array(WayPoint, {
            description: 'The last blocks of the turn before it, or that it is of, in order',
          }),
        ),
      }),
      { description: 'What does not hold' },
    ),
    notes: Type.Array(Type.String(), { description: 'What is worth a look' }),
    ms: Type.Number({ minimum: 0 }),
  },
  { $id: 'TestedConversation' },
)

/** Outcome of a file of tests, as `flow-runtime test --format json` prints it. */
export const TestFlowResponse = ClosedObject(
  {
    tests: Type.Array(TestedConversation),
    unusedMocks: Type.Array(pointer, { description: 'Rules that never fitted' }),
    coverage: ClosedObject(
      {
        groups: covered,
        blocks: covered,
        edges: covered,
        items: covered,
        events: covered,
        refusals: covered,
        failures: covered,
      },
      { description: 'How much of the flow was run, `refusals` and `failures` of inputs and calls' },
    ),
  },
  { $id: 'TestFlowResponse' },
)
export type TestFlowResponse = Static<typeof TestFlowResponse>
