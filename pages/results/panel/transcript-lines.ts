import type { Message } from '../../../client/client.ts'
import { answerInWords, questionsOf } from '../state/describe-answers.ts'
import type { FlowOutline } from '../state/wire.ts'

/** The words of a choice, where a line has what is saved in their place. */
export function saidInWords(text: string, outline: FlowOutline): string {
  for (const question of questionsOf(outline)) {
    const words = answerInWords(question, text)
    if (words !== text) return words
  }
  return text
}

interface Line {
  readonly text: string
  readonly sender: string | undefined
}

/** A line of a transcript as its visitor was shown it: texts have their emphasis as markdown, media their address. */
export function messageOf({ text, sender }: Line, { blocks }: FlowOutline): Message {
  const media = blocks.find(
    ({ kind, type, words }) => kind === 'message' && type !== 'text' && words === text,
  )
  if (media && (media.type === 'image' || media.type === 'audio'))
    return { id: media.id, type: media.type, content: { url: text } } as Message
  const richText = text.split('\n').map((line) => ({ type: 'p', children: leavesIn(line) }))
  return {
    id: '',
    type: 'text',
    content: { type: 'richText', richText },
    ...(sender !== undefined && { sender: { name: sender } }),
  } as Message
}

/** Emphasis, and links, as transcripts write them; everything else is a text as it stands. */
const marks = /\*\*(.+?)\*\*|\*(.+?)\*|~~(.+?)~~|\[([^\]]+)\]\((https?:[^)\s]+)\)/g

function leavesIn(line: string): object[] {
  const leaves: object[] = []
  let at = 0
  for (const { 0: whole, 1: bold, 2: italic, 3: struck, 4: label, 5: url, index } of line.matchAll(marks)) {
    if (index > at) leaves.push({ text: line.slice(at, index) })
    if (bold !== undefined) leaves.push({ text: bold, bold: true })
    else if (italic !== undefined) leaves.push({ text: italic, italic: true })
    else if (struck !== undefined) leaves.push({ text: struck, strikethrough: true })
    else leaves.push({ type: 'a', url, children: [{ text: label }] })
    at = index + whole.length
  }
  return [...leaves, { text: line.slice(at) }]
}
