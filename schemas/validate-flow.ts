import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional, StringEnum } from './common.ts'
import { sampleFlow } from './samples.ts'
import { Type } from './type.ts'

const levels = ['off', 'info', 'warning', 'error'] as const

const Severity = StringEnum(['error', 'warning', 'info'], {
  description: '`error` for what fails, `warning` for what probably does, `info` for what is worth a look',
})

const fields = optional({
  rules: Type.Record(Type.String(), StringEnum(levels), {
    description: 'Levels of rules, by their codes; `off` leaves a rule out',
    examples: [{ 'silent-end': 'off' }],
  }),
  minSeverity: StringEnum(['error', 'warning', 'info'], {
    description: 'Leave out what is less grave. Default info',
  }),
})

/** Body of a check of a published flow (docs/api.md 4.17). */
export const ValidatePublishedBody = Type.Object(fields, { examples: [{}, { minSeverity: 'warning' }] })
export type ValidatePublishedBody = Static<typeof ValidatePublishedBody>

/** Body of a check of a flow (docs/api.md 4.17). The flow itself is checked by src/definition. */
export const ValidateFlowBody = Type.Object(
  {
    flow: Type.Optional(Type.Unsafe<unknown>(Type.Ref('FlowDefinition'))),
    source: Type.Optional(
      Type.String({
        maxLength: 1_048_576,
        description: 'The text of the flow in place of `flow`: findings then have their `range` in it',
      }),
    ),
    ...fields,
  },
  { examples: [{ flow: sampleFlow }, { flow: sampleFlow, minSeverity: 'warning' }] },
)
export type ValidateFlowBody = Static<typeof ValidateFlowBody>

const Pointer = Type.String({
  description: 'JSON pointer into the flow; empty for the whole',
  examples: ['/groups/4'],
})

const PatchStep = ClosedObject({
  op: StringEnum(['add', 'remove', 'replace']),
  path: Pointer,
  value: Type.Optional(Type.Unknown()),
})

const Position = ClosedObject({ line: Type.Integer({ minimum: 0 }), character: Type.Integer({ minimum: 0 }) })

/** One thing that the author of a flow should know. */
export const LintFinding = ClosedObject(
  {
    code: Type.String({ description: 'The name of the rule; stable', examples: ['unreachable-group'] }),
    severity: Severity,
    message: Type.String({ description: 'What is wrong' }),
    hint: Type.Optional(Type.String({ description: 'How to mend it, where the message does not say so' })),
    pointer: Pointer,
    groupId: Type.Optional(Type.String()),
    blockId: Type.Optional(Type.String()),
    edgeId: Type.Optional(Type.String()),
    variableId: Type.Optional(Type.String()),
    related: Type.Array(ClosedObject({ pointer: Pointer, message: Type.String() }), {
      description: 'Other places that have to do with it',
    }),
    ...optional({
      fix: ClosedObject(
        { title: Type.String(), patch: Type.Array(PatchStep) },
        {
          description:
            'A JSON patch of the flow that certainly mends it; absent where an author has to decide',
        },
      ),
      range: ClosedObject(
        { start: Position, end: Position },
        { description: 'In the text that was sent as `source`; counted from 0, in units of UTF-16' },
      ),
    }),
    docs: Type.String({
      description: 'Where the rule is described',
      examples: ['docs/rules.md#unreachable-group'],
    }),
  },
  { $id: 'LintFinding' },
)

const count = Type.Integer({ minimum: 0 })

const list = (description: string) => Type.Array(Type.String(), { description })

const Facts = ClosedObject(
  {
    groups: count,
    blocks: count,
    inputs: count,
    variables: Type.Array(
      ClosedObject({ id: Type.String(), name: Type.String(), reads: count, writes: count }),
      { description: 'With the number of places that read and write each' },
    ),
    accounts: list(
      'Accounts of the operator that the flow uses, by id; the default of its type where a block names none',
    ),
    links: list('Flows that it links to, as it names them'),
    hosts: list('Hosts that its HTTP requests name; the accounts say where models and vendors are called'),
    uploads: Type.Boolean({ description: 'Whether visitors may upload files' }),
    mails: Type.Boolean({ description: 'Whether it sends mails' }),
    clientOnlyBlocks: list('Types of its blocks that do something only in a browser'),
  },
  {
    description: 'What the flow consists of and depends on. Absent when it can not be run. Lists end at 500',
  },
)

/** Outcome of a check of a flow. */
export const ValidateFlowResponse = ClosedObject(
  {
    valid: Type.Boolean({ description: 'Whether there is no error' }),
    runnable: Type.Boolean({ description: 'Whether a start would take it' }),
    summary: ClosedObject({ error: count, warning: count, info: count }),
    findings: Type.Array(LintFinding),
    facts: Type.Optional(Facts),
  },
  { $id: 'ValidateFlowResponse' },
)
