import { type Period, rangesOf } from './period.ts'

const latest = [
  { days: 1, label: 'Today' },
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
]

interface PeriodsProps {
  readonly period: Period
  readonly onChoose: (period: Period) => void
}

/** Chooses days up to now, everything, or the days from one to another. */
export function Periods({ period, onChoose }: PeriodsProps) {
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
      <span class={`days of-${period.kind}`}>
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
