import { signal } from '@preact/signals'
import { read, readJson, write } from '../shared/browser-storage.ts'

const key = 'flow-runtime/try/panes'

export type Side = 'talk' | 'drawer'

/** Pixels; a pane that nobody has moved is as wide as the style sheet says. */
const widths = signal((readJson(read('localStorage', key)) ?? {}) as Partial<Record<Side, number>>)

const limits = { least: 240, most: 900 } as const

/** Pixels that an arrow key moves a border. */
const stepOfKeys = 24

function setWidth(side: Side, width: number | undefined): void {
  const { [side]: _before, ...rest } = widths.value
  const kept = width && Math.round(Math.min(limits.most, Math.max(limits.least, width)))
  widths.value = kept === undefined ? rest : { ...rest, [side]: kept }
  write('localStorage', key, JSON.stringify(widths.value))
}

/** The widths that somebody has given the panes, as custom properties. */
export const paneWidths = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(widths.value).map(([side, width]) => [`--${side}-width`, `${width}px`]))

const labels: Readonly<Record<Side, string>> = {
  talk: 'Width of the conversation',
  drawer: 'Width of the inspector',
}

/** The border of a pane, which is dragged or moved by arrows; a double click or Enter gives the pane its usual width. */
export function PaneBorder({ side }: { readonly side: Side }) {
  const towards = side === 'talk' ? 1 : -1
  const present = () => document.querySelector(`.${side}`)?.getBoundingClientRect().width ?? limits.least
  const move = (by: number) => setWidth(side, present() + by * towards)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(-stepOfKeys),
    ArrowRight: () => move(stepOfKeys),
    Home: () => setWidth(side, limits.least),
    Enter: () => setWidth(side, undefined),
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule takes no focus
    <div
      class={`pane-border of-${side}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={labels[side]}
      aria-valuenow={widths.value[side] ?? Math.round(present())}
      aria-valuemin={limits.least}
      aria-valuemax={limits.most}
      onKeyDown={(event) => {
        if (!keys[event.key]) return
        event.preventDefault()
        keys[event.key]?.()
      }}
      onDblClick={() => setWidth(side, undefined)}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return
        setWidth(side, side === 'talk' ? clientX : innerWidth - clientX)
      }}
    />
  )
}
