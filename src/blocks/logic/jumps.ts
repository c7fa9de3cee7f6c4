import { FlowLinkBlock, JumpBlock, ReturnBlock, StartBlock } from '../../../schemas/blocks/logic.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { visibleError } from '../../engine/model/log-entry.ts'
import type { GroupReference } from '../../engine/model/step.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'

interface Jump {
  readonly group: GroupName
  readonly blockId: string | undefined
}

/** Goes on at another group of the flow (docs/behaviour/walk.md, "Jumps and returns"). */
export const jump = defineBlock<JumpBlock, Jump | undefined>({
  schema: JumpBlock,
  kind: 'logic',
  compile({ options }, context) {
    const group = compileGroupName(options?.groupId, context)
    return group && { group, blockId: options?.blockId || undefined }
  },
  run(compiled, context) {
    if (!compiled) return { next: { to: 'fall through' } }
    const { group, blockId } = compiled
    return { next: { to: 'jump', group: renderGroupName(group, context), blockId } }
  },
  marks: {
    leaves: 'by jump',
    changesNothing: true,
    leadsTo: ({ options }) => ({ groupId: options?.groupId, blockId: options?.blockId }),
  },
})

/** Goes back behind the last jump (docs/behaviour/walk.md, "Jumps and returns"). */
export const returnBlock = defineBlock<ReturnBlock, undefined>({
  schema: ReturnBlock,
  kind: 'logic',
  compile: () => undefined,
  run: () => ({ next: { to: 'return' } }),
  marks: { leaves: 'by return' },
})

interface FlowLink {
  readonly flowId: string
  readonly group: GroupName | undefined
  readonly mergesResults: boolean
}

/** Runs another flow or group and comes back behind the link (docs/behaviour/walk.md, "Flow links"). */
export const flowLink = defineBlock<FlowLinkBlock, FlowLink>({
  schema: FlowLinkBlock,
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
      return { logs: [visibleError({ description, details: 'No flow id is set' })] }
    }
    return { next: { to: 'link', flowId, group: group && renderGroupName(group, context), mergesResults } }
  },
  marks: {
    leaves: 'by link',
    leadsTo: ({ options }) => ({ flowId: options?.flowId, groupId: options?.groupId }),
  },
})

/** Has no effect: it marks where flows below version 6 start. */
export const startBlock = defineBlock<StartBlock, undefined>({
  schema: StartBlock,
  kind: 'logic',
  compile: () => undefined,
  run: () => ({ next: { to: 'fall through' } }),
  marks: { changesNothing: true, leaves: 'below first' },
})

/** Reference of a block to a group: its id, or exactly one placeholder that holds a title. */
type GroupName =
  | (GroupReference & { readonly by: 'id' })
  | { readonly by: 'title'; readonly template: TextTemplate; readonly source: string }

/** Prepares a group's name; undefined when there is none. */
function compileGroupName(name: string | undefined, context: CompileContext): GroupName | undefined {
  if (!name) return undefined
  const template = context.text(name, '/options/groupId')
  return template.lone ? { by: 'title', template, source: name } : { by: 'id', value: name, source: name }
}

/** The id or the title to look for. A placeholder without a value gives an empty title. */
function renderGroupName(name: GroupName, context: RunContext): GroupReference {
  return name.by === 'id' ? name : { by: 'title', value: context.text(name.template), source: name.source }
}
