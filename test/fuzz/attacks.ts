import fc from 'fast-check'
import { type Call, requests } from './arbitraries/calls.ts'
import { type Conversation, conversation } from './arbitraries/conversations.ts'
import { type Bytes, bytes } from './arbitraries/wire.ts'
import { playBytes, playCalls, playConversation, type Tried } from './play.ts'

/** Anything that somebody can do to the service. */
export type Attack =
  | { readonly kind: 'conversation'; readonly conversation: Conversation }
  | { readonly kind: 'requests'; readonly requests: readonly Call[] }
  | { readonly kind: 'bytes'; readonly bytes: Bytes }

export const attack: fc.Arbitrary<Attack> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('conversation'), conversation }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('requests'), requests }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bytes'), bytes }) },
)

/** Does it. Throws a `Complaint`. */
export async function playAttack(attack: Attack, tried: Tried): Promise<void> {
  switch (attack.kind) {
    case 'conversation':
      return playConversation(attack.conversation, tried)
    case 'requests':
      return playCalls(attack.requests, tried)
    case 'bytes':
      return playBytes(attack.bytes, tried)
  }
}
