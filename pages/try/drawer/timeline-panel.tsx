import { assign } from '../../shared/assign.ts'
import { goesOut, nameCall } from '../state/mock-rules.ts'
import type { Moment } from '../state/moments.ts'
import type { BenchProps } from '../state/workbench.ts'

/** Turns in their order: what was said, how long it took, and the way back to them. */
export function TimelinePanel({ bench }: BenchProps) {
  const { moments, isFree } = bench.trial
  const longest = Math.max(1, ...moments.value.map(({ trace }) => trace?.wallMs ?? 0))
  return (
    <ol class="timeline">
      {moments.value.map((moment, turn) => (
        <li key={turn} aria-current={bench.turn.value === turn ? 'step' : undefined}>
          <p class="row">
            <button type="button" class="link" onClick={assign(bench.chosenTurn, turn)}>
              Turn {turn + 1}: {turn === 0 ? 'the start' : describeSaid(moment)}
            </button>
            <button
              type="button"
              disabled={!isFree.value || moment.isElsewhere === true}
              onClick={() => void bench.backTo(turn)}
            >
              Back to turn {turn + 1}
            </button>
          </p>
          {moment.trace && <Bars trace={moment.trace} longest={longest} />}
        </li>
      ))}
    </ol>
  )
}

function describeSaid({ said, isElsewhere }: Moment): string {
  if (isElsewhere) return 'said in another tab'
  if (said?.isTimer) return 'a timer fired'
  if (said?.isGivenBack) return 'a person gave the conversation back'
  if (said?.isOfAction) return 'the browser answered'
  return said?.shown ? `“${said.shown}”` : 'nothing was said'
}

function Bars({
  trace,
  longest,
}: {
  readonly trace: NonNullable<Moment['trace']>
  readonly longest: number
}) {
  const calls = trace.steps.flatMap(({ calls: made = [] }) => made).filter(goesOut)
  const percent = (ms: number) => `${Math.max(0.5, Math.min(100, (ms / longest) * 100))}%`
  return (
    <div class="bars">
      <div class="bar" style={{ width: percent(trace.wallMs) }} />
      <small>
        {trace.wallMs.toFixed(1)} ms, {trace.engineMs.toFixed(1)} ms of it in the engine, {trace.steps.length}{' '}
        blocks
      </small>
      {calls.map((call, index) => (
        <div key={index}>
          <div class="bar call-bar" style={{ width: percent(call.ms) }} />
          <small>
            {nameCall(call)}, {call.ms.toFixed(1)} ms
          </small>
        </div>
      ))}
    </div>
  )
}
