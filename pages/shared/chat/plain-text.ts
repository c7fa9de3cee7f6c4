import type { Message } from '../../../client/client.ts'

/** The words of a text, without their look. */
export function plainText({ content }: Extract<Message, { type: 'text' }>): string {
  return content.type === 'richText' ? wordsOf(content.richText) : content.markdown
}

function wordsOf(nodes: unknown): string {
  if (!Array.isArray(nodes)) return ''
  return nodes.map((node) => (typeof node?.text === 'string' ? node.text : wordsOf(node?.children))).join(' ')
}
