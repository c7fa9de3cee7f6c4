import type { Message } from '../../../schemas/message.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { JsonFragment } from '../templates/json-fragment.ts'
import { tryOrReport } from './run-handler.ts'
import type { Turn } from './turn.ts'
import type { OutputLine } from './turn-output.ts'

/** Notes a bubble that was shown, as far as it says something; to be called where somebody reads the transcript. */
export function transcribeShown(turn: Turn, block: CompiledBlock, message: JsonFragment<Message>): void {
  const line = message.transcriptLine((value) =>
    tryOrReport(turn, block, () => block.handler?.transcriptLine?.(value)),
  )
  if (line) transcribeLine(turn, 'assistant', line, markOf(message.value))
}

const markOf = (message: Message) =>
  'generatedBy' in message && message.generatedBy ? { generatedBy: message.generatedBy } : undefined

const speakers = { assistant: 'Assistant', user: 'User', person: 'Person' } as const

/** Notes what was shown or said (docs/behaviour/walk.md, "Transcript"). Only a person has a name. */
export function transcribeLine(
  turn: Turn,
  role: keyof typeof speakers,
  text: string,
  more: Pick<OutputLine, 'name' | 'generatedBy'> = {},
): void {
  const { conversation, currentFrame, output } = turn
  conversation.transcript?.push(`${speakers[role]}: "${text}"`)
  if (turn.keepsResults) output.said.push({ resultId: currentFrame.resultId, part: { role, text, ...more } })
}

/** Forgets the oldest lines of what would else grow with every turn; the latest is kept, however long it is. */
export function trimTranscript(transcript: string[], maxCharacters: number): void {
  let characters = 0
  let kept = transcript.length
  while (kept > 0) {
    characters += transcript[kept - 1]?.length ?? 0
    if (characters > maxCharacters && kept < transcript.length) break
    kept -= 1
  }
  transcript.splice(0, kept)
}
