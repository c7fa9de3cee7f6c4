import type { Message } from '../../../client/client.ts'

export interface TranscriptText {
  readonly text: string
  /** The person who wrote it, where none of the flow did. */
  readonly sender: string | undefined
}

/** A line of a transcript as a text of the flow: it has its emphasis as markdown, and media as their address. */
export function textMessage({ text, sender }: TranscriptText): Message {
  const richText = text.split('\n').map((line) => ({ type: 'p', children: leavesIn(line) }))
  return {
    id: '',
    type: 'text',
    content: { type: 'richText', richText },
    ...(sender !== undefined && { sender: { name: sender } }),
  } as Message
}

/** Emphasis, and links, as transcripts write them; everything else is a text as it stands. */
const marks = /\*\*(.+?)\*\*|\*(.+?)\*|~~(.+?)~~|\[([^\]]+)\]\((https?:[^)\s]+)\)|^https?:\S+$/g

function leavesIn(line: string): object[] {
  const leaves: object[] = []
  let at = 0
  for (const { 0: whole, 1: bold, 2: italic, 3: struck, 4: label, 5: url, index } of line.matchAll(marks)) {
    if (index > at) leaves.push({ text: line.slice(at, index) })
    if (bold !== undefined) leaves.push({ text: bold, bold: true })
    else if (italic !== undefined) leaves.push({ text: italic, italic: true })
    else if (struck !== undefined) leaves.push({ text: struck, strikethrough: true })
    else leaves.push({ type: 'a', url: url ?? whole, children: [{ text: label ?? whole }] })
    at = index + whole.length
  }
  return [...leaves, { text: line.slice(at) }]
}
