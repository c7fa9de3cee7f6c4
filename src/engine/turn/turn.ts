import type { CodeResults } from '../javascript/evaluate-ahead.ts'
import type { RunContext } from '../model/block-handler.ts'
import type { Conversation, Frame } from '../model/conversation.ts'
import { LimitExceeded, type Limits } from '../model/limits.ts'
import { logPlaceOf, visibleError } from '../model/log-entry.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { UserInput } from '../model/step.ts'
import type { SensitiveValue } from '../values/sensitive-values.ts'
import { describeLocation, describeLoop } from './describe-location.ts'
import { TurnBudget } from './turn-budget.ts'
import type { TurnJournal } from './turn-journal.ts'
import { TurnOutput } from './turn-output.ts'
import { type CountedName, TurnTally } from './turn-tally.ts'

/** Options of a turn. */
export interface TurnOptions {
  readonly limits: Limits
  readonly textBubbleContentFormat: 'richText' | 'markdown'
  /** Address of this service from outside. */
  readonly publicUrl?: string | undefined
  /** Whether results are read, by others than flows that remember their visitors. */
  readonly areResultsRead?: boolean
  /** Absent if no trace is requested. */
  readonly journal?: TurnJournal | undefined
  /** Milliseconds that only ever grow. */
  elapsed(): number
}

/** View of a turn for blocks: one object for all of them, which is set to the block that is about to run. */
export interface TurnContext extends RunContext {
  /** The block that runs, or ran last; undefined before the first. */
  readonly block: CompiledBlock | undefined
  /** Results of the code in the texts of the work, once it has been evaluated. */
  results: CodeResults | undefined
  /** Begins work of a block, in which no code has run yet. */
  begin(block: CompiledBlock): void
}

/** One request's walk: the conversation that it moves, what it has produced, and what it has used up. */
export class Turn {
  readonly conversation: Conversation
  /** The flow being walked: the last of the conversation, which is asked for several times a block. */
  currentFrame: Frame
  /** Whether a flow that it has walked writes to a result that is kept, with the messages of both sides. */
  keepsResults: boolean
  /** Whether a flow that it has walked does something by itself. */
  isTimed: boolean
  /** Whether anybody reads what is shown and said. */
  isTranscribed: boolean
  readonly budget: TurnBudget
  readonly output: TurnOutput
  readonly textBubbleContentFormat: 'richText' | 'markdown'
  readonly publicUrl: string | undefined
  readonly journal: TurnJournal | undefined
  /** Undefined where nobody reads counts of it. */
  readonly tally: TurnTally | undefined
  readonly context: TurnContext
  /** Content of the request, once a block took it. */
  input: UserInput | undefined
  /** Former values of marked variables, and replies to inputs that fill them. */
  readonly sensitive: SensitiveValue[] = []
  /** Whether a block read data of this visitor alone that came from no request: the outcome is not for others. */
  readsVisitorData = false

  /** Use `createTurn`, which knows how a context is made. */
  constructor(conversation: Conversation, options: TurnOptions, createContext: (turn: Turn) => TurnContext) {
    this.conversation = conversation
    const { frames, isLive } = conversation
    const { areResultsRead = true } = options
    this.currentFrame = frames.at(-1) as Frame
    this.keepsResults = isLive && (areResultsRead || frames.some(({ program }) => program.remembersVisitors))
    this.isTimed = frames.some(({ program }) => program.timers !== undefined)
    this.isTranscribed = this.keepsResults || conversation.transcript !== undefined
    this.budget = new TurnBudget(options.limits, options.elapsed)
    this.journal = options.journal
    this.context = createContext(this)
    const place = () => logPlaceOf(this.currentFrame.program, this.context.block)
    this.output = new TurnOutput(this.budget, place, options.journal)
    this.textBubbleContentFormat = options.textBubbleContentFormat
    this.publicUrl = options.publicUrl
    this.tally = isLive && areResultsRead ? new TurnTally(frames[0].program.id) : undefined
  }

  /** Begins to walk another flow, from within the current one. */
  enterFrame(frame: Frame): void {
    this.conversation.frames.push(frame)
    this.currentFrame = frame
    this.keepsResults ||= this.conversation.isLive && frame.program.remembersVisitors
    this.isTimed ||= frame.program.timers !== undefined
    this.isTranscribed ||= this.keepsResults
  }

  /** The name that counts have for a part of the flow that is being walked. */
  countedName(id: string): CountedName {
    return this.tally?.nameOf(this.currentFrame.program.id, id) ?? id
  }

  /** Takes what came in to the block that waits for it, which waits no more. */
  take(input: UserInput | undefined): void {
    this.conversation.waitingBlock = undefined
    this.conversation.sleep = undefined
    this.conversation.pause = undefined
    this.output.input = undefined
    this.input = input
  }

  /**
   * Ends the conversation where it is when a budget is spent, with a log that names the loop; anything else is
   * thrown again. The log is written even when the budget for logs is what is spent.
   */
  stopFor(error: unknown): void {
    if (!(error instanceof LimitExceeded)) throw error
    this.budget.stop(error.limit)
    this.journal?.went({ why: 'limit' })
    this.output.logUncharged(visibleError({ description: error.message, details: this.#describePosition() }))
    this.output.input = undefined
    this.conversation.waitingBlock = undefined
    this.conversation.pause = undefined
  }

  /** The loop at the end of the trail; before any block has run, the one that took what came in. */
  #describePosition(): string {
    const { trail } = this.budget
    const { block } = this.context
    return trail.length === 0 && block ? describeLocation(block) : describeLoop(trail)
  }
}
