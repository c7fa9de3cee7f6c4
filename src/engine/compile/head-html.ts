import type { DefaultTreeAdapterTypes } from 'parse5'
import { lazyModule } from '../../lib/lazy-module.ts'
import type { HeadCode } from '../model/program.ts'

const parse5 = lazyModule<typeof import('parse5')>('parse5')

/** Longest head code: no author writes as much, and the parser takes the square of badly nested code. */
export const maxHeadCodeLength = 8 * 1024

/** Start of an element or a comment. */
const markup = /<[a-z!?/]/i

/**
 * Head code that is parsed at its first use, and not again. Undefined for a text that is too long, or without markup.
 */
export function compileHeadCode(html: string | undefined): HeadCode | undefined {
  if (!html || html.length > maxHeadCodeLength || !markup.test(html)) return undefined
  let nodes: { readonly code: string | undefined } | undefined
  return () => {
    nodes ??= { code: parseTopLevelNodes(html) }
    return nodes.code
  }
}

/** Reduces custom head code to its top-level elements and comments, one a line: stray text would show on the page. */
function parseTopLevelNodes(html: string): string | undefined {
  const nodes: DefaultTreeAdapterTypes.ChildNode[] = parse5().parseFragment(html, {
    sourceCodeLocationInfo: true,
  }).childNodes
  const sources = nodes.filter((node) => node.nodeName !== '#text').map((node) => sourceOf(node, html))
  return sources.length > 0 ? sources.join('\n') : undefined
}

/** A node as it was written; one that the parser had to close itself, as it reads. */
function sourceOf(node: DefaultTreeAdapterTypes.ChildNode, html: string): string {
  const { startOffset = 0, endOffset = 0 } = node.sourceCodeLocation ?? {}
  return html.slice(startOffset, endOffset) || parse5().serializeOuter(node)
}
