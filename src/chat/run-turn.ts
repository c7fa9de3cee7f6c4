import type { Effects } from '../engine/effects.ts'
import { trimTranscript } from '../engine/transcript.ts'
import type { Output, Turn, TurnOptions } from '../engine/turn.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { drive, type World } from './drive.ts'
import { reportDefects } from './report-defects.ts'

/** What a turn is run with, from the part of a request that says so. */
export function turnOptions(
  body: { readonly textBubbleContentFormat?: 'richText' | 'markdown' },
  { limits, publicUrl, ports }: Pick<ChatDependencies, 'limits' | 'publicUrl' | 'ports'>,
): TurnOptions {
  const textBubbleContentFormat = body.textBubbleContentFormat ?? 'richText'
  return { limits, publicUrl, textBubbleContentFormat, elapsed: ports.elapsed }
}

/** Drives a turn to its end. Defects that the walk survived are reported. */
export async function runTurn(
  turn: Turn,
  walk: Effects<Output>,
  chat: Pick<ChatDependencies, 'ports' | 'limits' | 'log'> & Pick<World, 'findFlow'>,
): Promise<void> {
  const { ports, limits, findFlow } = chat
  await drive(walk, { ports, turnMs: limits.turnMs, findFlow, breathed: () => turn.breathed() })
  const { transcript } = turn.conversation
  if (transcript) trimTranscript(transcript, limits.variableLength)
  reportDefects(turn.output, chat.log)
}
