import type { ClientSideAction } from '../../../schemas/action.ts'
import type { Input } from '../../../schemas/input.ts'
import type { Message } from '../../../schemas/message.ts'
import { type Conversation, currentFrameOf, type Frame } from '../model/conversation.ts'
import { LimitExceeded, type Limits, type TurnLimit } from '../model/limits.ts'
import type { LogEntry } from '../model/log-entry.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { UserInput } from '../model/step.ts'
import type { JsonFragment } from '../templates/json-fragment.ts'
import { BlockContext } from './block-context.ts'
import type { CodeResultCache } from './code-suspension.ts'
import { describeLocation, describeLoop } from './describe-location.ts'

/** An accepted reply, as a result keeps it. */
export interface AcceptedAnswer {
  /** The result that it belongs to; live conversations only. */
  readonly resultId: string | undefined
  readonly blockId: string
  readonly content: string
  readonly attachedFileUrls?: readonly string[]
}

/** A line of the transcript, as a result keeps it. */
export interface OutputLine {
  /** The result of the flow that was being walked. */
  readonly resultId: string | undefined
  readonly role: 'assistant' | 'user'
  readonly text: string
}

/** What a turn has produced so far; when it is over, its outcome. */
export interface TurnOutput {
  readonly messages: JsonFragment<Message>[]
  input: JsonFragment<Input> | undefined
  readonly actions: JsonFragment<ClientSideAction>[]
  readonly logs: LogEntry[]
  readonly answers: AcceptedAnswer[]
  /** What was shown and said, where it is kept. */
  readonly said: OutputLine[]
  /** Present when a reply was accepted in another form than it was sent. */
  lastMessageNewFormat: string | undefined
  /** Linked flows that ended and have a result of their own. */
  readonly finished: Frame[]
  /** The addresses of the theme that change with the conversation, as they are at the end of the turn. */
  dynamicTheme: Readonly<Record<string, string>> | undefined
  /** Defects of handlers, which the walk survived; for the log of the service. */
  readonly defects: { readonly error: unknown; readonly block: CompiledBlock }[]
}

/** How often others get a chance to be served, in blocks. */
const blocksPerYield = 4

/** Characters charged after which others get such a chance before the next block, however few blocks there were. */
const costPerYield = 16 * 1024

/** How often a busy block looks at the clock, in characters. */
const costPerDeadlineCheck = 64 * 1024

/** What a turn is run with. */
export interface TurnOptions {
  readonly limits: Limits
  readonly textBubbleContentFormat: 'richText' | 'markdown'
  /** Where this service is reached from outside. */
  readonly publicUrl?: string | undefined
  /** Whether results are read, by others than flows that remember their visitors. */
  readonly areResultsRead?: boolean
  /** Milliseconds that only ever grow. */
  elapsed(): number
}

/** One request's walk: the conversation it moves, what it has produced, and what it has used up. */
export class Turn {
  readonly conversation: Conversation
  readonly limits: Limits
  readonly textBubbleContentFormat: 'richText' | 'markdown'
  readonly publicUrl: string | undefined
  readonly output: TurnOutput = {
    messages: [],
    input: undefined,
    actions: [],
    logs: [],
    answers: [],
    said: [],
    finished: [],
    lastMessageNewFormat: undefined,
    dynamicTheme: undefined,
    defects: [],
  }
  /** What came in with the request, once it was taken. */
  input: UserInput | undefined
  /** What code came to in the work at hand; undefined until some has run. */
  code: CodeResultCache | undefined
  /** Every block that ran, for naming the loop that used up a budget. */
  readonly trail: CompiledBlock[] = []
  /** The last bubble shown in this response; actions run after it. */
  lastBubbleBlockId: string | undefined
  /** Whether a block looked at what belongs to this visitor alone, without having been told by anybody. */
  readVisitorData = false
  /** Whether a budget was spent, so that nothing more is run. */
  isStopped = false
  /** The limits that it came up against, as often as it did; for the operator. */
  readonly limitsReached: TurnLimit[] = []
  /** Characters counted against the budget of the turn. */
  cost = 0
  #costAtBegin = 0
  #context: BlockContext | undefined

  readonly #areResultsRead: boolean
  readonly #clock: () => number
  /** When others could last be served, and the characters after which the clock is looked at again. */
  #resumedAt: number
  #nextDeadlineCheck = costPerDeadlineCheck
  #nextYield = costPerYield

  constructor(conversation: Conversation, options: TurnOptions) {
    this.conversation = conversation
    this.limits = options.limits
    this.textBubbleContentFormat = options.textBubbleContentFormat
    this.publicUrl = options.publicUrl
    this.#areResultsRead = options.areResultsRead ?? true
    this.#clock = options.elapsed
    this.#resumedAt = options.elapsed()
  }

  /** Whether what is shown and said goes into a result that is kept. */
  get keepsLines(): boolean {
    const { isLive, frames } = this.conversation
    return isLive && (this.#areResultsRead || frames.some(({ program }) => program.remembersVisitors))
  }

  get currentFrame(): Frame {
    return currentFrameOf(this.conversation)
  }

  /** What a block that is about to run may use. */
  contextOf(block: CompiledBlock): BlockContext {
    this.#context ??= new BlockContext(this, block)
    this.#context.block = block
    return this.#context
  }

  /** Counts a block against the budget of the turn. Whether it is time to let others be served. */
  enter(block: CompiledBlock): boolean {
    if (this.trail.length >= this.limits.blocksPerTurn) {
      throw new LimitExceeded('blocksPerTurn', `more than ${this.limits.blocksPerTurn} blocks in one turn`)
    }
    this.trail.push(block)
    return this.trail.length % blocksPerYield === 0 || this.cost > this.#nextYield
  }

  /** Counts characters against the budget of the turn. */
  consume(characters: number): void {
    this.cost += characters
    if (this.cost > this.limits.charactersPerTurn) {
      throw new LimitExceeded(
        'charactersPerTurn',
        `more than ${this.limits.charactersPerTurn} characters in one turn`,
      )
    }
    if (this.cost > this.#nextDeadlineCheck) this.#checkDeadline()
  }

  /** A piece of work begins, or begins again: a block that runs, a reply that is read. */
  beginWork(): void {
    this.#costAtBegin = this.cost
  }

  /** Characters counted since the piece of work began. */
  get costOfWork(): number {
    return this.cost - this.#costAtBegin
  }

  /** Others had a chance to be served. */
  onResumed(): void {
    this.#resumedAt = this.#clock()
    this.#nextYield = this.cost + costPerYield
  }

  /** A backstop: one block can be given so much to do that counting alone would let it run for seconds. */
  #checkDeadline(): void {
    this.#nextDeadlineCheck = this.cost + costPerDeadlineCheck
    if (this.#clock() - this.#resumedAt > this.limits.blockMs) {
      throw new LimitExceeded('blockMs', `it went on for more than ${this.limits.blockMs} ms without a break`)
    }
  }

  log(entry: LogEntry): void {
    this.consume(entry.description.length + (entry.details?.length ?? 0))
    this.output.logs.push(entry)
  }

  show(message: JsonFragment<Message>): void {
    if (this.output.messages.length >= this.limits.messagesPerTurn) {
      throw new LimitExceeded(
        'messagesPerTurn',
        `more than ${this.limits.messagesPerTurn} messages in one turn`,
      )
    }
    this.consume(message.json.length)
    this.output.messages.push(message)
  }

  act(action: JsonFragment<ClientSideAction>): void {
    this.consume(action.json.length)
    this.output.actions.push(action)
  }

  ask(input: JsonFragment<Input>): void {
    this.consume(input.json.length)
    this.output.input = input
  }

  /** The loop at the end of the trail; before any block has run, the one that took what came in. */
  #describePosition(): string {
    const { block } = this.#context ?? {}
    return this.trail.length === 0 && block ? describeLocation(block) : describeLoop(this.trail)
  }

  /**
   * Ends the conversation where it is when a budget is spent, with a log that names the loop; anything else is
   * thrown again. The log is told even when the budget for logs is what is spent.
   */
  stopFor(error: unknown): void {
    if (!(error instanceof LimitExceeded)) throw error
    this.isStopped = true
    this.limitsReached.push(error.limit)
    this.output.logs.push({
      audience: 'visitors',
      status: 'error',
      description: error.message,
      details: this.#describePosition(),
    })
    this.output.input = undefined
    this.conversation.waitingBlock = undefined
  }
}
