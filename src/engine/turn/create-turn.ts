import type { Conversation } from '../model/conversation.ts'
import { BlockContext } from './block-context.ts'
import { Turn, type TurnOptions } from './turn.ts'

/** Begins a turn of a conversation, which the turn changes in place. */
export function createTurn(conversation: Conversation, options: TurnOptions): Turn {
  return new Turn(conversation, options, (turn, block) => new BlockContext(turn, block))
}
