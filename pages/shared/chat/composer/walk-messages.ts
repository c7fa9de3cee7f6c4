import type { TargetedKeyboardEvent } from 'preact'

/** Has arrows lead from message to message of a conversation, and scroll where one goes on out of sight. */
export function walkMessages(event: TargetedKeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: box } = event
  const isDown = key === 'ArrowDown'
  if (!isDown && key !== 'ArrowUp') return
  const messages = [...box.querySelectorAll<HTMLElement>('.log > :is(.line, .note, .way)')]
  const at = messages.indexOf(target as HTMLElement)
  if (at < 0 && target !== box) return
  const { top, bottom } = box.getBoundingClientRect()
  const startsInSight = (one: HTMLElement) => one.getBoundingClientRect().top > top - 1
  const endsInSight = (one: HTMLElement) => one.getBoundingClientRect().bottom < bottom + 1
  const present = messages[at]
  if (present && !(isDown ? endsInSight(present) : startsInSight(present))) return
  const first = isDown ? messages.find(startsInSight) : messages.findLast(endsInSight)
  const next = present ? messages[at + (isDown ? 1 : -1)] : first
  if (!next) return
  event.preventDefault()
  next.tabIndex = -1
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}
