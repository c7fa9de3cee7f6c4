import { evaluate } from '../javascript/evaluate.ts'
import type { CodeResults } from '../javascript/evaluate-ahead.ts'
import type { CodeOutcome } from '../javascript/outcome.ts'
import { createRunCode } from '../javascript/sandbox-job.ts'
import type { Contact, ConversationChannel } from '../model/contact.ts'
import type { Conversation } from '../model/conversation.ts'
import type { LogEntry } from '../model/log-entry.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { RunCode } from '../model/scope.ts'
import type { PendingPayment } from '../model/step.ts'
import type { Code } from '../model/template.ts'
import type { JsonFragment } from '../templates/json-fragment.ts'
import { type JsonTemplate, renderJson } from '../templates/json-template.ts'
import { renderText, type TextTemplate } from '../templates/text-template.ts'
import type { VariableRef, Variables } from '../values/variables.ts'
import { peekNext } from '../walk/next-block.ts'
import { describeLocation } from './describe-location.ts'
import { Turn, type TurnContext, type TurnOptions } from './turn.ts'
import type { TurnJournal } from './turn-journal.ts'

/** Begins a turn of a conversation, which the turn changes in place. */
export function createTurn(conversation: Conversation, options: TurnOptions): Turn {
  return new Turn(conversation, options, (turn) => new BlockContext(turn))
}

/** View of a turn for the block that it runs. One object serves all blocks of a turn. */
class BlockContext implements TurnContext {
  readonly #turn: Turn
  block!: CompiledBlock
  results: CodeResults | undefined
  /** Made when the first code of the work is to be run. */
  #runCode: RunCode | undefined

  constructor(turn: Turn) {
    this.#turn = turn
  }

  begin(block: CompiledBlock): void {
    this.block = block
    this.results = undefined
    this.#runCode = undefined
  }

  get blockId(): string {
    return this.block.id
  }

  get place(): string {
    return describeLocation(this.block)
  }

  get variables(): Variables {
    return this.#turn.currentFrame.variables
  }

  get isLegacy(): boolean {
    return this.#turn.currentFrame.program.isLegacy
  }

  get isLive(): boolean {
    return this.#turn.conversation.isLive
  }

  get isMocked(): boolean {
    return this.#turn.conversation.isMocked === true
  }

  get flowId(): string {
    return this.#turn.currentFrame.program.id
  }

  get journal(): TurnJournal | undefined {
    return this.#turn.journal
  }

  get resultId(): string | undefined {
    this.#turn.readsVisitorData = true
    return this.#turn.currentFrame.resultId
  }

  get contact(): Contact | undefined {
    return this.#turn.conversation.contact
  }

  get channel(): ConversationChannel | undefined {
    return this.#turn.conversation.channel
  }

  get publicUrl(): string | undefined {
    return this.#turn.publicUrl
  }

  get textBubbleContentFormat(): 'richText' | 'markdown' {
    return this.#turn.textBubbleContentFormat
  }

  get payment(): PendingPayment | undefined {
    const { payment } = this.#turn.conversation
    return payment?.blockId === this.block.id ? payment : undefined
  }

  get transcript(): readonly string[] {
    return this.#turn.conversation.transcript ?? []
  }

  get answers(): readonly (readonly [string, string])[] {
    return [...this.#turn.currentFrame.answers]
  }

  get streamedVariable(): VariableRef | undefined {
    const { conversation, currentFrame } = this.#turn
    return conversation.isStreamEnabled
      ? peekNext(this.block, currentFrame.program)?.leadingVariable
      : undefined
  }

  // Handlers take these apart and pass them on, so they are bound to the turn.

  readonly log = (entry: LogEntry): void => this.#turn.output.log(entry)

  readonly evaluate = (code: Code): CodeOutcome => this.results?.read(code, this) ?? evaluate(code, this)

  get runCode(): RunCode {
    this.#runCode ??= createRunCode('in one block', () => this.#turn.budget.letOthersRun())
    return this.#runCode
  }

  readonly spend = (characters: number): void => this.#turn.budget.consume(characters)

  readonly render = <T>(template: JsonTemplate<T>): JsonFragment<T> => renderJson(template, this)

  readonly text = (template: TextTemplate): string => renderText(template, this)
}
