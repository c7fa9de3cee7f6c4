import type { BoardProps } from '../state/board.ts'
import { change, duration, inDigits, percent } from '../state/figures.ts'

interface TileProps {
  readonly label: string
  readonly figure: string
  readonly aside?: string
  readonly changed: string | undefined
}

function Tile({ label, figure, aside, changed }: TileProps) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd>
        <strong>{figure}</strong>
        {aside && <span class="aside">{aside}</span>}
        {changed && <span class="changed">{changed} against the time before</span>}
      </dd>
    </div>
  )
}

/** The first line: how many came, began and finished, each against the period before. */
export function Tiles({ board: { analytics, earlier } }: BoardProps) {
  const now = analytics.value
  const before = earlier.value
  if (!now) return <dl class="tiles" aria-busy="true" />
  const { conversations, started, completed, medianSeconds } = now
  return (
    <dl class="tiles">
      <Tile
        label="Visits"
        figure={inDigits(conversations)}
        changed={change(conversations, before?.conversations)}
      />
      <Tile
        label="Started"
        figure={inDigits(started)}
        aside={`${percent(started, conversations)} of visits`}
        changed={change(started, before?.started)}
      />
      <Tile
        label="Completed"
        figure={inDigits(completed)}
        aside={`${percent(completed, started)} of started`}
        changed={change(completed, before?.completed)}
      />
      <Tile
        label="Usual time to complete"
        figure={duration(medianSeconds)}
        {...(medianSeconds !== undefined && { aside: 'half of them were faster' })}
        changed={change(medianSeconds, before?.medianSeconds)}
      />
    </dl>
  )
}
