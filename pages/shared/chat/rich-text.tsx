import { type ComponentChildren, h } from 'preact'
import { safeLink, safeMedia } from './safe-address.ts'

/** A node of a text bubble, of which nothing is certain but what is checked. */
interface Node {
  readonly type?: unknown
  readonly text?: unknown
  readonly children?: unknown
  readonly url?: unknown
  readonly alt?: unknown
  readonly bold?: unknown
  readonly italic?: unknown
  readonly underline?: unknown
  readonly strikethrough?: unknown
  readonly code?: unknown
}

const elements: Readonly<Record<string, string>> = {
  p: 'p',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  lic: 'span',
  h1: 'h2',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
  h6: 'h6',
  blockquote: 'blockquote',
  code_block: 'pre',
}

/** Nodes of a text, as elements: nothing in them is ever read as markup. */
export function RichText({ nodes }: { readonly nodes: unknown }): ComponentChildren {
  return Array.isArray(nodes) ? nodes.map((node: Node | null) => (node ? showNode(node) : null)) : null
}

function showNode(node: Node): ComponentChildren {
  if (typeof node.text === 'string') return showLeaf(node, node.text)
  const children = <RichText nodes={node.children} />
  if (node.type === 'hr') return <hr />
  if (node.type === 'a') {
    const href = safeLink(textOf(node.url))
    return href === undefined ? (
      children
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    )
  }
  if (node.type === 'img') return <img src={safeMedia(textOf(node.url), true)} alt={textOf(node.alt) ?? ''} />
  const element = elements[String(node.type)]
  return element ? h(element, null, children) : children
}

function showLeaf(node: Node, text: string): ComponentChildren {
  let shown: ComponentChildren = text
  if (node.code) shown = <code>{shown}</code>
  if (node.strikethrough) shown = <s>{shown}</s>
  if (node.italic) shown = <em>{shown}</em>
  if (node.bold) shown = <strong>{shown}</strong>
  if (node.underline) shown = <u>{shown}</u>
  return shown
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
