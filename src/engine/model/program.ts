import type { FlowEvent } from '../../../schemas/flow.ts'
import type { Settings } from '../../../schemas/settings.ts'
import type { Theme } from '../../../schemas/theme.ts'
import { lookUpLanguage, readAcceptLanguage } from '../../lib/language-tags.ts'
import type { TableById } from '../compile/lazy-table.ts'
import type { JsonTemplate } from '../templates/json-template.ts'
import type { TextTemplate } from '../templates/text-template.ts'
import type { VariableRef, VariableTable } from '../values/variables.ts'
import type { BlockHandler } from './block-handler.ts'
import type { Finding } from './findings.ts'
import type { Footprint } from './footprint.ts'
import type { StartProps } from './start-props.ts'
import type { Code } from './template.ts'

/** A block, ready to run, in its place. */
export interface CompiledBlock {
  readonly id: string
  readonly type: string
  readonly group: CompiledGroup
  /** JSON pointer into the definition. */
  readonly pointer: string
  /** The block's own edge. */
  readonly edgeId: string | undefined
  /** Undefined for a type that this service does not know: the block has no effect. */
  readonly handler: BlockHandler | undefined
  /** Result of the handler's compilation; only the handler knows its type. */
  readonly compiled: unknown
  /** The code that is run before the block is, inner code first. */
  readonly codes: readonly Code[]
  /** The next block of the group. */
  readonly following: CompiledBlock | undefined
  /** The edges by which a reply or a decision can leave, other than the own one. */
  readonly itemEdgeIds: readonly string[]
  /** Whether a walk always goes on from here by the default way. */
  readonly isPassThrough: boolean
  /** Bubbles only: the variable that the bubble begins with. */
  readonly leadingVariable: VariableRef | undefined
  /** Bubbles only: the variables with words of a model that it shows, in flows that mark those. */
  readonly generatedFrom: readonly VariableRef[]
  /** Findings for its author, as far as it has been checked. */
  readonly findings: readonly Finding[]
  /** Makes the checks that were left for its author's sake, and pauses after each. */
  inspect(): Iterable<void>
}

export interface CompiledGroup {
  readonly id: string
  readonly title: string
  readonly blocks: readonly CompiledBlock[]
  /** The first block of this id. */
  find(id: string): CompiledBlock | undefined
}

/**
 * Target of an edge. A group without blocks is a legal target at which a path ends; a block that is not in its group
 * stands for the top of the group, and is remembered for a log.
 */
export type Target =
  | { readonly kind: 'block'; readonly block: CompiledBlock; readonly missingBlockId?: string }
  | { readonly kind: 'empty group'; readonly group: CompiledGroup; readonly missingBlockId?: string }
  | { readonly kind: 'missing group'; readonly groupId: string }

/** Elements and comments for the head of the page; undefined where the author wrote none. Parsed by the first call. */
export type HeadCode = () => string | undefined

/** When a flow acts by itself. */
export interface ProgramTimers {
  readonly idle: readonly IdleEvent[]
  /** The event before its idle life ends. */
  readonly expireEventId: string | undefined
  /** Of its own idle life. */
  readonly ttlMs: number | undefined
  /** For which texts are joined into one reply. */
  readonly replyWindowMs: number | undefined
}

/** Milliseconds after the last change of a result, for parts of it. */
export interface Retention {
  readonly results?: number
  readonly unfinished?: number
  readonly personal?: number
  readonly secret?: number
}

/** Event of a question that stays unanswered. */
export interface IdleEvent {
  readonly id: string
  readonly afterMs: number
  /** How often it happens until the visitor does something. */
  readonly atMost: number
  /** Undefined for all. */
  readonly groupIds: ReadonlySet<string> | undefined
}

/** A flow compiled once: immutable, shared by all its sessions, and free of anything that a turn changes. */
export interface Program {
  /** Memory that it has gained since it was compiled. */
  readonly footprint: Footprint
  /** Names the definition that this was compiled from. */
  readonly hash: string
  readonly id: string
  /** A label; it means something only in flows that the operator published. */
  readonly workspaceId: string | undefined
  /** Version in the definition, for the response. */
  readonly version: string
  /** Versions below 6, which differ in three ways (docs/behaviour/walk.md, "Old versions"). */
  readonly isLegacy: boolean
  /** The edge that a plain start follows; undefined when the start is not connected. */
  readonly startEdgeId: string | undefined
  readonly groups: TableById<CompiledGroup>
  readonly blocks: TableById<CompiledBlock>
  readonly edges: TableById<Target>
  readonly events: ReadonlyMap<string, FlowEvent>
  /** Whether replies set any of them off. */
  readonly hasReplyEvents: boolean
  /** Undefined for a flow that does nothing by itself. */
  readonly timers: ProgramTimers | undefined
  readonly variables: VariableTable
  readonly settings: JsonTemplate<Settings>
  readonly theme: JsonTemplate<Theme>
  /** The addresses of a dynamic theme, as written: those present that hold a placeholder. */
  readonly dynamicTheme: readonly {
    readonly name: 'hostAvatarUrl' | 'guestAvatarUrl' | 'backgroundUrl'
    readonly source: string
  }[]
  readonly invalidMessage: TextTemplate | undefined
  /** Origins that browsers may start and continue from; empty for any. */
  readonly allowedOrigins: readonly string[]
  readonly startProps: StartProps
  /** Undefined without head code. Only live starts call it: a preview has no use for what takes long to parse. */
  readonly headCode: HeadCode | undefined
  readonly isProgressTracked: boolean
  /** The language of its texts, as a tag; undefined where the flow does not say. */
  readonly locale: string | undefined
  /** The languages that there are of a flow with localizations: those, and its own behind them. */
  readonly locales: readonly string[]
  /** The same program in one of these languages; undefined for a flow without localizations. */
  readonly inLocale: ((locale: string) => Program) | undefined
  /** Whether a later start may go on with what an earlier one left in its result. */
  readonly remembersVisitors: boolean
  /** Milliseconds for which its results are kept, where it says so. */
  readonly retention: Retention | undefined
  /** Whether a block asks for the transcript, so that a session has to keep one. */
  readonly needsTranscript: boolean
}

/** Wish of a client for a language. */
interface AskedLanguage {
  /** A tag. */
  readonly locale?: string | undefined
  /** The header of that name, which counts where no tag is given. */
  readonly acceptLanguage?: string | undefined
}

/**
 * The language that a conversation is held in (docs/behaviour/languages.md): of those of the flow, by RFC 4647. Undefined
 * for a flow that is in one language; one that does not say which takes the tag that was asked for.
 */
export function chooseLocale(
  { locale: own, locales }: Pick<Program, 'locale' | 'locales'>,
  { locale, acceptLanguage }: AskedLanguage,
): string | undefined {
  if (locales.length === 0) return own === undefined ? locale : undefined
  const wish = locale === undefined ? readAcceptLanguage(acceptLanguage) : { ranges: [locale] }
  return lookUpLanguage(wish, locales) ?? own
}

/** The program in the language of a conversation, by RFC 4647; in its own where it is in no such language. */
export function programIn(locale: string | undefined, program: Program): Program {
  if (locale === undefined || !program.inLocale) return program
  // That of a session is one of them, unless it came from another flow or version.
  const found = program.locales.includes(locale)
    ? locale
    : (lookUpLanguage({ ranges: [locale] }, program.locales) ?? program.locale)
  return found === undefined ? program : program.inLocale(found)
}

/** Identity of a block across versions: its id, and its group if a block before it has the same id. */
export interface BlockName {
  readonly blockId: string
  readonly groupId?: string | undefined
}

/** Names a block of a program. */
export function nameOfBlock({ blocks }: Program, { id, group }: CompiledBlock): BlockName {
  return blocks.get(id)?.group === group ? { blockId: id } : { blockId: id, groupId: group.id }
}

/** Finds a block by its name; undefined when the program has none like it. */
export function findBlock(
  { blocks, groups }: Program,
  { blockId, groupId }: BlockName,
): CompiledBlock | undefined {
  return groupId === undefined ? blocks.get(blockId) : groups.get(groupId)?.find(blockId)
}

/** The target of an edge; undefined for an edge that nothing in the flow carries. */
export function targetOf(program: Program, edgeId: string | undefined): Target | undefined {
  return edgeId === undefined ? undefined : program.edges.get(edgeId)
}

/** The top of a group as a target. */
export function topOf(group: CompiledGroup): Target {
  const [block] = group.blocks
  return block ? { kind: 'block', block } : { kind: 'empty group', group }
}
