import type { BenchProps } from '../state/workbench.ts'

/** Where a turn that is stepped through stands, and the ways on from there. */
export function StepBar({ bench }: BenchProps) {
  const { position, by, goOn, leave } = bench.trial.stepper
  if (!position.value) return null
  const { turn, done } = position.value
  const steps = bench.trial.moments.value[turn]?.trace?.steps ?? []
  const next = steps[done]?.block.blockId ?? ''
  const block = bench.draft.parts.value.blocks.get(next)
  return (
    <div class="banner">
      <span role="status">
        Turn {turn + 1}, {done} of {steps.length} blocks done. Next:{' '}
        <b>{block ? `${block.groupTitle}: ${block.label}` : next}</b>
      </span>
      <button type="button" disabled={done === 0} title="p" onClick={() => by(-1)}>
        Step back
      </button>
      <button type="button" class="main" title="n" onClick={() => by(1)}>
        Step
      </button>
      <button type="button" title="c" onClick={goOn}>
        To the next breakpoint
      </button>
      <button type="button" onClick={leave}>
        To the end of the turn
      </button>
    </div>
  )
}
