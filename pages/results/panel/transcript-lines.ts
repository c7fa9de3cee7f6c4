import type { Message } from '../../../client/client.ts'
import { type TranscriptText, textMessage } from '../../shared/chat/transcript-text.ts'
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

/** A line of a transcript as its visitor was shown it. */
export function messageOf(line: TranscriptText, { blocks }: FlowOutline): Message {
  const media = blocks.find(
    ({ kind, type, words }) => kind === 'message' && type !== 'text' && words === line.text,
  )
  if (media && (media.type === 'image' || media.type === 'audio'))
    return { id: media.id, type: media.type, content: { url: line.text } } as Message
  return textMessage(line)
}
