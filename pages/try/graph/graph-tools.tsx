import type { Signal } from '@preact/signals'

/** What a key or a press makes of the scale. */
export const factorOfKeys = 1.25

interface GraphToolsProps {
  readonly onZoom: (factor: number) => void
  readonly onFit: () => void
  /** Of a flow that has none, undefined. */
  readonly isTrafficOn: Signal<boolean> | undefined
}

/** What moves the drawing, for who has no keys, and what it shows. */
export function GraphTools({ onZoom, onFit, isTrafficOn }: GraphToolsProps) {
  return (
    <div class="graph-tools">
      <button type="button" aria-label="Larger" onClick={() => onZoom(factorOfKeys)}>
        +
      </button>
      <button type="button" aria-label="Smaller" onClick={() => onZoom(1 / factorOfKeys)}>
        −
      </button>
      <button type="button" onClick={onFit}>
        Fit
      </button>
      {isTrafficOn && (
        <button
          type="button"
          aria-pressed={isTrafficOn.value}
          onClick={() => {
            isTrafficOn.value = !isTrafficOn.value
          }}
        >
          Traffic
        </button>
      )}
    </div>
  )
}
