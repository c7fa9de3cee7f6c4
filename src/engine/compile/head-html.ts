import type { DefaultTreeAdapterTypes } from 'parse5'
import { lazyModule } from '../../lib/lazy-module.ts'
import type { HeadCode } from '../model/program.ts'

const parse5 = lazyModule<typeof import('parse5')>('parse5')

/** Characters of head code: no author writes as many, and the parser takes the square of what is nested badly. */
export const maxHeadCodeLength = 8 * 1024

/** Start of an element or a comment. */
const markup = /<[a-z!?/]/i

/** Head code that is parsed when it is first asked for, and not again. There is none in what is too long, or only text. */
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
