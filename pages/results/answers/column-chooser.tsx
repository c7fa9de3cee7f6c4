import type { Column } from '../state/describe-answers.ts'

interface ColumnChooserProps {
  readonly columns: readonly Column[]
  /** Their keys. */
  readonly chosen: readonly string[]
  readonly onChoose: (keys: readonly string[]) => void
}

export function ColumnChooser({ columns, chosen, onChoose }: ColumnChooserProps) {
  return (
    <details class="menu">
      <summary>Columns</summary>
      <fieldset>
        <legend class="unseen">Columns of the table</legend>
        {columns.map(({ key, title }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={chosen.includes(key)}
              onChange={({ currentTarget: { checked } }) =>
                onChoose(checked ? [...chosen, key] : chosen.filter((each) => each !== key))
              }
            />
            <span dir="auto">{title}</span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
