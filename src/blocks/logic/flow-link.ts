import type { FlowLinkBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { compileGroupName, type GroupName, renderGroupName } from '../group-name.ts'

interface FlowLink {
  readonly flowId: string
  readonly group: GroupName | undefined
  readonly mergesResults: boolean
}

/** Runs another flow or group and comes back behind the link (docs/behaviour/walk.md, "Flow links"). */
export const flowLink = defineBlock<FlowLinkBlock, FlowLink>({
  types: ['Flow link'],
  kind: 'logic',
  compile: ({ options }, context) => ({
    flowId: options?.flowId ?? '',
    group: compileGroupName(options?.groupId, context),
    mergesResults: options?.mergeResults ?? context.isLegacy,
  }),
  // The flow that it leads to may.
  needsTranscript: ({ options }) => options?.flowId !== undefined && options.flowId !== 'current',
  run({ flowId, group, mergesResults }, context) {
    if (flowId === '') {
      const description = 'Flow link could not be followed'
      return { logs: [{ audience: 'visitors', status: 'error', description, details: 'No flow id is set' }] }
    }
    return { next: { to: 'link', flowId, group: group && renderGroupName(group, context), mergesResults } }
  },
  marks: {
    leaves: 'by link',
    leadsTo: ({ options }) => ({ flowId: options?.flowId, groupId: options?.groupId }),
  },
})
