import chatStyle from './chat.css?inline'

/** Where a conversation is drawn. */
export interface ChatRoot {
  readonly root: ShadowRoot
  /** Puts the style sheet of a flow on. */
  wear(css: string): void
}

/** What a flow brings for its look ends at this root, and what it would place outside of it is cut off by its host. */
export function openChatRoot(host: HTMLElement): ChatRoot {
  const root = host.attachShadow({ mode: 'open' })
  const [own, ofFlow] = [new CSSStyleSheet(), new CSSStyleSheet()]
  own.replaceSync(chatStyle)
  root.adoptedStyleSheets = [own, ofFlow]
  return { root, wear: (css) => ofFlow.replaceSync(css) }
}
