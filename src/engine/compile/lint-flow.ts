import type { Edge, Flow } from '../../../schemas/flow.ts'
import type { Finding, FindingCode } from '../model/findings.ts'
import { type CompiledBlock, type Program, type Target, targetOf } from '../model/program.ts'
import { originFindings } from './allowed-origins.ts'
import { maxHeadCodeLength } from './head-html.ts'

/**
 * Everything about a flow that is allowed and perhaps not meant: for the author, when the flow is published.
 * Prepares every block, which a start does only for those it meets.
 */
export function lintFlow(flow: Flow, program: Program): Finding[] {
  const blocks = [...program.groups.values()].flatMap((group) => group.blocks)
  return [
    ...repeatedIds(flow),
    ...repeatedNames(flow),
    ...startFindings(flow, program),
    ...headCodeFindings(flow),
    ...originFindings(flow.settings),
    ...allEdgeFindings(flow, program),
    ...blocks.flatMap((block) => blockFindings(block, program)),
    ...unreachable(flow, program),
    ...endlessLoops(blocks, program),
  ]
}

const warning = (code: FindingCode, pointer: string, hint: string): Finding => ({
  code,
  severity: 'warning',
  pointer,
  hint,
})

const error = (code: FindingCode, pointer: string, hint: string): Finding => ({
  code,
  severity: 'error',
  pointer,
  hint,
})

function repeatedIds(flow: Flow): Finding[] {
  const named: [string, { id: string }[]][] = [
    ['/groups', flow.groups],
    ['/edges', flow.edges],
    ['/events', flow.events],
    ['/variables', flow.variables],
  ]
  const blocks = flow.groups.flatMap(({ blocks }, group) =>
    blocks.map(({ id }, index) => ({ id, pointer: `/groups/${group}/blocks/${index}` })),
  )
  const places = named.flatMap(([at, list]) =>
    repeats(list.map(({ id }, index) => ({ id, pointer: `${at}/${index}` }))),
  )
  return [...places, ...repeats(blocks)].map(({ id, pointer }) =>
    error(
      'duplicate-id',
      `${pointer}/id`,
      `The id "${id}" is taken by an earlier one, which wins. Give this one its own.`,
    ),
  )
}

function repeats(places: { id: string; pointer: string }[]): { id: string; pointer: string }[] {
  const seen = new Set<string>()
  return places.filter(({ id }) => seen.has(id) || !seen.add(id))
}

function repeatedNames({ variables }: Flow): Finding[] {
  const places = variables.map(({ name }, index) => ({ id: name, pointer: `/variables/${index}/name` }))
  return repeats(places).map(({ id, pointer }) =>
    warning(
      'duplicate-variable-name',
      pointer,
      `Another variable is named "${id}" too; the first with a value is read.`,
    ),
  )
}

function startFindings(flow: Flow, program: Program): Finding[] {
  const pointer = program.isLegacy ? '/groups' : '/events/0'
  const hint = 'The start leads nowhere: connect it to a group.'
  const start = program.startEdgeId === undefined ? [warning('no-start', pointer, hint)] : []
  // Below version 6 the start is a block, which is looked at as such.
  const events = program.isLegacy ? [] : flow.events
  const lost = events.flatMap(({ outgoingEdgeId }, index) =>
    outgoingEdgeId === undefined || program.edges.has(outgoingEdgeId)
      ? []
      : [dangling(outgoingEdgeId, `/events/${index}`)],
  )
  return [...start, ...lost]
}

function headCodeFindings({ settings }: Flow): Finding[] {
  const { customHeadCode } = settings.metadata ?? {}
  if (!customHeadCode || customHeadCode.length <= maxHeadCodeLength) return []
  const hint = `Custom head code is left out: it has more than ${maxHeadCodeLength} characters.`
  return [error('head-code-too-long', '/settings/metadata/customHeadCode', hint)]
}

function dangling(edgeId: string, pointer: string): Finding {
  return error(
    'dangling-edge',
    `${pointer}/outgoingEdgeId`,
    `No edge has the id "${edgeId}": the path ends here.`,
  )
}

/** A repeated id is reported as such, wherever its edge leads. */
function allEdgeFindings(flow: Flow, program: Program): Finding[] {
  const seen = new Set<string>()
  return flow.edges.flatMap((edge, index) => {
    if (seen.has(edge.id)) return []
    seen.add(edge.id)
    return edgeFindings(edge, program.edges.get(edge.id), `/edges/${index}`)
  })
}

function edgeFindings(edge: Edge, target: Target | undefined, pointer: string): Finding[] {
  if (target?.kind === 'missing group') {
    return [error('missing-group', `${pointer}/to/groupId`, `No group has the id "${edge.to.groupId}".`)]
  }
  if (target?.missingBlockId === undefined) return []
  const hint = `Block "${target.missingBlockId}" is not in group "${edge.to.groupId}", which runs from its top instead.`
  return [error('missing-block', `${pointer}/to/blockId`, hint)]
}

function blockFindings(block: CompiledBlock, program: Program): Finding[] {
  const { id, pointer, type } = block
  const edges =
    block.edgeId === undefined || program.edges.has(block.edgeId) ? [] : [dangling(block.edgeId, pointer)]
  const items = block.itemEdgeIds
    .filter((edgeId) => !program.edges.has(edgeId))
    .map((edgeId) =>
      error('dangling-edge', `${pointer}/items`, `No edge has the id "${edgeId}" that an item names.`),
    )
  const hint = `The type "${type}" is unknown to this server: the block is skipped.`
  const unknown = block.handler ? [] : [error('unknown-block-type', `${pointer}/type`, hint)]
  return [
    ...[...edges, ...items, ...unknown].map((finding) => ({ ...finding, blockId: id })),
    ...block.findings,
  ]
}

/** Groups that no edge, jump or link leads to; a flow that jumps by title may reach any. */
function unreachable(flow: Flow, program: Program): Finding[] {
  const reached = new Set<string>()
  const namedByOptions = (options: unknown) => (options as { groupId?: unknown } | undefined)?.groupId
  for (const target of program.edges.values()) {
    if (target.kind === 'block') reached.add(target.block.group.id)
    if (target.kind === 'empty group') reached.add(target.group.id)
  }
  for (const block of flow.groups.flatMap(({ blocks }) => blocks)) {
    const groupId = 'options' in block ? namedByOptions(block.options) : undefined
    if (typeof groupId !== 'string') continue
    if (groupId.includes('{{')) return []
    reached.add(groupId)
  }
  // The first group of an old flow is where it starts.
  if (program.isLegacy && flow.groups[0]) reached.add(flow.groups[0].id)
  return flow.groups.flatMap(({ id, title }, index) =>
    reached.has(id)
      ? []
      : [warning('unreachable-group', `/groups/${index}`, `Nothing leads to group "${title ?? id}".`)],
  )
}

/** Loops that no visitor and no decision can leave. Each is reported once, at the block where it closes. */
function endlessLoops(blocks: readonly CompiledBlock[], program: Program): Finding[] {
  const walked = new Map<CompiledBlock, CompiledBlock>()
  const findings: Finding[] = []
  for (const start of blocks) {
    let block: CompiledBlock | undefined = start
    while (block && !walked.has(block)) {
      walked.set(block, start)
      block = block.isPassThrough ? onlyWayFrom(block, program) : undefined
    }
    if (block && walked.get(block) === start) {
      const hint =
        'From here the flow comes back here without ever asking or deciding anything: it never ends.'
      findings.push({ ...error('endless-loop', block.pointer, hint), blockId: block.id })
    }
  }
  return findings
}

function onlyWayFrom(block: CompiledBlock, program: Program): CompiledBlock | undefined {
  const isBubble = block.handler === undefined || block.handler.kind === 'bubble'
  const edgeId = isBubble && block.following ? undefined : block.edgeId
  if (edgeId === undefined) return block.following
  const target = targetOf(program, edgeId)
  return target?.kind === 'block' ? target.block : undefined
}
