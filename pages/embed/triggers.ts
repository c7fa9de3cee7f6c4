import type { ChatSettings } from './options.ts'

/** A visitor who asks for the chat, or the page. */
export type Opener = 'visitor' | 'itself'

interface Trigger {
  readonly options: Pick<ChatSettings, 'button' | 'after' | 'scroll' | 'exit'>
  readonly signal: AbortSignal
  /** Called by a visitor who asks for it, and else once at most. */
  open(by: Opener): void
}

/** Opens a chat by buttons of the site, after a time, at a depth of the page, or when the pointer leaves it. */
export function openByItself({ options: { button, after, scroll, exit }, signal, open }: Trigger): void {
  const once = new AbortController()
  const opened = () => {
    once.abort()
    open('itself')
  }
  signal.addEventListener('abort', () => once.abort())
  const whileDue = { signal: once.signal, passive: true }
  if (button) {
    // Buttons may come later than this script.
    document.addEventListener(
      'click',
      ({ target }) => target instanceof Element && target.closest(button) && open('visitor'),
      { signal },
    )
  }
  if (after !== undefined) {
    const timer = setTimeout(opened, after * 1000)
    once.signal.addEventListener('abort', () => clearTimeout(timer))
  }
  if (scroll !== undefined) {
    const look = () => {
      const { scrollHeight } = document.documentElement
      if (scrollY + innerHeight >= (scrollHeight * scroll) / 100) opened()
    }
    addEventListener('scroll', look, whileDue)
  }
  if (exit) {
    document.documentElement.addEventListener(
      'mouseleave',
      ({ clientY }) => clientY <= 0 && opened(),
      whileDue,
    )
  }
}
