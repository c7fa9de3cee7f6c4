/** Whether a chat over the page takes all of it. */
export const isSmall = () => matchMedia('(max-width: 480px), (max-height: 420px)').matches

/**
 * Has a dialog fill what the keyboard leaves of the screen, and the back button close it. Returns what ends that.
 */
export function fillScreen(dialog: HTMLDialogElement, close: () => void): () => void {
  const view = visualViewport
  const place = () => {
    dialog.style.setProperty('--viewport-top', `${view?.offsetTop ?? 0}px`)
    dialog.style.setProperty('--viewport-height', `${view?.height ?? innerHeight}px`)
  }
  const { documentElement } = document
  const { overflow } = documentElement.style
  let isOnTop = true
  const leave = () => {
    isOnTop = false
    close()
  }
  place()
  view?.addEventListener('resize', place)
  view?.addEventListener('scroll', place)
  documentElement.style.overflow = 'hidden'
  // Routers of sites keep their own words in the state.
  history.pushState({ ...history.state, flowChat: true }, '')
  addEventListener('popstate', leave)
  return () => {
    view?.removeEventListener('resize', place)
    view?.removeEventListener('scroll', place)
    documentElement.style.overflow = overflow
    removeEventListener('popstate', leave)
    if (isOnTop && history.state?.flowChat) history.back()
  }
}
