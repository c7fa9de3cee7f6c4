import type { Edge, Flow, FlowEvent, Group } from '../../schemas/flow.ts'
import type { AnyBlock, BlockHandler } from './block-handler.ts'
import { compileText } from './compile-text.ts'
import { dynamicThemeOf } from './dynamic-theme.ts'
import type { Finding } from './findings.ts'
import { inspect } from './inspect.ts'
import { compileJson } from './json-template.ts'
import { type Compiler, LazyBlock } from './lazy-block.ts'
import { type CompiledBlock, type CompiledGroup, type Program, type Target, topOf } from './program.ts'
import { startPropsOf } from './start-props.ts'
import { VariableTable } from './variables.ts'

/** Every block type that the service knows, by name. */
export type BlockRegistry = ReadonlyMap<string, BlockHandler>

/** Versions that start at a block instead of an event (docs/behaviour.md, "Old versions"). */
const legacyVersions = new Set(['3', '4', '5'])

/** Where a theme and settings hold addresses: no pointer stands for something else in the other. */
const shownAddresses: ReadonlySet<string> = new Set([
  '/general/background/content',
  '/general/font/url',
  '/chat/hostAvatar/url',
  '/chat/guestAvatar/url',
  '/metadata/imageUrl',
  '/metadata/favIconUrl',
])

const addressAt = (pointer: string) => (shownAddresses.has(pointer) ? 'media' : undefined)

/**
 * Compiles a valid flow into a program: every edge resolved, every block findable, nothing in it ever changed again.
 *
 * A block's own preparation is left until it first runs: a draft of a thousand blocks is started with every
 * keystroke of its author, and a start meets a few of them.
 */
export function compileFlow(flow: Flow, registry: BlockRegistry, hash: string): Program {
  const variables = new VariableTable(flow.variables)
  const isLegacy = legacyVersions.has(flow.version)
  const compiler: Compiler = { registry, variables, isLegacy }
  const groups = new Map<string, CompiledGroup>()
  const blocks = new Map<string, CompiledBlock>()
  flow.groups.forEach((group, index) => {
    const compiled = compileGroup(group, `/groups/${index}`, compiler)
    if (!groups.has(group.id)) groups.set(group.id, compiled)
    for (const block of compiled.blocks) if (!blocks.has(block.id)) blocks.set(block.id, block)
  })
  const prepare = (text: string) => compileText(text, variables)
  const { settings, theme } = flow
  const invalidMessage = settings.general?.systemMessages?.invalidMessage
  let findings: readonly Finding[] | undefined
  const program: Program = {
    hash,
    id: flow.id,
    workspaceId: flow.workspaceId,
    version: flow.version,
    isLegacy,
    startEdgeId: flow.events[0]?.outgoingEdgeId,
    groups,
    blocks,
    edges: resolveEdges(flow, groups),
    events: indexEvents(flow.events),
    variables,
    settings: compileJson(settings, { compile: prepare, keepsListTexts: true, addressAt }),
    theme: compileJson(theme, { compile: prepare, keepsListTexts: true, addressAt }),
    dynamicTheme: dynamicThemeOf(flow),
    invalidMessage: invalidMessage ? prepare(invalidMessage) : undefined,
    allowedOrigins: settings.security?.allowedOrigins ?? [],
    startProps: startPropsOf(flow, registry),
    isProgressTracked: theme.general?.progressBar?.isEnabled === true,
    needsTranscript: flow.groups.some(({ blocks }) =>
      blocks.some((block) => registry.get(block.type)?.needsTranscript?.(block) === true),
    ),
    get findings() {
      findings ??= inspect(flow, program)
      return findings
    },
  }
  return program
}

function compileGroup(group: Group, pointer: string, compiler: Compiler): CompiledGroup {
  const blocks = new Array<LazyBlock>(group.blocks.length)
  const compiled: CompiledGroup = { id: group.id, title: group.title ?? '', blocks, find: finderOf(blocks) }
  let following: LazyBlock | undefined
  for (let index = group.blocks.length - 1; index >= 0; index--) {
    const block = group.blocks[index] as AnyBlock
    following = new LazyBlock(
      block,
      { group: compiled, pointer: `${pointer}/blocks/${index}`, following },
      compiler,
    )
    blocks[index] = following
  }
  return compiled
}

/** Finds the blocks of a group by id. Indexed when first asked, since most edges lead to the top of a group. */
function finderOf(blocks: readonly CompiledBlock[]): CompiledGroup['find'] {
  let byId: Map<string, CompiledBlock> | undefined
  return (id) => {
    // Backwards, so that the first of several stays.
    byId ??= new Map(blocks.toReversed().map((block) => [block.id, block]))
    return byId.get(id)
  }
}

function resolveEdges(flow: Flow, groups: ReadonlyMap<string, CompiledGroup>): Map<string, Target> {
  const edges = new Map<string, Target>()
  for (const { id, to } of flow.edges) if (!edges.has(id)) edges.set(id, resolve(to, groups))
  return edges
}

function resolve(to: Edge['to'], groups: ReadonlyMap<string, CompiledGroup>): Target {
  const group = groups.get(to.groupId)
  if (!group) return { kind: 'missing group', groupId: to.groupId }
  if (to.blockId === undefined) return topOf(group)
  const block = group.find(to.blockId)
  if (block) return { kind: 'block', block }
  const [top] = group.blocks
  const missingBlockId = to.blockId
  return top ? { kind: 'block', block: top, missingBlockId } : { kind: 'empty group', group, missingBlockId }
}

function indexEvents(events: readonly FlowEvent[]): Map<string, FlowEvent> {
  const byId = new Map<string, FlowEvent>()
  for (const event of events) if (!byId.has(event.id)) byId.set(event.id, event)
  return byId
}
