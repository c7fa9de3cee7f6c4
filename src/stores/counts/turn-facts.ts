import { ServiceError } from '../../lib/errors.ts'

/** Kinds of things that are counted, by the names of blocks unless they say otherwise. */
export type CountKind =
  /** Conversations, by the path that they have taken, in the hour in which they began. */
  | 'path'
  /** By bucket: until the completion. */
  | 'duration'
  | 'shown'
  /** A block begins to wait, and waits no more: their difference is who waits, or has gone. */
  | 'asked'
  | 'moved on'
  | 'answered'
  | 'refused'
  /** By block and bucket: until the answer. */
  | 'time'
  | 'ended'
  | 'expired'
  | 'handed over'
  | 'error'
  /** By edge. */
  | 'edge'
  /** By block and item. */
  | 'item'

/** Additions of one turn to the counts of a flow. Nothing in them tells whose turn it was. */
export interface TurnFacts {
  /** Of the flow that was started. */
  readonly flowId: string
  /** The hash of its definition. */
  readonly version: string
  /** Hours since 1970. */
  readonly hour: number
  /** Kinds and names by turns, each as often as it happened. Names may be longer than those that are counted. */
  readonly happened: readonly string[]
  /** Those of hours before. */
  readonly before?: readonly EarlierFact[] | undefined
}

/** One more or less, of another version if one is named; less where a path has gone on. */
export type EarlierFact = readonly [
  hour: number,
  kind: CountKind,
  name: string,
  count: 1 | -1,
  version?: string,
]

/** A number of times that something happened within an hour, or a day once that is a week ago. */
export interface Count {
  readonly flowId: string
  readonly version: string
  /** Hours since 1970. */
  readonly hour: number
  readonly kind: CountKind
  readonly name: string
  readonly count: number
}

/** For how long hours are told apart. */
const hoursApart = 7 * 24

export const hourMs = 60 * 60 * 1000

/** Names are keys of stores, which take neither very long ones nor every character. */
const longestName = 400

export function storable(name: string): string {
  // Every name that a turn counts is looked at, and nearly all are fit as they are.
  if (name.length <= longestName && !name.includes('\0')) return name
  return name.slice(0, longestName).replaceAll('\0', '\uFFFD')
}

/** Calls back for each thing that happened in a turn, by the name that it is counted by. */
export function eachOf(happened: TurnFacts['happened'], each: (kind: CountKind, name: string) => void): void {
  for (let index = 0; index < happened.length; index += 2)
    each(happened[index] as CountKind, storable(happened[index + 1] as string))
}

/** Of what `writeFacts` writes: facts that an older build can't read wait for a younger one. */
const factsFormat = 1

export function writeFacts({ flowId, version, hour, happened, before }: TurnFacts): string {
  const byKind: Record<string, string[]> = {}
  eachOf(happened, (kind, name) => {
    const names = byKind[kind]
    if (names) names.push(name)
    else byKind[kind] = [name]
  })
  return JSON.stringify([factsFormat, flowId, version, hour, byKind, ...(before ? [before] : [])])
}

/** Throws SERVICE_UNAVAILABLE for the format of a later build. */
export function readFacts(text: string): TurnFacts {
  const [format, flowId, version, hour, byKind, before] = JSON.parse(text)
  if (format === factsFormat) {
    const kinds = Object.entries(byKind as Record<string, readonly string[]>)
    const happened = kinds.flatMap(([kind, names]) => names.flatMap((name) => [kind, name]))
    return { flowId, version, hour, happened, before }
  }
  const message = `What is to be counted has format ${format}, and this version of the service reads ${factsFormat}`
  throw new ServiceError('SERVICE_UNAVAILABLE', message)
}

/** The hour before which whole days are counted. */
export function daysBefore(now: number): number {
  const hour = Math.floor(now / hourMs) - hoursApart
  return hour - (hour % 24)
}

/** The hour that something is counted in, of those that are told apart; the first of its day before that. */
export const countedHour = (hour: number, boundary: number) => (hour < boundary ? hour - (hour % 24) : hour)

/**
 * Adds up what `writeFacts` has written, as of `now` in milliseconds. Throws as `readFacts` does. Most turns of a flow leave
 * one of few texts, each of which is read once.
 */
export function countWritten(texts: readonly string[], now: number): readonly Count[] {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  const boundary = daysBefore(now)
  const sums = new Map<string, Map<string, Count>>()
  const add = ({ flowId, version, hour: at, kind, name, count }: Count) => {
    const hour = countedHour(at, boundary)
    const ofHour = `${hour} ${version} ${flowId}`
    const counts = sums.get(ofHour) ?? new Map<string, Count>()
    sums.set(ofHour, counts)
    const key = `${kind} ${name}`
    counts.set(key, { flowId, version, hour, kind, name, count: count + (counts.get(key)?.count ?? 0) })
  }
  for (const [text, turns] of times) {
    const { flowId, version, hour, happened, before = [] } = readFacts(text)
    eachOf(happened, (kind, name) => add({ flowId, version, hour, kind, name, count: turns }))
    for (const [hour, kind, name, count, other = version] of before)
      add({ flowId, version: other, hour, kind, name, count: count * turns })
  }
  return [...sums.values()].flatMap((counts) => [...counts.values()].filter(({ count }) => count !== 0))
}
