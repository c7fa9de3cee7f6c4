import type { TraceComparison, TraceHop, TraceStep } from '../../../schemas/trace.ts'
import type { EffectAnswer } from '../../engine/model/effects.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { ReplyResult } from '../../engine/model/step.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { StepOutput, TurnJournal, WrittenVariable } from '../../engine/turn/turn-journal.ts'
import { type Value, valueLength } from '../../engine/values/value.ts'
import type { Ports } from '../../ports/ports.ts'
import type { OpenSpan } from '../../ports/spans-port.ts'
import type { PerformedEffect } from '../effects/effect-executor.ts'
import { charactersIn } from './characters-in.ts'

/** Characters that are kept of one turn: many times as many as a trace holds, and few enough for any process. */
const mostCharacters = 8 * 1024 * 1024

/** Something that the walk did. */
interface WalkEntry {
  readonly type: 'walk'
  /** On the clock that only ever grows, in milliseconds. */
  readonly at: number
  retell(to: TurnJournal): void
}

/** Something that was asked of the world. */
export interface CallEntry {
  readonly type: 'call'
  readonly effect: PerformedEffect
  readonly outcome: { readonly answer: EffectAnswer } | { readonly error: unknown }
  readonly startedAt: number
  readonly endedAt: number
  /** The block that asked. */
  readonly block: CompiledBlock | undefined
  /** How many blocks had been entered by then. */
  readonly blocks: number
  /** Begun with the call, and ended by who reads the journal. */
  readonly span: OpenSpan | undefined
  /** Of a request that code sent, which is no effect of its own: whether a mock has answered it. */
  readonly fetched?: { readonly isMocked: boolean }
}

/** Readers of a journal, as far as they decide what is written. */
interface JournalTerms {
  readonly ports: Pick<Ports, 'now' | 'elapsed'>
  /** Whether the steps of the walk are written, or calls alone. */
  readonly keepsSteps: boolean
  /** Characters that are kept at least, where a recording may hold so many. */
  readonly leastCharacters?: number
  /** The span of the turn, and what begins those of its calls. */
  readonly spans?: CallSpans | undefined
}

/** Begins and ends the spans of calls. */
export interface CallSpans {
  readonly turn: OpenSpan
  /** Undefined for what is no call. */
  begin(effect: PerformedEffect): OpenSpan | undefined
  /** The effect, which names its span to the system that it goes to. */
  propagate(effect: PerformedEffect, span: OpenSpan): PerformedEffect
  end(call: CallEntry): void
}

/**
 * Record of what one turn did, in order: the steps of its walk, and what it asked of the world with what came back. Traces,
 * recordings and spans are read from it once the turn is over; a turn that nobody observes has none.
 */
export class Journal implements TurnJournal {
  readonly entries: (WalkEntry | CallEntry)[] = []
  readonly keepsSteps: boolean
  /** Milliseconds since 1970, and on the clock of the entries. */
  readonly startedAt: number
  readonly began: number
  readonly spans: CallSpans | undefined
  readonly #elapsed: () => number
  #left: number

  constructor({ ports, keepsSteps, leastCharacters = 0, spans }: JournalTerms) {
    this.#elapsed = ports.elapsed
    this.#left = Math.max(mostCharacters, leastCharacters)
    this.startedAt = ports.now()
    this.began = ports.elapsed()
    this.keepsSteps = keepsSteps
    this.spans = spans
  }

  /** Whether entries are missing, as there was no room for them. */
  get isCut(): boolean {
    return this.#left < 0
  }

  /** The present moment on the clock of the entries. */
  get now(): number {
    return this.#elapsed()
  }

  get calls(): readonly CallEntry[] {
    return this.entries.filter((entry) => entry.type === 'call')
  }

  enter(block: CompiledBlock, flowId: string, did: TraceStep['did']): void {
    this.#step(100, (to) => to.enter(block, flowId, did))
  }

  judged(result: ReplyResult): void {
    this.#step(100, (to) => to.judged(result))
  }

  compared(comparison: TraceComparison): void {
    this.#step(100, (to) => to.compared(comparison))
  }

  logged(description: string): void {
    this.#step(description.length, (to) => to.logged(description))
  }

  produced(produced: StepOutput): void {
    this.#step(100, (to) => to.produced(produced))
  }

  wrote(variable: WrittenVariable, before: Value, after: Value): void {
    this.#step(100 + valueLength(after), (to) => to.wrote(variable, before, after))
  }

  went(hop: TraceHop): void {
    this.#step(100, (to) => to.went(hop))
  }

  /** A call begins. */
  call(effect: PerformedEffect, turn: Turn): OpenCall {
    const startedAt = this.#elapsed()
    const span = this.spans?.begin(effect)
    const end = (outcome: CallEntry['outcome']) => {
      const { block } = turn.context
      const blocks = turn.budget.trail.length
      this.#keepCall({
        type: 'call',
        effect,
        outcome,
        startedAt,
        endedAt: this.#elapsed(),
        block,
        blocks,
        span,
      })
    }
    return {
      effect: span && this.spans ? this.spans.propagate(effect, span) : effect,
      answered: (answer) => end({ answer }),
      failed: (error) => end({ error }),
    }
  }

  /** Code has sent a request. */
  fetched(effect: PerformedEffect, answer: EffectAnswer, isMocked: boolean): void {
    const at = this.#elapsed()
    const none = { block: undefined, blocks: 0, span: undefined }
    const times = { startedAt: at, endedAt: at }
    this.#keepCall({ type: 'call', effect, outcome: { answer }, ...times, ...none, fetched: { isMocked } })
  }

  #step(characters: number, retell: WalkEntry['retell']): void {
    this.#left -= characters
    if (this.#left >= 0) this.entries.push({ type: 'walk', at: this.#elapsed(), retell })
  }

  #keepCall(call: CallEntry): void {
    this.#left -= lengthOf(call)
    if (this.#left >= 0) this.entries.push(call)
    else if (call.span) this.spans?.end(call)
  }
}

/** A program that a link has led to is shared. */
function lengthOf({ effect, outcome }: CallEntry): number {
  return 'answer' in outcome && effect.type !== 'link' ? 100 + charactersIn(outcome.answer) : 100
}

/** A call that has no answer yet. */
export interface OpenCall {
  /** The effect to perform, with its span where there is one. */
  readonly effect: PerformedEffect
  answered(answer: EffectAnswer): void
  failed(error: unknown): void
}
