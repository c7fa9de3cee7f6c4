import type {
  PlacedLog,
  Result,
  ResultAnswer,
  ResultLog,
  ResultUpdate,
  TranscriptLine,
} from '../result-store.ts'
import { joinMasked } from './join-masked.ts'

/** How much of a list is kept. */
interface Room {
  readonly entries: number
  readonly characters: number
}

const transcriptRoom: Room = { entries: 1000, characters: 256 * 1024 }
const logRoom: Room = { entries: 1000, characters: 256 * 1024 }
const answerRoom: Room = { entries: 1000, characters: 1024 * 1024 }

/** Details of a log that are this long are cut to it. */
const detailsLength = 1000

/**
 * The result after a change; without one before, a new one. Of its transcript, its logs and its
 * answers the latest 1,000 each are kept, and fewer when they are long (256 Ki characters, answers 1 Mi): a visitor
 * who goes round in circles would else fill the store, and each turn would cost more than the one before. Details of
 * logs are cut to 1,000 characters.
 */
export function updatedResult(earlier: Result | undefined, update: ResultUpdate): Result {
  return withinRoom(changedResult(earlier, update))
}

/** The same before anything makes room: what several changes have added may be cut once, with the same outcome. */
export function changedResult(earlier: Result | undefined, update: ResultUpdate): Result {
  const { change, masked } = joinMasked(earlier?.masked, update)
  const { id, flowId, now, locale = earlier?.locale, retention = earlier?.retention } = change
  return {
    id,
    flowId,
    createdAt: earlier?.createdAt ?? now,
    updatedAt: now,
    variables: change.variables ?? earlier?.variables ?? [],
    answers: joined(earlier?.answers, change.answers),
    transcript: joined(earlier?.transcript, change.transcript),
    logs: joined(
      earlier?.logs,
      change.logs?.map((log) => storedLog(log, change)),
    ),
    hasStarted: change.hasStarted ?? earlier?.hasStarted ?? false,
    isCompleted: change.isCompleted === true || earlier?.isCompleted === true,
    lastChatSessionId: change.lastChatSessionId ?? earlier?.lastChatSessionId ?? '',
    ...(locale !== undefined && { locale }),
    ...(retention && { retention }),
    ...(masked.length > 0 && { masked }),
  }
}

/** The result with as much of its lists as is kept. */
export function withinRoom(result: Result): Result {
  return {
    ...result,
    answers: latest(result.answers, answerRoom),
    transcript: latest(result.transcript, transcriptRoom),
    logs: latest(result.logs, logRoom),
  }
}

/** A log without a status is the report of a failure. */
function storedLog(
  { status = 'error', details, ...log }: PlacedLog,
  { now: time, requestId }: ResultUpdate,
): ResultLog {
  const origin = { time, ...(requestId !== undefined && { requestId }) }
  if (details === undefined) return { status, ...log, ...origin }
  const isLong = details.length >= detailsLength
  const kept = isLong ? `${details.slice(0, detailsLength)}...`.toWellFormed() : details
  return { status, ...log, details: kept, ...origin }
}

type Entry = ResultLog | ResultAnswer | TranscriptLine

function joined<T extends Entry>(earlier: readonly T[] = [], added: readonly T[] = []): readonly T[] {
  if (added.length === 0) return earlier
  return earlier.length === 0 ? added : [...earlier, ...added]
}

/** The latest for which there is room; the very last one is always kept. */
function latest<T extends Entry>(all: readonly T[], { entries, characters }: Room): readonly T[] {
  let first = all.length
  let room = characters
  while (first > 0 && all.length - first < entries) {
    room -= lengthOf(all[first - 1] as T)
    if (room < 0 && first < all.length) break
    first -= 1
  }
  return first === 0 ? all : all.slice(first)
}

/** Characters of an entry's own texts and of their names: what JSON adds to them is left out. */
function lengthOf(entry: Entry): number {
  let length = 0
  for (const name in entry) {
    const value: unknown = entry[name as keyof Entry]
    length += name.length + (typeof value === 'string' ? value.length : JSON.stringify(value).length)
  }
  return length
}
