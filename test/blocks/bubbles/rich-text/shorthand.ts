import type { Element, Leaf, Node } from '../../../../src/blocks/bubbles/rich-text/nodes.ts'

type Child = string | Node

/** A leaf with marks. */
export const t = (text: string, ...marks: string[]): Leaf => ({
  ...Object.fromEntries(marks.map((mark) => [mark, true])),
  text,
})

/** An element; a text stands for a leaf without marks. */
export const el =
  (type: string, keys: object = {}) =>
  (...children: Child[]): Element => ({
    type,
    ...keys,
    children: children.map((child) => (typeof child === 'string' ? t(child) : child)),
  })

export const p = el('p')
export const ul = el('ul')
export const ol = el('ol')
export const li = el('li')
export const lic = el('lic')
export const h1 = el('h1')
export const quote = el('blockquote')
export const hr = el('hr')('')
export const a = (url: string, ...children: Child[]): Element => el('a', { url })(...children)
export const item = (...children: Child[]): Element => li(lic(...children))
export const code = (lang: string | undefined, ...lines: string[]): Element =>
  el('code_block', lang === undefined ? {} : { lang })(...lines.map((line) => el('code_line')(line)))
export const img = (url: string, alt?: string): Element =>
  el('img', { url, ...(alt !== undefined && { caption: [{ text: alt }] }) })('')
