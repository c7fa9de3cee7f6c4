import fc from 'fast-check'
import type { Call } from './arbitraries/call-parts.ts'
import { requests } from './arbitraries/calls.ts'
import { type Conversation, conversation } from './arbitraries/conversations.ts'
import { type Bytes, bytes } from './arbitraries/wire.ts'
import { attackOf, type ClassAttack, classNames, playClass } from './classes/classes.ts'
import { playBytes, playCalls, playConversation, type Tried } from './play.ts'

/** Anything that somebody can do to the service. */
export type Attack =
  | { readonly kind: 'conversation'; readonly conversation: Conversation }
  | { readonly kind: 'requests'; readonly requests: readonly Call[] }
  | { readonly kind: 'bytes'; readonly bytes: Bytes }
  | ClassAttack

interface Kind {
  readonly kind: Attack['kind']
  /** How often it is made, beside the others. */
  readonly weight: number
  readonly arbitrary: fc.Arbitrary<Attack>
}

const kinds: readonly Kind[] = [
  {
    kind: 'conversation',
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('conversation'), conversation }),
  },
  { kind: 'requests', weight: 6, arbitrary: fc.record({ kind: fc.constant('requests'), requests }) },
  { kind: 'bytes', weight: 4, arbitrary: fc.record({ kind: fc.constant('bytes'), bytes }) },
  ...classNames.map((kind) => ({ kind, weight: 2, arbitrary: attackOf(kind) })),
]

/** Attacks of these kinds, or of all. */
export function attacks(only: readonly string[]): fc.Arbitrary<Attack> {
  const chosen = kinds.filter(({ kind }) => only.length === 0 || only.includes(kind))
  if (chosen.length === 0) throw new Error(`there are attacks of ${kinds.map(({ kind }) => kind).join(', ')}`)
  return fc.oneof(...chosen)
}

/** Does it. Throws a `Complaint`. */
export async function playAttack(attack: Attack, tried: Tried): Promise<void> {
  switch (attack.kind) {
    case 'conversation':
      return playConversation(attack.conversation, tried)
    case 'requests':
      return playCalls(attack.requests, tried)
    case 'bytes':
      return playBytes(attack.bytes, tried)
    default:
      return playClass(attack, tried)
  }
}
