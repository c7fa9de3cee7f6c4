import { type DefaultTreeAdapterTypes, parseFragment, serializeOuter } from 'parse5'

/** Characters of head code. No author writes as many, and reading a few megabytes would take many seconds. */
export const maxHeadCodeLength = 64 * 1024

/**
 * Reduces custom head code to its top-level elements and comments, one a line: stray text would show on the page.
 * There are none in what is too long.
 */
export function parseTopLevelNodes(html: string): string | undefined {
  if (html.length > maxHeadCodeLength) return undefined
  const nodes: DefaultTreeAdapterTypes.ChildNode[] = parseFragment(html, {
    sourceCodeLocationInfo: true,
  }).childNodes
  const sources = nodes.filter((node) => node.nodeName !== '#text').map((node) => sourceOf(node, html))
  return sources.length > 0 ? sources.join('\n') : undefined
}

/** A node as it was written; one that the parser had to close itself, as it reads. */
function sourceOf(node: DefaultTreeAdapterTypes.ChildNode, html: string): string {
  const { startOffset = 0, endOffset = 0 } = node.sourceCodeLocation ?? {}
  return html.slice(startOffset, endOffset) || serializeOuter(node)
}
