import { type Conversation, currentFrameOf } from '../engine/model/conversation.ts'
import type { CountedSession, Session } from '../sessions/session.ts'
import { Path } from '../stores/counts/path-bits.ts'
import { type EarlierFact, storable } from '../stores/counts/turn-facts.ts'
import { type CountOfTurn, hourOf, pathName, visitOf } from './count-turn.ts'
import { placesOf } from './path-places.ts'

interface Move {
  readonly session: Session
  readonly from: Conversation
  readonly to: Conversation
}

/**
 * Takes a conversation that moves to another version of its flow along: as if it had come as far in that one. Undefined where
 * nothing is counted of it, and where another flow than the one that was started moves.
 */
export function countMove({ session, from, to }: Move): CountOfTurn | undefined {
  const { counted: before, createdAt } = session
  const [left, joined] = [from.frames[0].program, to.frames[0].program]
  if (!before || left.hash === joined.hash) return undefined
  const state = movedState(before, { from: placesOf(left).names, to: placesOf(joined).indexes })
  const facts = {
    flowId: storable(joined.id),
    version: joined.hash,
    hour: hourOf(createdAt),
    happened: [],
    before: [
      ...placeIn(from, { state: before, createdAt }).map(
        ([hour, kind, name]): EarlierFact => [hour, kind, name, -1, left.hash],
      ),
      ...placeIn(to, { state, createdAt }),
    ],
  }
  return {
    counted: { facts, places: () => placesOf(joined).names.map(storable) },
    state,
    visit: visitOf(state, { version: joined.hash, place: placeNameOf(to) ?? '' }),
  }
}

interface PlaceNames {
  readonly from: readonly string[]
  readonly to: ReadonlyMap<string, number>
}

/** Places that the other version lacks are left out. */
function movedState([askedAt, written, cohort]: CountedSession, { from, to }: PlaceNames): CountedSession {
  const path = new Path()
  for (const index of new Path(written)) {
    const moved = to.get(from[index] ?? '')
    if (moved !== undefined) path.add(moved)
  }
  const place = [askedAt, path.toString()] as const
  return cohort ? [...place, cohort] : place
}

/** Where a conversation is counted. */
function placeIn(
  conversation: Conversation,
  { state, createdAt }: { readonly state: CountedSession; readonly createdAt: number },
): EarlierFact[] {
  const [askedAt] = state
  const path: EarlierFact = [hourOf(createdAt), 'path', pathName(state), 1]
  const name = placeNameOf(conversation)
  return name === undefined || askedAt === 0 ? [path] : [path, [hourOf(askedAt), 'asked', name, 1]]
}

function placeNameOf(conversation: Conversation): string | undefined {
  const { waitingBlock } = conversation
  if (!waitingBlock) return undefined
  const { program } = currentFrameOf(conversation)
  const isOwn = program.id === conversation.frames[0].program.id
  return storable(isOwn ? waitingBlock.id : `${program.id}\n${waitingBlock.id}`)
}
