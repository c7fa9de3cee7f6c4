import type { Message } from '../../../schemas/message.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { JsonFragment } from '../templates/json-fragment.ts'
import { tryOrReport } from './run-handler.ts'
import type { Turn } from './turn.ts'

/** Notes a bubble that was shown, as far as it says something. */
export function transcribeShown(turn: Turn, block: CompiledBlock, message: JsonFragment<Message>): void {
  if (!turn.keepsLines && !turn.conversation.transcript) return
  const line = message.transcriptLine((value) =>
    tryOrReport(turn, block, () => block.handler?.transcriptLine?.(value)),
  )
  if (line) transcribeLine(turn, 'assistant', line)
}

/** Notes what was shown or said (docs/behaviour/walk.md, "Transcript"). */
export function transcribeLine(turn: Turn, role: 'assistant' | 'user', text: string): void {
  const { conversation, currentFrame, output } = turn
  conversation.transcript?.push(`${role === 'user' ? 'User' : 'Assistant'}: "${text}"`)
  if (turn.keepsLines) output.said.push({ resultId: currentFrame.resultId, role, text })
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
