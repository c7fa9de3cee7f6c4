import type { Said } from '../../sessions/session.ts'

/** Turns whose messages a session keeps for its visitor. */
const mostSaid = 20

interface SaidTerms {
  /** By the turn: no messages where the visitor took it. */
  readonly added: Omit<Said, 'revision'>
  /** Of the session, after the turn. */
  readonly revision: number
  /** Whether a person leads the conversation, to whom all that is said is told. */
  readonly isPaused: boolean
}

/** Words that a session keeps for those who have not seen them; undefined for none, as most do. */
export function saidAfter(
  before: readonly Said[] = [],
  { added, revision, isPaused }: SaidTerms,
): readonly Said[] | undefined {
  const isSeen = isMark(added)
  // Who listens may be a turn behind: what the visitor has seen goes with the next.
  const kept = isSeen && !isPaused ? unseen(before) : before
  const isTold = !isSeen || added.reply !== undefined || kept.length > 0
  const said = isTold ? [...kept, { revision, ...added }].slice(-mostSaid) : []
  return said.length > 0 ? said : undefined
}

/** Turns since the visitor last did something. */
export function unseen(said: readonly Said[]): readonly Said[] {
  return said.slice(said.findLastIndex(isMark) + 1)
}

/** Whether the visitor did something, and has seen what came before. */
const isMark = ({ messages, actions }: Omit<Said, 'revision'>) => messages.length === 0 && !actions
