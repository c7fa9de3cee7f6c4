import type { Log } from '../../schemas/log.ts'
import type { RunContext } from './block-handler.ts'
import { type JsonTemplate, renderJson } from './json-template.ts'
import type { CodeJob, CodeResult } from './outside.ts'
import { peekBehind } from './paths.ts'
import type { Piece } from './piece.ts'
import { describePlace } from './place.ts'
import { type CompiledBlock, entryOf, findGroup } from './program.ts'
import { CodeResults } from './suspended.ts'
import { renderText, type TextTemplate } from './text-template.ts'
import type { Turn } from './turn.ts'
import type { VariableRef, Variables } from './variables.ts'

/** What a block sees of the turn that runs it. One object serves all blocks of a turn. */
export class TurnContext implements RunContext {
  readonly #turn: Turn
  /** The block that is running; set by the walk. */
  block: CompiledBlock

  constructor(turn: Turn, block: CompiledBlock) {
    this.#turn = turn
    this.block = block
  }

  get blockId(): string {
    return this.block.id
  }

  get place(): string {
    return describePlace(this.block)
  }

  get variables(): Variables {
    return this.#turn.front.variables
  }

  get isLegacy(): boolean {
    return this.#turn.front.program.isLegacy
  }

  get isLive(): boolean {
    return this.#turn.conversation.isLive
  }

  get flowId(): string {
    return this.#turn.front.program.id
  }

  get resultId(): string | undefined {
    this.#turn.isPersonal = true
    return this.#turn.front.resultId
  }

  get publicUrl(): string | undefined {
    return this.#turn.publicUrl
  }

  get textBubbleContentFormat(): 'richText' | 'markdown' {
    return this.#turn.textBubbleContentFormat
  }

  get transcript(): readonly string[] {
    return this.#turn.conversation.transcript ?? []
  }

  get answers(): readonly (readonly [string, string])[] {
    return [...this.#turn.front.answers]
  }

  get streamedVariable(): VariableRef | undefined {
    const { conversation, front } = this.#turn
    return conversation.isStreamEnabled ? peekBehind(this.block, front.program)?.opensWith : undefined
  }

  // Handlers take these apart and pass them on, so they are bound to the turn.

  readonly log = (entry: Log): void => this.#turn.log(entry)

  readonly sandbox = (job: CodeJob): CodeResult => {
    this.#turn.code ??= new CodeResults()
    return this.#turn.code.resultOf(job)
  }

  readonly spend = (characters: number): void => this.#turn.spend(characters)

  readonly render = <T>(template: JsonTemplate<T>): Piece<T> => renderJson(template, this)

  readonly text = (template: TextTemplate): string => renderText(template, this)

  readonly findGroup: RunContext['findGroup'] = (by, value) => findGroup(this.#turn.front.program, by, value)

  readonly entry: RunContext['entry'] = () => entryOf(this.#turn.front.program)
}
