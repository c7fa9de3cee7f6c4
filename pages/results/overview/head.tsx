import type { BoardProps } from '../state/board.ts'
import { type Period, rangesOf } from '../state/period.ts'

const latest = [
  { days: 1, label: 'Today' },
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
]

/** Which flow, of which time and version. */
export function Head({ board }: BoardProps) {
  const { list, place, analytics, outline } = board
  const { flow, period, version } = place.value
  const flows = list.value?.flows ?? []
  const isListed = flows.some(({ publicId }) => publicId === flow)
  const versions = analytics.value?.versions ?? []
  const current = outline.value?.version
  return (
    <header class="head">
      <h1>Results</h1>
      {list.value && (
        <label class="choice">
          <span>Flow</span>
          <select value={flow} onChange={({ currentTarget }) => void board.chooseFlow(currentTarget.value)}>
            {!isListed && flow !== undefined && <option value={flow}>{flow}</option>}
            {flows.map(({ publicId, name }) => (
              <option key={publicId} value={publicId}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {outline.value && <Periods period={period} onChoose={(chosen) => board.move({ period: chosen })} />}
      {outline.value && (versions.length > 1 || version !== undefined) && (
        <label class="choice">
          <span>Version</span>
          <select
            value={version ?? ''}
            onChange={({ currentTarget }) => board.move({ version: currentTarget.value || undefined })}
          >
            <option value="">All</option>
            {version !== undefined && versions.every(({ hash }) => hash !== version) && (
              <option value={version}>{version.slice(0, 8)}</option>
            )}
            {versions.map(({ hash }) => (
              <option key={hash} value={hash}>
                {hash.slice(0, 8)}
                {hash === current ? ' (now)' : ''}
              </option>
            ))}
          </select>
        </label>
      )}
    </header>
  )
}

interface PeriodsProps {
  readonly period: Period
  readonly onChoose: (period: Period) => void
}

function Periods({ period, onChoose }: PeriodsProps) {
  const today = new Date().toISOString().slice(0, 10)
  const { from = today } = rangesOf(period, Date.now()).range
  const own = period.kind === 'own' ? period : { from, until: today }
  const choose = (change: { readonly from?: string; readonly until?: string }) => {
    const { from: first, until } = { ...own, ...change }
    if (first && until)
      onChoose({ kind: 'own', from: first < until ? first : until, until: first < until ? until : first })
  }
  return (
    <fieldset class="periods">
      <legend class="unseen">Time</legend>
      {latest.map(({ days, label }) => (
        <button
          key={days}
          type="button"
          aria-pressed={period.kind === 'latest' && period.days === days}
          onClick={() => onChoose({ kind: 'latest', days })}
        >
          {label}
        </button>
      ))}
      <button type="button" aria-pressed={period.kind === 'all'} onClick={() => onChoose({ kind: 'all' })}>
        All
      </button>
      <span class={period.kind === 'own' ? 'days chosen' : 'days'}>
        <input
          type="date"
          aria-label="From this day"
          value={own.from}
          max={today}
          onChange={({ currentTarget }) => choose({ from: currentTarget.value })}
        />
        –
        <input
          type="date"
          aria-label="Until this day"
          value={own.until}
          max={today}
          onChange={({ currentTarget }) => choose({ until: currentTarget.value })}
        />
      </span>
    </fieldset>
  )
}
