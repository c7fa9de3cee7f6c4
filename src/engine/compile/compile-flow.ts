import type { Edge, Flow, Group } from '../../../schemas/flow.ts'
import type { Settings } from '../../../schemas/settings.ts'
import type { AnyBlock, BlockRegistry } from '../model/block-handler.ts'
import type { Retention } from '../model/program.ts'
import { type CompiledBlock, type CompiledGroup, type Program, type Target, topOf } from '../model/program.ts'
import type { StartProps } from '../model/start-props.ts'
import { compileDynamicTheme } from '../templates/dynamic-theme.ts'
import { compileJson } from '../templates/json-template.ts'
import { parseTemplate } from '../templates/parse-template.ts'
import { durationMs } from '../values/duration.ts'
import { VariableTable } from '../values/variables.ts'
import { compileAllowedOrigins } from './allowed-origins.ts'
import { compileTimers } from './compile-timers.ts'
import { type Compiler, LazyCompiledBlock } from './compiled-block.ts'
import { compileGeneratedContent } from './generated-content.ts'
import { compileHeadCode } from './head-html.ts'
import { firstById, LazyTable, type TableById } from './lazy-table.ts'
import { localiseFlow } from './localise-flow.ts'
import { createLocalisedPrograms } from './localised-programs.ts'

/** Versions that start at a block instead of an event (docs/behaviour/walk.md, "Old versions"). */
const legacyVersions = new Set(['3', '4', '5'])

/** Pointers to addresses in a theme and in settings; no pointer has another meaning in the other one. */
const shownAddresses: ReadonlySet<string> = new Set([
  '/general/background/content',
  '/general/font/url',
  '/chat/hostAvatar/url',
  '/chat/guestAvatar/url',
  '/metadata/imageUrl',
  '/metadata/favIconUrl',
])

const noLocales: readonly string[] = Object.freeze([])

const addressAt = (pointer: string) => (shownAddresses.has(pointer) ? 'media' : undefined)

const styleRules: ReadonlySet<string> = new Set(['/customCss', '/general/font/css'])

const isStyleAt = (pointer: string) => styleRules.has(pointer)

/**
 * Compiles a valid flow into a program: every edge resolvable, every block findable, nothing in it ever changed again.
 * What a walk may never meet is left until it does.
 */
export function compileFlow(flow: Flow, registry: BlockRegistry, hash: string): Program {
  const tags = Object.keys(flow.localizations ?? {})
  if (tags.length === 0) return compileIn(flow, registry, hash)
  const own = compileIn(flow, registry, hash)
  const locales = own.locale === undefined ? tags : [...tags, own.locale]
  const localised = createLocalisedPrograms(own.footprint, (locale) => {
    const inLocale = localiseFlow(flow, locale)
    const program = { ...compileIn(inLocale, registry, hash, true), locales, inLocale: choose }
    return { program, bytes: bytesBeforeUse(inLocale) }
  })
  const program: Program = { ...own, locales, inLocale: choose }
  function choose(locale: string): Program {
    return tags.includes(locale) ? localised(locale) : program
  }
  return program
}

/** Memory of a program in another language before a block of it is prepared, beside what it shares. Measured. */
function bytesBeforeUse({ groups, variables }: Flow): number {
  const blocks = groups.reduce((sum, group) => sum + group.blocks.length, 0)
  return 10_000 + 600 * blocks + 400 * variables.length
}

function compileIn(flow: Flow, registry: BlockRegistry, hash: string, isLocalised = false): Program {
  const variables = new VariableTable(flow.variables)
  const isLegacy = legacyVersions.has(flow.version)
  const findGenerated = compileGeneratedContent(flow, variables)
  const compiler: Compiler = { registry, variables, isLegacy, isLocalised, findGenerated }
  const compiledGroups: CompiledGroup[] = []
  const groupAt = (index: number) => {
    compiledGroups[index] ??= compileGroup(flow.groups[index] as Group, `/groups/${index}`, compiler)
    return compiledGroups[index]
  }
  const groups = new LazyTable(placesOfGroups(flow.groups), groupAt)
  const blocks = new LazyTable(
    placesOfBlocks(flow.groups),
    (index, id) => groupAt(index).find(id) as CompiledBlock,
  )
  const prepare = (text: string) => parseTemplate(text, variables, variables.footprint)
  const { settings, theme } = flow
  const invalidMessage = settings.general?.systemMessages?.invalidMessage
  return {
    footprint: variables.footprint,
    hash,
    id: flow.id,
    workspaceId: flow.workspaceId,
    version: flow.version,
    isLegacy,
    startEdgeId: flow.events[0]?.outgoingEdgeId,
    groups,
    blocks,
    edges: new LazyTable(edgesById(flow.edges), ({ to }) => resolve(to, groups)),
    events: firstById(flow.events),
    hasReplyEvents: flow.events.some(({ type }) => type === 'reply' || type === 'invalidReply'),
    timers: compileTimers(flow),
    variables,
    settings: compileJson(settings, { compile: prepare, keepsListTexts: true, addressAt }),
    theme: compileJson(theme, { compile: prepare, keepsListTexts: true, addressAt, isStyleAt }),
    dynamicTheme: compileDynamicTheme(flow, variables),
    invalidMessage: invalidMessage ? prepare(invalidMessage) : undefined,
    allowedOrigins: compileAllowedOrigins(settings),
    startProps: compileStartProps(flow, registry),
    headCode: compileHeadCode(settings.metadata?.customHeadCode),
    isProgressTracked: theme.general?.progressBar?.isEnabled === true,
    remembersVisitors: remembersVisitors(settings),
    retention: compileRetention(settings),
    locale: settings.general?.language,
    locales: noLocales,
    inLocale: undefined,
    needsTranscript: flow.groups.some(({ blocks }) =>
      blocks.some((block) => registry.get(block.type)?.needsTranscript?.(block) === true),
    ),
  }
}

/** Older flows say the opposite under another name. */
function remembersVisitors({ general }: Settings): boolean {
  const { rememberUser, isNewResultOnRefreshEnabled } = general ?? {}
  return rememberUser?.isEnabled ?? isNewResultOnRefreshEnabled === false
}

function compileGroup(group: Group, pointer: string, compiler: Compiler): CompiledGroup {
  const blocks = new Array<LazyCompiledBlock>(group.blocks.length)
  const compiled: CompiledGroup = { id: group.id, title: group.title ?? '', blocks, find: finderOf(blocks) }
  let following: LazyCompiledBlock | undefined
  for (let index = group.blocks.length - 1; index >= 0; index--) {
    const block = group.blocks[index] as AnyBlock
    following = new LazyCompiledBlock(
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

/** The groups by id, as places in the list. */
function* placesOfGroups(groups: readonly Group[]): Generator<readonly [string, number]> {
  for (let index = 0; index < groups.length; index++) yield [(groups[index] as Group).id, index]
}

/** The places of the groups that blocks stand in, by the ids of the blocks. */
function* placesOfBlocks(groups: readonly Group[]): Generator<readonly [string, number]> {
  for (let index = 0; index < groups.length; index++) {
    for (const { id } of (groups[index] as Group).blocks) yield [id, index]
  }
}

function* edgesById(edges: readonly Edge[]): Generator<readonly [string, Edge]> {
  for (const edge of edges) yield [edge.id, edge]
}

function resolve(to: Edge['to'], groups: TableById<CompiledGroup>): Target {
  const group = groups.get(to.groupId)
  if (!group) return { kind: 'missing group', groupId: to.groupId }
  if (to.blockId === undefined) return topOf(group)
  const block = group.find(to.blockId)
  if (block) return { kind: 'block', block }
  const [top] = group.blocks
  const missingBlockId = to.blockId
  return top ? { kind: 'block', block: top, missingBlockId } : { kind: 'empty group', group, missingBlockId }
}

/** Scripts that the client loads for a flow beside its head code: its tag manager, and those of its blocks. */
function compileStartProps(flow: Flow, registry: BlockRegistry): StartProps {
  const { googleTagManagerId } = flow.settings.metadata ?? {}
  const pixelIds: string[] = []
  let googleAnalyticsId: string | undefined
  for (const { blocks } of flow.groups) {
    for (const block of blocks) {
      const props = registry.get(block.type)?.startProps?.(block)
      googleAnalyticsId ??= props?.googleAnalyticsId
      if (props?.pixelIds) pixelIds.push(...props.pixelIds)
    }
  }
  return {
    ...(googleAnalyticsId !== undefined && { googleAnalyticsId }),
    ...(pixelIds.length > 0 && { pixelIds }),
    ...(googleTagManagerId && { gtmId: googleTagManagerId }),
  }
}

/** The shortest time that anything is kept. */
const leastMs = 60_000

/** How long a flow wants its results to be kept; undefined where it says nothing. */
function compileRetention({ general }: Settings): Retention | undefined {
  const wanted = Object.entries(general?.retention ?? {})
  if (wanted.length === 0) return undefined
  return Object.fromEntries(wanted.map(([of, time]) => [of, Math.max(leastMs, durationMs(time))]))
}
