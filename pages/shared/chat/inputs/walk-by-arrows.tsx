import type { ComponentProps } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Buttons among which arrows move: one stop for Tab, which is the one where the focus was last. */
export function WalkedByArrows(props: ComponentProps<'fieldset'>) {
  const group = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const buttons = buttonsIn(group.current)
    stopAt(buttons, buttons.find(({ tabIndex }) => tabIndex === 0) ?? buttons[0])
  })
  return (
    <fieldset
      {...props}
      ref={group}
      onKeyDown={(event) => {
        const buttons = buttonsIn(group.current)
        const at = buttons.indexOf(event.target as HTMLButtonElement)
        const next = at < 0 ? undefined : buttons[indexAfter(event, at, buttons.length)]
        if (!next) return
        event.preventDefault()
        next.focus()
      }}
      onFocusIn={({ target }) => stopAt(buttonsIn(group.current), target as HTMLButtonElement)}
    />
  )
}

const buttonsIn = (group: HTMLElement | null) => [
  ...(group?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? []),
]

function stopAt(buttons: readonly HTMLButtonElement[], stop: HTMLButtonElement | undefined): void {
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1
}

/** Where a key leads; undefined for one that leads nowhere. */
function indexAfter({ key, target }: KeyboardEvent, at: number, count: number): number {
  const isRightToLeft = getComputedStyle(target as HTMLElement).direction === 'rtl'
  const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const backward = isRightToLeft ? 'ArrowRight' : 'ArrowLeft'
  if (key === forward || key === 'ArrowDown') return (at + 1) % count
  if (key === backward || key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : -1
}
