import type { BenchProps } from '../state/workbench.ts'
import { GraphView } from './graph-view.tsx'

/** The graph of the draft that is open, with the conversation up to the turn that is looked at. */
export function GraphPane({ bench }: BenchProps) {
  const { draft, trial, turn, current, selected, select } = bench
  const { definition, parts, findings, origin } = draft
  const turns = trial.moments.value.slice(0, turn.value + 1)
  return (
    <GraphView
      // Another flow begins with all of it in sight.
      key={`${origin.value?.kind} ${origin.value?.label}`}
      definition={definition.value}
      parts={parts.value}
      trace={turns.flatMap(({ trace }) => trace ?? [])}
      current={current.value}
      findings={findings.value}
      selected={selected.value}
      onSelect={select}
    />
  )
}
