import type { BenchProps } from '../state/workbench.ts'
import { TurnLink } from './links.tsx'

/** What blocks had to say to the author of the flow. */
export function LogsPanel({ bench }: BenchProps) {
  const lines = bench.trial.moments.value.flatMap(({ logs }, turn) => logs.map((log) => ({ turn, log })))
  if (lines.length === 0) return <p class="soft">Nothing was logged.</p>
  return (
    <ul class="lines">
      {lines.map(({ turn, log: { status = 'info', description, details } }, index) => (
        <li key={index} class={status}>
          <span class="severity">{status}</span>
          <div>
            {description} <TurnLink bench={bench} turn={turn} />
            {details !== undefined && (
              <pre>{typeof details === 'string' ? details : JSON.stringify(details, null, 2)}</pre>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
