import type { TraceCall, TraceComparison, TraceHop, TraceStep, TurnTrace } from '../../../schemas/trace.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { ReplyResult } from '../../engine/model/step.ts'
import type { StepOutput, WrittenVariable } from '../../engine/turn/turn-journal.ts'
import type { Value } from '../../engine/values/value.ts'
import { rounded, type TraceListener } from './retell.ts'

/** Characters of one text, elements of one list, levels of one value. */
const longestText = 1024
const longestList = 50
const deepest = 8

/** Characters of all values of one turn, and its steps. */
const longestTurn = 128 * 1024
const mostSteps = 1000

/** Characters that the place of a step takes beside its ids. */
const namesOfPlace = 100

/** A step that is being written. */
interface OpenStep {
  readonly step: Omit<TraceStep, 'went' | 'ms'>
  readonly went: TraceHop[]
  readonly startedAt: number
}

/** Makes the trace of a turn of what is retold of it, as long as a trace may be. */
export class TraceBuilder implements TraceListener {
  readonly #clock: () => number
  readonly #came: TraceHop[] = []
  readonly #steps: TraceStep[] = []
  #open: OpenStep | undefined
  #left = longestTurn
  #isCut = false

  /** `clock` returns milliseconds that only ever grow. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  enter(block: CompiledBlock, flowId: string, did: TraceStep['did']): void {
    this.#close()
    if (this.#left <= 0 || this.#steps.length >= mostSteps) this.#isCut = true
    if (this.#isCut) return
    const { id: blockId, type: blockType, group, pointer } = block
    const place = { flowId, groupId: group.id, blockId, blockType, pointer }
    this.#left -= namesOfPlace + flowId.length + group.id.length + blockId.length + pointer.length
    this.#open = { step: { block: place, did }, went: [], startedAt: this.#clock() }
  }

  judged(result: ReplyResult): void {
    if (!this.#open) return
    const { outcome } = result
    const content = outcome === 'accepted' && { content: this.#cut(result.content) as string }
    const rule = outcome === 'refused' && { rule: this.#cut(result.rule) as string }
    this.#open.step.reply = { outcome, ...content, ...rule }
  }

  compared(comparison: TraceComparison): void {
    this.#add('comparisons', comparison)
  }

  called(call: TraceCall): void {
    this.#add('calls', call)
  }

  logged(description: string): void {
    this.#add('logs', description)
  }

  produced({ message, input, actions }: StepOutput): void {
    if (!this.#open) return
    const { step } = this.#open
    if (message) step.message = this.#cut(message.value)
    if (input) step.input = this.#cut(input.value)
    for (const action of actions ?? []) this.#add('actions', action)
  }

  wrote(variable: WrittenVariable, before: Value, after: Value): void {
    const { id, name } = variable
    this.#add('wrote', { ...(id !== undefined && { variableId: id }), variable: name, before, after })
  }

  went(hop: TraceHop): void {
    this.#left -= 40
    if (this.#open) this.#open.went.push(hop)
    else if (!this.#isCut) this.#came.push(hop)
  }

  /** Ends the last step, and returns what is known of the turn. */
  finish(): Pick<TurnTrace, 'came' | 'steps' | 'isCut'> {
    this.#close()
    return { came: this.#came, steps: this.#steps, ...(this.#isCut && { isCut: true }) }
  }

  #add(list: 'comparisons' | 'calls' | 'logs' | 'actions' | 'wrote', item: unknown): void {
    if (!this.#open) return
    const { step } = this.#open
    const items: unknown[] | undefined = step[list]
    const kept = this.#cut(item)
    if (items) items.push(kept)
    else Object.assign(step, { [list]: [kept] })
  }

  #close(): void {
    if (!this.#open) return
    const { step, went, startedAt } = this.#open
    this.#steps.push(Object.assign(step, { went, ms: rounded(this.#clock() - startedAt) }))
    this.#open = undefined
  }

  /** A copy with long texts and lists cut; counted against what a turn may take. */
  #cut(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.#cutText(value)
    this.#left -= 8
    // Code may yield what JSON has no form for; the name of such a value says more than null would.
    if (typeof value === 'bigint') return this.#cutText(`${value}n`)
    if (value instanceof Date) return value.toJSON()
    if (typeof value !== 'object' || value === null) return value
    if (depth === deepest || this.#left <= 0) return '…'
    if (Array.isArray(value)) {
      const kept = value.slice(0, longestList).map((element) => this.#cut(element, depth + 1))
      if (value.length > longestList) kept.push(`… ${value.length - longestList} more`)
      return kept
    }
    const entries: [string, unknown][] = []
    for (const [key, part] of Object.entries(value)) {
      if (entries.length === longestList) break
      entries.push([this.#cutText(key), this.#cut(part, depth + 1)])
    }
    return Object.fromEntries(entries)
  }

  #cutText(text: string): string {
    const length = Math.max(0, Math.min(longestText, this.#left))
    this.#left -= Math.min(text.length, length) + 2
    return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
  }
}
