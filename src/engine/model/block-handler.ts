import type { TSchema } from '@sinclair/typebox'
import type { Message } from '../../../schemas/message.ts'
import type { Mocks } from '../../../schemas/mocks.ts'
import { tagsOf } from '../../../schemas/tagged-union.ts'
import type { JsonFragment } from '../templates/json-fragment.ts'
import type { JsonCompilation, JsonTemplate } from '../templates/json-template.ts'
import type { TextTemplate } from '../templates/text-template.ts'
import type { VariableRef, VariableTable } from '../values/variables.ts'
import type { Contact, ConversationChannel } from './contact.ts'
import type { DefaultTexts } from './default-texts.ts'
import type { Effects } from './effects.ts'
import type { Finding, FindingCode } from './findings.ts'
import type { ConditionScope } from './scope.ts'
import type { StartProps } from './start-props.ts'
import type { ClientReplyResult, PendingPayment, Reply, ReplyResult, Step } from './step.ts'
import type { Code } from './template.ts'

/** A block as a definition gives it: validated against the schema of its type before it comes here. */
export interface AnyBlock {
  readonly id: string
  readonly type: string
  readonly outgoingEdgeId?: string
}

/** Context of a handler while a flow is compiled. */
export interface CompileContext {
  readonly variables: VariableTable
  readonly isLegacy: boolean
  /**
   * Cuts a text at its placeholders; the code in it is run before the block is. `at` is the place of the text inside
   * the block (`/options/url`), for the findings about it; undefined where they are made already.
   */
  text(text: string, at: string | undefined): TextTemplate
  /** Cuts a text likewise, whose code the handler has evaluated itself when it knows the values in it. */
  lateText(text: string, at: string): TextTemplate
  /** Prepares an expression, which is run before the block is. */
  expression(source: string, template: TextTemplate): Code
  /** Prepares every text inside a JSON value, at any depth. `addressAt` marks those that are addresses. */
  json<T>(value: T, at: string, addressAt?: JsonCompilation['addressAt']): JsonTemplate<T>
  /** Reports something that is allowed and perhaps a mistake, as a finding. */
  report(finding: { code: FindingCode; severity: Finding['severity']; at: string; hint: string }): void
  /**
   * Leaves a check that costs more than reading, such as parsing code or patterns, until findings are asked for. They
   * are at publication; a turn never pays for them.
   */
  inspect(check: () => void): void
}

/** Which files a visitor may upload for a waiting input. */
export interface UploadRules {
  /** Extensions as the table of file types writes them; undefined for every type of the table. */
  readonly extensions: ReadonlySet<string> | undefined
  readonly visibility: 'Auto' | 'Public' | 'Private'
  /** Limit for one file; undefined for as many bytes as the service takes. */
  readonly maxBytes?: number | undefined
}

/** Context of a handler while its block runs. */
export interface RunContext extends ConditionScope {
  /** Place of the block in its flow, for a log. */
  readonly place: string
  readonly isLegacy: boolean
  /** Started by public id: it owns a result, and what counts visitors or sends mail is on. */
  readonly isLive: boolean
  /** Whether mocks answer in place of the world, so that what only live conversations send may be asked for. */
  readonly isMocked: boolean
  /** The flow that is being walked, by the id that its definition has. */
  readonly flowId: string
  /** The result that a live session writes to. */
  readonly resultId: string | undefined
  /** Person whom the conversation is held with, where its start has named one. */
  readonly contact: Contact | undefined
  /** The messenger that it is held on; undefined for a page. */
  readonly channel: ConversationChannel | undefined
  /** Address of this service from outside, without a slash at the end; undefined when it is not configured. */
  readonly publicUrl: string | undefined
  /** Answers so far, under their names, oldest first. */
  readonly answers: readonly (readonly [key: string, value: string])[]
  readonly textBubbleContentFormat: 'richText' | 'markdown'
  /** The payment that this block has asked for and that no reply was accepted for yet. */
  readonly payment: PendingPayment | undefined
  /** Conversation so far, one line for each message. */
  readonly transcript: readonly string[]
  render<T>(template: JsonTemplate<T>): JsonFragment<T>
  text(template: TextTemplate): string
  /**
   * The variable that the next bubble begins with, where the client shows a value while it comes in;
   * undefined where nothing is streamed.
   */
  readonly streamedVariable?: VariableRef | undefined
}

/**
 * Everything the service knows about a block type. A handler is a plain object without state; what it learns from
 * one block's definition it returns from `compile` and gets back whenever that block runs.
 */
export interface BlockHandler<Block extends AnyBlock = AnyBlock, Compiled = unknown> {
  readonly types: readonly Block['type'][]
  readonly schema: BlockSchema<Block>
  /** Answers to what it asks in tests and dry runs, where their own mocks have none. */
  readonly mock?: Pick<Mocks, 'http' | 'vendors'> | undefined
  readonly kind: 'bubble' | 'input' | 'logic' | 'integration'
  compile(block: Block, context: CompileContext): Compiled
  /** A generator only where the block asks something of the world. */
  run(compiled: Compiled, context: RunContext): Step | Effects<Step>
  /** Inputs only: judges what the visitor says. Undefined when nothing was said. */
  reply?(
    compiled: Compiled,
    reply: Reply | undefined,
    context: RunContext,
  ): ReplyResult | Effects<ReplyResult>
  /** Set to false where judging a reply takes none of the block's texts: the code in them is not run for it then. */
  readonly readsTextsForReply?: boolean
  /**
   * Other blocks that wait: takes what the client sends back, which is always a text. The code in the texts of the block
   * is not run for it.
   */
  handleClientReply?(
    compiled: Compiled,
    text: string,
    context: RunContext,
  ): ClientReplyResult | Effects<ClientReplyResult>
  /**
   * Blocks that wait while the client is streamed a value: does the work behind it. What is asked by `complete` is
   * streamed to the client as it comes in; of the step only assignments and logs count.
   */
  stream?(compiled: Compiled, context: RunContext): Step | Effects<Step>
  /** Inputs only: what reply events call this kind of input. */
  readonly inputName?: string
  /** Inputs only: takes several texts, a line each, as one answer: they are joined where the flow has a window for that. */
  readonly joinsReplies?: boolean
  /** Inputs only: which files may be uploaded while it waits; undefined for none. */
  uploads?(compiled: Compiled, context: RunContext): UploadRules | undefined
  /** Inputs only: the block's own text when a reply is refused; undefined for the default. */
  retryMessage?(compiled: Compiled, context: RunContext): string | undefined
  /** Inputs only: the default of this kind of input for that text, which else is the flow's. */
  readonly defaultRetryMessage?: keyof DefaultTexts
  /** Inputs only: the variable that receives the answer. */
  answerVariableId?(compiled: Compiled): string | undefined
  /** Edges that leave from items or paths of the block, in document order. */
  itemEdgeIds?(block: Block): readonly string[]
  /** Whether a walk always goes on from this block by the default way: it neither waits nor decides. */
  isPassThrough?(block: Block): boolean
  /** Scripts that the client loads at the start for this block to work. */
  startProps?(block: Block): StartProps
  /** Bubbles only: the variable that the first text of the bubble is, with nothing beside it. */
  leadingVariable?(block: Block, variables: VariableTable): VariableRef | undefined
  /** Bubbles only: what the transcript says in place of a message that was just shown. */
  transcriptLine?(message: Extract<Message, { type: Block['type'] }>): string | undefined
  /** Inputs only: shows choices to pick from, so that a message sent along with a start can't be meant for it. */
  readonly showsChoices?: boolean
  /** Whether the transcript may be read from here: it is kept only for flows that use it. */
  needsTranscript?(block: Block): boolean
  /** Marks for tools that look at a flow without running it: the linter, tests of flows. */
  readonly marks?: BlockMarks<Block>
}

/**
 * Properties of a block type for the linter and for tests of flows, which name no type themselves (docs/add-a-block.md,
 * "Marks"). Defaults are careful: a block without marks is never blamed for its type.
 */
export interface BlockMarks<Block extends AnyBlock = AnyBlock> {
  /** Asks another system, a model or a mail server: counts against the calls of a turn. */
  readonly calls?: true
  /** Sends mail. */
  readonly mails?: true
  /** The type of the account that it uses (`credentialsId`). */
  account?(block: Block): string | undefined
  /** Option whose rows map parts of an answer to variables, and which of two rows for one variable counts. */
  readonly mapping?: { readonly option: string; readonly counts: 'first' | 'last' }
  /** Leaves by the first of its items whose `content` holds, which is a condition. */
  readonly decides?: true
  /** Writes no variable, takes no time and goes on the same way each time, but for what `decides` says. */
  readonly changesNothing?: true
  /** Way in which a walk can leave, other than by an item, or by the own edge or else below. */
  readonly leaves?: WayOfLeaving
  /** Target that the block names without an edge. */
  leadsTo?(block: Block): NamedPlace
  /** Does something only in a browser. */
  isClientOnly?(block: Block): boolean
  /** Waits for a person. */
  readonly handsOver?: true
  /** Inputs only: visitors may upload files. */
  takesUploads?(block: Block): boolean
  /** Inputs only: refuses no text at all, or what is not of its kind. */
  readonly refuses?: 'nothing' | 'other kinds'
  /** Inputs without items: answers that it takes; null for none at all. */
  readonly usualAnswers?: readonly (string | null)[]
}

/**
 * `by jump` to a group and, after a Return, behind the block; `by link` to another flow or group and back; `by return`
 * behind the last jump; `by edge or below` where either may come next; `below first` where the edge counts in the last
 * block of a group only, as that of a bubble.
 */
export type WayOfLeaving = 'by jump' | 'by link' | 'by return' | 'by edge or below' | 'below first'

/** A place that a block names: in this flow where it names no other. */
interface NamedPlace {
  readonly flowId?: string | undefined
  readonly groupId?: string | undefined
  readonly blockId?: string | undefined
}

/** The handlers by the block types that they serve. */
export type BlockRegistry = ReadonlyMap<string, BlockHandler>

/** Schema of blocks, as definitions have them. */
export type BlockSchema<Block extends AnyBlock> = TSchema & { readonly static: Block }

/**
 * Declares a block, of this service or of an operator, in one object: the schema of its blocks, which names its types, what
 * becomes of them, its marks and its mock.
 */
export function defineBlock<Block extends AnyBlock, Compiled>(
  declared: Omit<BlockHandler<Block, Compiled>, 'types'>,
): BlockHandler {
  return Object.freeze({ ...declared, types: tagsOf(declared.schema) }) as unknown as BlockHandler
}
