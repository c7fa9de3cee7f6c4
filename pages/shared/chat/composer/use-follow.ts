import { effect, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ChatModel } from '../chat-model.ts'
import { entryId } from '../entry.ts'

/** Pixels from the end within which somebody reads what comes in. */
const nearEnd = 48

/**
 * Keeps the end of a conversation in sight of who is there: a long turn from its first bubble, what grows later to its
 * end. Others learn by `hasNew` that something came.
 */
export function useFollow({ entries, revealed, turnStart }: ChatModel) {
  const scroll = useRef<HTMLDivElement>(null)
  const hasNew = useSignal(false)
  const showNew = useRef(() => {})
  useEffect(() => {
    const box = scroll.current
    const column = box?.firstElementChild
    if (!box || !column) return undefined
    let isAtEnd = true
    /** The entry that stays in sight while the rest of its turn comes in. */
    let first: number | undefined
    let [placed, seen, said] = [0, 0, 0]
    const look = () => {
      isAtEnd = box.scrollHeight - box.clientHeight - box.scrollTop < nearEnd
      if (isAtEnd) seen = revealed.peek()
      hasNew.value = revealed.peek() > seen
    }
    const place = () => {
      const shown = first === undefined ? null : column.querySelector<HTMLElement>(`#${entryId(first)}`)
      if (isAtEnd || shown) {
        box.scrollTop = Math.min(box.scrollHeight, shown ? shown.offsetTop - 8 : Number.POSITIVE_INFINITY)
        placed = box.scrollTop
      }
      look()
    }
    const letGo = () => {
      first = undefined
    }
    const follow = () => {
      letGo()
      isAtEnd = true
      place()
    }
    showNew.current = follow
    const sizes = new ResizeObserver(place)
    sizes.observe(column)
    sizes.observe(box)
    const onScroll = () => {
      // Tells of a place that was taken here, when more may have come in since.
      if (Math.abs(box.scrollTop - placed) < 2) return
      letGo()
      look()
    }
    box.addEventListener('scroll', onScroll)
    const acts = ['pointerdown', 'keydown', 'input', 'drop']
    for (const act of acts) box.addEventListener(act, letGo)
    const ends = [
      effect(() => {
        if (turnStart.value === undefined) {
          seen = 0
          letGo()
        } else if (isAtEnd) first ??= turnStart.value
      }),
      effect(() => {
        const count = entries.value.filter(({ kind }) => kind === 'said').length
        if (count > said) follow()
        said = count
      }),
    ]
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', onScroll)
      for (const act of acts) box.removeEventListener(act, letGo)
      for (const end of ends) end()
    }
  }, [])
  return { scroll, hasNew: hasNew.value, showNew: () => showNew.current() }
}
