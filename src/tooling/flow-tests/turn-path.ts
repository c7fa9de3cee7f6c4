import type { TraceCall, TraceHop } from '../../../schemas/trace.ts'
import type { TraceListener } from '../../conversations/trace/retell.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { ReplyResult } from '../../engine/model/step.ts'

/** A block that a turn came to. */
export interface PathStep {
  readonly block: CompiledBlock
  /** The flow whose block it is. */
  readonly flowId: string
  /** Result of the reply that the turn took. */
  reply?: ReplyResult
  /** Whether a call that it made was answered by no, or not at all. */
  hasFailed?: true
  readonly went: TraceHop[]
}

/** The whole path of one turn: a trace is cut where it grows long, and what is counted must not be. */
export class TurnPath implements TraceListener {
  /** Before the first block. */
  readonly came: TraceHop[] = []
  readonly steps: PathStep[] = []

  enter(block: CompiledBlock, flowId: string): void {
    this.steps.push({ block, flowId, went: [] })
  }

  judged(result: ReplyResult): void {
    const step = this.steps.at(-1)
    if (step) step.reply = result
  }

  called(call: TraceCall): void {
    const step = this.steps.at(-1)
    if (step && hasFailed(call)) step.hasFailed = true
  }

  went(hop: TraceHop): void {
    const { went } = this.steps.at(-1) ?? { went: this.came }
    went.push(hop)
  }

  compared(): void {}
  logged(): void {}
  produced(): void {}
  wrote(): void {}
}

function hasFailed({ answer }: TraceCall): boolean {
  const { kind, status = 200 } = Object(answer) as { kind?: string; status?: number }
  if (kind === undefined || kind === 'answer' || kind === 'sent' || kind === 'token') return false
  return kind !== 'response' || status < 200 || status > 299
}
