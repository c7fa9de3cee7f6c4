import type { Theme } from '../../../client/client.ts'

/** Where a conversation is drawn. */
export interface ChatRoot {
  readonly root: ShadowRoot
  /** Puts the style sheet and the fonts of a theme on. */
  wear(theme: Theme): void
}

/**
 * What a flow brings for its look ends at this root, and what it would place outside of it is cut off by its host. `style` is
 * what stands in `chat.css`: pages load it in their own ways.
 */
export function openChatRoot(host: HTMLElement, style: string): ChatRoot {
  const root = host.attachShadow({ mode: 'open' })
  const [own, ofFlow, faces] = [new CSSStyleSheet(), new CSSStyleSheet(), new CSSStyleSheet()]
  own.replaceSync(style)
  root.adoptedStyleSheets = [own, ofFlow]
  document.adoptedStyleSheets.push(faces)
  return {
    root,
    wear({ general, customCss = '' }) {
      const { font } = general ?? {}
      // Fonts that are declared within a root are none: browsers look for them in the document.
      faces.replaceSync(customCss + (typeof font === 'object' && 'css' in font ? font.css : ''))
      const rules = [...faces.cssRules].filter((rule) => rule instanceof CSSFontFaceRule)
      faces.replaceSync(rules.map(({ cssText }) => cssText).join(''))
      ofFlow.replaceSync(customCss)
    },
  }
}
