import { assign } from '../../shared/assign.ts'
import { SaveMenu } from '../save/save-menu.tsx'
import type { BenchProps, Layout } from '../state/workbench.ts'
import { BlockSearch } from './block-search.tsx'

/** What can be done with the flow on the bench. */
export function Toolbar({ bench }: BenchProps) {
  const { draft, trial } = bench
  return (
    <header class="toolbar">
      <h1 title={draft.title.value}>{draft.title.value}</h1>
      <button type="button" onClick={assign(bench.isOpening, true)}>
        Open
      </button>
      <button
        type="button"
        class="main"
        disabled={!trial.isFree.value}
        onClick={() => void bench.retry()}
        title="r"
      >
        Retry
      </button>
      <button type="button" disabled={!trial.isFree.value} onClick={() => void trial.begin()}>
        Start again
      </button>
      <SaveMenu bench={bench} />
      <label class="switch" title="Calls, mails and models; else nothing leaves the service">
        <input
          type="checkbox"
          checked={trial.isReal.value}
          onChange={({ currentTarget }) => {
            trial.isReal.value = currentTarget.checked
            void trial.begin()
          }}
        />
        Send for real
      </label>
      <label class="switch">
        View
        <select
          value={bench.layout.value}
          onChange={({ currentTarget }) => {
            bench.layout.value = currentTarget.value as Layout
          }}
        >
          <option value="phone">Phone</option>
          <option value="desktop">Desktop</option>
          <option value="widget">Widget</option>
        </select>
      </label>
      <BlockSearch bench={bench} />
    </header>
  )
}
