import type { FlowLinkBlock } from '../../../schemas/blocks/logic/flow-link.ts'
import { defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import { entryTargetOf, findGroup, type Program, type Target } from '../../engine/model/program.ts'
import type { Step } from '../../engine/model/step.ts'
import { compileGroupName, type GroupName, renderGroupName } from '../group-name.ts'

interface FlowLink {
  readonly flowId: string
  readonly group: GroupName | undefined
  /** The group as its author wrote it, for logs. */
  readonly groupId: string | undefined
  readonly mergesResults: boolean
}

/** Runs another flow or group and comes back behind the link (docs/behaviour.md, "Flow links"). */
export const flowLink = defineBlock<FlowLinkBlock, FlowLink>({
  types: ['Flow link'],
  kind: 'logic',
  compile: ({ options }, context) => ({
    flowId: options?.flowId ?? '',
    group: compileGroupName(options?.groupId, context),
    groupId: options?.groupId,
    mergesResults: options?.mergeResults ?? context.isLegacy,
  }),
  // The flow that it leads to may.
  needsTranscript: ({ options }) => options?.flowId !== undefined && options.flowId !== 'current',
  *run(link, context) {
    if (link.flowId === '') return failed('No flow id is set')
    if (link.flowId === 'current' || link.flowId === context.flowId) return enter(link, context, undefined)
    return yield* enterAnother(link, context)
  },
})

function* enterAnother(link: FlowLink, context: RunContext): Effects<Step> {
  const linked = yield* ask({ type: 'link', flowId: link.flowId })
  return linked.program ? enter(link, context, linked.program) : failed(linked.refusal)
}

function enter(link: FlowLink, context: RunContext, program: Program | undefined): Step {
  const target = entryTarget(link, context, program)
  if (!target || target.kind === 'missing group') {
    return failed(
      link.group ? `Group "${link.groupId}" was not found` : `Flow "${link.flowId}" has no start to enter by`,
    )
  }
  // A flow that links to itself has one set of variables and answers, whatever the block says.
  const mergesResults = program === undefined || link.mergesResults
  return { next: { to: 'link', entry: { program, target, mergesResults } } }
}

function entryTarget(
  { group }: FlowLink,
  context: RunContext,
  program: Program | undefined,
): Target | undefined {
  if (!group) return program ? entryTargetOf(program) : context.entry()
  const { by, value } = renderGroupName(group, context)
  return (program ? findGroup(program, by, value) : context.findGroup(by, value))?.target
}

/** Without a `next`, the walk goes on behind the link. */
function failed(details: string): Step {
  return { logs: [{ status: 'error', description: 'Flow link could not be followed', details }] }
}
