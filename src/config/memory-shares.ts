const mebibyte = 1024 * 1024

/** Share of one store of `MEMORY_MAX_BYTES`. */
interface MemoryShare {
  readonly parts: number
  /** Contents of the store, for docs/configuration.md. */
  readonly holds: string
}

/** Division of memory among the stores, whatever its size (docs/configuration.md, "Memory"). */
export const memoryShares = {
  sessions: {
    parts: 8,
    holds:
      'Live sessions; those that were only started go first, the least recently used of them. With `DATA_DIR` they are read from there again; with `DATABASE_URL` none are in memory',
  },
  definitions: { parts: 7, holds: 'Former versions of flows, for the sessions that run them' },
  flows: {
    parts: 1,
    holds:
      'Flows that were published over HTTP, with their versions and the audit; the versions that were served the longest ago and the oldest rows go first, and what does not fit beside those that are served is refused. With `DATA_DIR` and `DATABASE_URL` they are there, without this bound',
  },
  programs: {
    parts: 4,
    holds: 'Published flows, compiled; the least recently used is compiled again when it is needed',
  },
  results: {
    parts: 4,
    holds:
      'Results; those without an answer go first, then those of an address that writes and has more than an eighth, then the least recently used. With `DATA_DIR` and `DATABASE_URL` they are there, without this bound',
  },
  contacts: {
    parts: 1,
    holds:
      'Contacts with their memory; those that were left alone for longest go first, and those whom nobody vouches for have an eighth, of which no others make room. With `DATA_DIR` and `DATABASE_URL` they are there, without this bound',
  },
  outbox: {
    parts: 1,
    holds:
      'Events and messages that go out; the oldest go first, sent or not. With `DATA_DIR` and `DATABASE_URL` they are there, without this bound',
  },
  inbox: {
    parts: 1,
    holds:
      'Messages that came in from messengers; the oldest that were answered go first, and one that finds no room is refused, so that the messenger delivers it again. With `DATA_DIR` and `DATABASE_URL` they are there, without this bound',
  },
  counts: {
    parts: 1,
    holds:
      'What is counted of turns; the oldest hours go first. With `DATA_DIR` and `DATABASE_URL` it is there, without this bound',
  },
  previews: {
    parts: 1,
    holds:
      'Sessions of previews, which never take room from live ones; with `DATABASE_URL` those of all processes there',
  },
  drafts: { parts: 1, holds: 'Definitions of previews; with `DATABASE_URL` there as well' },
  draftPrograms: { parts: 1, holds: 'Definitions of previews, compiled; the newest is kept all the same' },
  answers: {
    parts: 1,
    holds: 'Answers kept for requests with an `Idempotency-Key`, also in `DATA_DIR` and by `DATABASE_URL`',
  },
} as const satisfies Record<string, MemoryShare>

/** A store that has a share. */
type Store = keyof typeof memoryShares

const stores = Object.entries(memoryShares) as [Store, MemoryShare][]

/** Parts of the whole. */
export const allParts = stores.reduce((sum, [, { parts }]) => sum + parts, 0)

/** The default of `MEMORY_MAX_BYTES`. */
export const usualMemoryBytes = allParts * 32 * mebibyte

/** Bytes of each store. */
export function divideMemory(bytes: number): Readonly<Record<Store, number>> {
  const share = ([store, { parts }]: [Store, MemoryShare]) => [store, Math.floor((bytes * parts) / allParts)]
  return Object.freeze(Object.fromEntries(stores.map(share)))
}
