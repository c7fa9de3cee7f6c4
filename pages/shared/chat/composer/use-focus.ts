import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { ChatModel } from '../chat-model.ts'
import { isTyped } from './typed-inputs.ts'

/**
 * Keeps the focus in a conversation once it is there, whatever of it goes, and where somebody has a keyboard leads it to
 * what is asked. A page that is only about the conversation (`isAlone`) has it there from the beginning.
 */
export function useFocus({ input, phase, draft }: ChatModel, isAlone: boolean) {
  const chat = useRef<HTMLDivElement>(null)
  const isHere = useRef(isAlone && (parent === window || document.hasFocus()))
  // Phones would open their keyboard over what is to be read.
  const hasKeyboard = matchMedia('(pointer: fine)').matches
  const find = (selector: string) => chat.current?.querySelector<HTMLElement>(selector) ?? undefined
  const focus = (element: HTMLElement | undefined) => element?.focus({ preventScroll: true })
  const isNowhere = () => document.activeElement === document.body
  const goHome = () => focus((hasKeyboard && find('.composer .field')) || find('.scroll'))
  useLayoutEffect(() => {
    if (isHere.current && hasKeyboard && isNowhere()) goHome()
  })
  const asked = phase.value === 'waiting' ? input.value : undefined
  useEffect(() => {
    if (!(asked && hasKeyboard)) return undefined
    const lead = () => {
      const root = chat.current?.getRootNode() as ShadowRoot | undefined
      // Somebody who types, or reads an earlier link, stays there.
      if (isHere.current && draft.value === '' && root?.activeElement?.matches('.composer .field, .scroll'))
        focus(isTyped(asked) ? find('.composer .field') : find('.ask :is(input, textarea, button)'))
    }
    lead()
    // Some inputs are loaded when they are first shown.
    const later = new MutationObserver(lead)
    const place = find('.ask')
    if (place) later.observe(place, { childList: true })
    return () => later.disconnect()
  }, [asked])
  return {
    chat,
    onFocusIn: () => {
      isHere.current = true
    },
    onFocusOut: ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget) return
      queueMicrotask(() => {
        if (!isNowhere()) return
        // Who pressed elsewhere left; an element that is gone was left by nobody.
        if ((target as HTMLElement).isConnected) isHere.current = false
        else goHome()
      })
    },
  }
}
