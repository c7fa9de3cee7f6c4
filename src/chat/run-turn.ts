import { renderDynamicTheme } from '../engine/dynamic-theme.ts'
import type { Effects } from '../engine/effects.ts'
import { trimTranscript } from '../engine/transcript.ts'
import type { Turn, TurnOptions } from '../engine/turn.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { createDriver, type Driver } from './drive.ts'
import { findFlowFor } from './find-flow.ts'
import { openOutside, type TurnOwner } from './outside.ts'
import { reportDefects } from './report-defects.ts'

/** What a turn is run with, from the part of a request that says so. */
export function turnOptions(
  body: { readonly textBubbleContentFormat?: 'richText' | 'markdown' },
  { limits, publicUrl, ports }: Pick<ChatDependencies, 'limits' | 'publicUrl' | 'ports'>,
): TurnOptions {
  const textBubbleContentFormat = body.textBubbleContentFormat ?? 'richText'
  return { limits, publicUrl, textBubbleContentFormat, elapsed: ports.elapsed }
}

/** Makes what drives a turn of this owner. */
export function createTurnDriver(turn: Turn, owner: TurnOwner, chat: ChatDependencies): Driver {
  return createDriver({
    ...openOutside(turn, owner, chat),
    ports: chat.ports,
    turnMs: chat.limits.turnMs,
    findFlow: findFlowFor(owner, chat.published),
    breathed: () => turn.breathed(),
  })
}

/** Drives a turn to its end. Defects that the walk survived are reported. */
export async function runTurn(
  turn: Turn,
  walk: Effects<unknown>,
  { drive, limits, log }: Pick<ChatDependencies, 'limits' | 'log'> & { readonly drive: Driver },
): Promise<void> {
  await drive(walk)
  await drive(renderDynamicTheme(turn))
  const { transcript } = turn.conversation
  if (transcript) trimTranscript(transcript, limits.variableLength)
  reportDefects(turn.output, log)
}
