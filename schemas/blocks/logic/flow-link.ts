import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

/** Runs another flow, or another group of this one, and comes back behind the link. */
export const FlowLinkBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Flow link'),
  options: Type.Optional(
    PartialObject({
      flowId: Type.String({
        description: '`current`, the id of this flow, or the id or public id of another published flow',
        examples: ['current', 'flow-2'],
      }),
      groupId: Type.String({
        description:
          'Where to enter: id of a group, or exactly one placeholder that holds its title. Default: the start of the flow',
      }),
      mergeResults: Type.Boolean({
        description:
          'Whether variables and answers come back from the other flow. Default false; in flows below version 6 true',
      }),
    }),
  ),
})
export type FlowLinkBlock = Static<typeof FlowLinkBlock>
