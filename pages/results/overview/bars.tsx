import { inDigits, percent } from '../state/figures.ts'
import type { Bar } from '../state/spread.ts'

interface BarsProps {
  readonly caption: string
  readonly bars: readonly Bar[]
  readonly total: number
}

/** A bar chart that is a table as well. */
export function Bars({ caption, bars, total }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <table class="bars">
      <caption class="unseen">{caption}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">Answer</th>
          <th scope="col">Bar</th>
          <th scope="col">How often</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, count }) => (
          <tr key={label}>
            <th scope="row" dir="auto">
              {label}
            </th>
            <td>
              <div class="bar" aria-hidden="true">
                <i class="stayed" style={{ width: `${(count / most) * 100}%` }} />
              </div>
            </td>
            <td>{inDigits(count)}</td>
            <td>{percent(count, total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
