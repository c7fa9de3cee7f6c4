import { Periods } from '../../shared/periods.tsx'
import { versionInWords } from './traffic-caption.tsx'
import type { TrafficView } from './use-traffic.ts'

interface TrafficProps {
  readonly traffic: TrafficView
}

const [all, none] = ['all', 'none']

/** Which time and which versions the traffic is of. */
export function TrafficTools({ traffic: { period, drawn, versions, current } }: TrafficProps) {
  const [first, ...others] = drawn.value
  const hashes = [...new Set([...versions.value, ...drawn.value.filter((hash) => hash !== undefined)])]
  const options = [undefined, ...hashes].map((hash) => ({
    value: hash ?? all,
    words: versionInWords(hash, current.value),
  }))
  const hashOf = (value: string) => (value === all ? undefined : value)
  return (
    <div class="traffic-tools">
      <Periods
        period={period.value}
        onChoose={(chosen) => {
          period.value = chosen
        }}
      />
      {hashes.length > 1 && (
        <>
          <Choice
            label="Version"
            value={first ?? all}
            options={options}
            onChoose={(value) => {
              drawn.value = [hashOf(value), ...others]
            }}
          />
          <Choice
            label="Beside it"
            value={others.length === 0 ? none : (others[0] ?? all)}
            options={[{ value: none, words: 'Nothing' }, ...options]}
            onChoose={(value) => {
              drawn.value = value === none ? [first] : [first, hashOf(value)]
            }}
          />
        </>
      )}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly words: string }[]
  readonly onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.words}
          </option>
        ))}
      </select>
    </label>
  )
}
