import { missingMedia } from '../state/media.ts'
import type { BenchProps } from '../state/workbench.ts'
import { BlockLink, TurnLink } from './links.tsx'

/** What blocks had to say to the author of the flow, and what of it visitors don't see. */
export function LogsPanel({ bench }: BenchProps) {
  const lines = bench.trial.moments.value.flatMap(({ logs }, turn) => logs.map((log) => ({ turn, log })))
  const missing = missingMedia(bench.trial)
  if (lines.length + missing.length === 0) return <p class="soft">Nothing was logged.</p>
  return (
    <ul class="lines">
      {missing.map(({ blockId, what, address, isRefused }, index) => (
        <li key={`m ${index}`} class="warning">
          <span class="severity">page</span>
          <div>
            {isRefused
              ? `Visitors see nothing of this ${what}: its address is none that the page shows.`
              : `This ${what} could not be loaded.`}{' '}
            <BlockLink bench={bench} blockId={blockId} />
            <pre>{address}</pre>
          </div>
        </li>
      ))}
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
