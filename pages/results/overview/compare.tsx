import { inDigits, share } from '../state/figures.ts'
import type { Cohort, FlowOutline } from '../state/wire.ts'
import { Empty } from './empty.tsx'
import type { ViewProps } from './view-props.ts'
import { Wide } from './wide.tsx'

const usual: Readonly<Record<string, string>> = {
  version: 'Version',
  locale: 'Language',
  channel: 'Messenger',
  utm_source: 'Source (utm_source)',
  utm_medium: 'Medium (utm_medium)',
  utm_campaign: 'Campaign (utm_campaign)',
  utm_term: 'Term (utm_term)',
  utm_content: 'Content (utm_content)',
}

const differences = {
  higher: 'higher than the others',
  lower: 'lower than the others',
  'none shown': 'no difference shown',
}

/** Conversations that differ in something, set against each other with their intervals. */
export function Compare({ board, outline }: ViewProps) {
  const { analytics, place } = board
  if (!analytics.value) return null
  if (analytics.value.conversations === 0) return <Empty board={board} outline={outline} />
  const { cohorts } = analytics.value
  const isAlone = cohorts?.length === 1
  return (
    <>
      <label class="choice">
        <span>Compare by</span>
        <select
          value={place.value.by}
          onChange={({ currentTarget }) => board.move({ by: currentTarget.value })}
        >
          {Object.entries(criteriaOf(outline)).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {cohorts && (
        <Wide label="Comparison">
          <table class="cohorts">
            <caption>
              Shares with the range in which the true one lies in 95 of 100 cases.{' '}
              {isAlone
                ? 'All conversations of this time are alike in this: there is nothing to compare them with.'
                : '“No difference shown” means that there are too few conversations to tell.'}
            </caption>
            <thead>
              <tr>
                <th scope="col">{usual[place.value.by] ?? 'Way'}</th>
                <th scope="col">Visits</th>
                <th scope="col" colSpan={2}>
                  Started
                </th>
                <th scope="col" colSpan={2}>
                  Completed
                </th>
              </tr>
            </thead>
            <tbody>
              {cohorts.map((cohort) => (
                <tr key={cohort.value ?? ''}>
                  <th scope="row">{nameOf(cohort, place.value.by, outline)}</th>
                  <td>{inDigits(cohort.conversations)}</td>
                  <ShareCells part={cohort.started} isAlone={isAlone} />
                  <ShareCells part={cohort.completed} isAlone={isAlone} />
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </>
  )
}

function criteriaOf({ blocks }: FlowOutline): Readonly<Record<string, string>> {
  const tests = blocks.filter(({ type }) => type === 'AB test')
  return {
    ...usual,
    ...Object.fromEntries(tests.map(({ id, group }) => [`ab:${id}`, `AB test in ${group || id}`])),
  }
}

function nameOf({ value }: Cohort, by: string, outline: FlowOutline): string {
  if (value === undefined) return 'None'
  if (by !== 'version' || value === 'other') return value
  return `${value.slice(0, 8)}${value === outline.version ? ' (now)' : ''}`
}

interface ShareProps {
  readonly part: Cohort['started']
  /** Whether there is no other cohort that it could differ from. */
  readonly isAlone: boolean
}

function ShareCells({ part, isAlone }: ShareProps) {
  const position = (value: number) => `${value * 100}%`
  return (
    <>
      <td class="interval">
        <div class="interval-bar" aria-hidden="true">
          <i class="span" style={{ left: position(part.low), width: position(part.high - part.low) }} />
          <i class="point" style={{ left: position(part.share) }} />
        </div>
      </td>
      <td>
        {share(part.share)}{' '}
        <span class="aside">
          ({share(part.low)} to {share(part.high)})
        </span>
        {!isAlone && (
          <span class={`aside difference ${part.difference === 'none shown' ? '' : 'shown'}`}>
            {differences[part.difference]}
          </span>
        )}
      </td>
    </>
  )
}
