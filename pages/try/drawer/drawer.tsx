import type { ComponentType } from 'preact'
import { assign } from '../../shared/assign.ts'
import { missingMedia } from '../state/media.ts'
import type { BenchProps, Tab } from '../state/workbench.ts'
import { CallsPanel } from './calls-panel.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { LogsPanel } from './logs-panel.tsx'
import { formNames, TextPanel } from './text-panel.tsx'
import { TimelinePanel } from './timeline-panel.tsx'
import { VariablesPanel } from './variables-panel.tsx'
import { WhyPanel } from './why-panel.tsx'

const panels: readonly {
  readonly tab: Tab
  readonly label: string
  readonly Panel: ComponentType<BenchProps>
}[] = [
  { tab: 'why', label: 'Why', Panel: WhyPanel },
  { tab: 'variables', label: 'Variables', Panel: VariablesPanel },
  { tab: 'calls', label: 'Calls', Panel: CallsPanel },
  { tab: 'logs', label: 'Logs', Panel: LogsPanel },
  { tab: 'findings', label: 'Findings', Panel: FindingsPanel },
  { tab: 'timeline', label: 'Timeline', Panel: TimelinePanel },
  { tab: 'text', label: '', Panel: TextPanel },
]

/** What there is to know of the conversation and its flow, in tabs. */
export function Drawer({ bench }: BenchProps) {
  const { tab } = bench
  const Chosen = panels.find((one) => one.tab === tab.value)?.Panel ?? WhyPanel
  const step = (by: number) => {
    const at = panels.findIndex((one) => one.tab === tab.value)
    const next = panels[(at + by + panels.length) % panels.length]
    if (!next) return
    tab.value = next.tab
    document.getElementById(`tab-${next.tab}`)?.focus()
  }
  return (
    <section class="drawer" aria-label="Inspector">
      <div
        class="tabs"
        role="tablist"
        aria-label="What to see"
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight') step(1)
          if (key === 'ArrowLeft') step(-1)
        }}
      >
        {panels.map(({ tab: name, label }) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={tab.value === name}
            aria-controls="panel"
            tabIndex={tab.value === name ? 0 : -1}
            onClick={assign(tab, name)}
          >
            {label || formNames[bench.draft.form.value]}
            <Count bench={bench} tab={name} />
          </button>
        ))}
      </div>
      <div
        id="panel"
        class={`panel panel-${tab.value}`}
        role="tabpanel"
        aria-labelledby={`tab-${tab.value}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it too
        tabIndex={0}
      >
        <Chosen bench={bench} />
      </div>
    </section>
  )
}

/** How much there is behind a tab where that calls for a look. */
function Count({ bench, tab }: BenchProps & { readonly tab: Tab }) {
  const { moments } = bench.trial
  const serious = () =>
    bench.draft.findings.value.filter(({ severity }) => severity !== 'info').length +
    (bench.draft.problem.value ? 1 : 0)
  const failed = () =>
    moments.value.flatMap(({ logs }) => logs).filter(({ status }) => status === 'error').length +
    missingMedia(bench.trial).length
  const count = tab === 'findings' ? serious() : tab === 'logs' ? failed() : 0
  return count === 0 ? null : <span class="count">{count}</span>
}
