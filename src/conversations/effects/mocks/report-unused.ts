import type { Turn } from '../../../engine/turn/turn.ts'
import type { MockWorld } from './mock-world.ts'

/** Rules that are named; a request may have hundreds. */
const mostNamed = 10

/** Warns the author of rules that answered nothing though the conversation is over: most are misspelt. */
export function reportUnused(turn: Turn, { unused }: MockWorld): void {
  for (const pointer of unused.slice(0, mostNamed)) {
    turn.output.logUncharged({
      status: 'info',
      description: `The mock ${pointer} never fitted: look at its "match", and at the rules before it`,
    })
  }
}
