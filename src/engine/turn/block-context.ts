import type { Log } from '../../../schemas/log.ts'
import type { RunContext } from '../model/block-handler.ts'
import type { CodeJob, CodeResult } from '../model/effect-payloads.ts'
import { type CompiledBlock, entryOf, findGroup } from '../model/program.ts'
import type { Piece } from '../templates/json-fragment.ts'
import { type JsonTemplate, renderJson } from '../templates/json-template.ts'
import { renderText, type TextTemplate } from '../templates/text-template.ts'
import type { VariableRef, Variables } from '../values/variables.ts'
import { peekBehind } from '../walk/next-block.ts'
import { CodeResults } from './code-suspension.ts'
import { describePlace } from './describe-location.ts'
import type { Turn } from './turn.ts'

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
