import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Answer } from './exchange.ts'
import { Complaint } from './judge.ts'

/** Schemes that run something, or open something of the reader's own machine. Browsers skip control characters. */
const unsafe = /^(?:javascript|vbscript|data|file|blob):/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that a browser skips.
const skipped = /[\u0000-\u0020]/g

/** Throws a `Complaint` about an address in a message that nobody should follow, as a reader of markdown finds it. */
export function judgeLinks({ status, headers, body }: Answer): void {
  if (status !== 200 || !headers['content-type']?.startsWith('application/json')) return
  const { messages = [] } = JSON.parse(body.toString())
  for (const { content } of messages) {
    const markdown = content?.markdown
    if (typeof markdown !== 'string') continue
    const [found] = destinations(fromMarkdown(markdown)).filter((url) => isUnsafe(url))
    if (found !== undefined) {
      throw new Complaint(`an unsafe address, ${JSON.stringify(found)}, in ${JSON.stringify(markdown)}`, {
        about: 'link',
      })
    }
  }
}

function isUnsafe(url: string): boolean {
  return unsafe.test(url.replace(skipped, ''))
}

function destinations(node: Nodes): string[] {
  const own = 'url' in node ? [node.url] : []
  return 'children' in node ? [...own, ...node.children.flatMap(destinations)] : own
}
