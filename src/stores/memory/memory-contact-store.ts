import { joinMemory } from '../codec/join-memory.ts'
import type { ContactLink, ContactStore, ContactWrite, StoredContact } from '../contact-store.ts'
import { BoundedCache } from '../in-process/bounded-cache.ts'
import { bytesOfText } from '../in-process/flat-text.ts'

interface MemoryContactStoreOptions {
  /** Accounted bytes of all contacts; those that were left alone for longest make room. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  now(): number
}

interface Kept {
  readonly contact: StoredContact | undefined
  readonly erasedAt: number
  /** By session, flow and result; the latest last. */
  readonly links: Map<string, ContactLink>
}

/** Bytes of a link beside its texts, and of a contact beside its own. */
const bytesPerLink = 250

/** Links that are kept of one contact. */
const mostLinks = 10_000

/** Keeps persons in this process. Its functions may be taken apart. */
export class MemoryContactStore implements ContactStore {
  readonly #kept: BoundedCache<Kept>
  readonly #now: () => number
  #latest = 0

  constructor({ maxBytes, now }: MemoryContactStoreOptions) {
    this.#kept = new BoundedCache({ maxBytes })
    this.#now = now
  }

  /** Whether a turn that has read a contact may still write it. */
  isCurrent({ key, readAt }: ContactWrite): boolean {
    return (this.#kept.peek(key)?.erasedAt ?? 0) < readAt
  }

  apply({ key, profile, memory, links }: ContactWrite, sessionId: string): void {
    const now = this.#now()
    const kept = this.#kept.get(key) ?? { contact: undefined, erasedAt: 0, links: new Map() }
    const none = { profile: undefined, memory: '{}', revision: 0, firstSeen: now, lastSeen: now }
    const before = kept.contact ?? none
    const joined = memory === undefined ? undefined : joinMemory(before.memory, memory)
    for (const { flowId, resultId } of links) {
      const name = JSON.stringify([sessionId, flowId, resultId])
      if (kept.links.has(name)) continue
      this.#latest += 1
      kept.links.set(name, { number: this.#latest, sessionId, flowId, resultId, at: now })
      const [oldest] = kept.links.keys()
      if (kept.links.size > mostLinks && oldest !== undefined) kept.links.delete(oldest)
    }
    this.#put(key, {
      ...kept,
      contact: {
        ...before,
        profile: profile ?? before.profile,
        ...((profile !== undefined || memory === undefined) && { lastSeen: now }),
        ...(joined !== undefined && { memory: joined, revision: before.revision + 1 }),
      },
    })
  }

  readonly find: ContactStore['find'] = async (key) => ({
    contact: this.#kept.get(key)?.contact,
    readAt: this.#now(),
  })

  readonly links: ContactStore['links'] = async (key, { limit, flowId, before = Infinity }) => {
    const links = [...(this.#kept.get(key)?.links.values() ?? [])].reverse()
    const asked = links.filter(
      (link) => link.number < before && (flowId === undefined || link.flowId === flowId),
    )
    return asked.slice(0, limit)
  }

  readonly erase: ContactStore['erase'] = async (key) => {
    const links = this.#kept.get(key)?.links ?? new Map()
    this.#put(key, { contact: undefined, erasedAt: this.#now(), links })
  }

  readonly unlink: ContactStore['unlink'] = async (key, numbers) => {
    const kept = this.#kept.get(key)
    if (!kept) return
    const gone = new Set(numbers)
    for (const [name, { number }] of kept.links) if (gone.has(number)) kept.links.delete(name)
    this.#put(key, kept)
  }

  readonly usage = () => this.#kept.usage()

  #put(key: string, kept: Kept): void {
    const { profile = '', memory = '' } = kept.contact ?? {}
    let bytes = bytesPerLink + bytesOfText(profile) + bytesOfText(memory)
    for (const name of kept.links.keys()) bytes += bytesPerLink + 2 * bytesOfText(name)
    this.#kept.set(key, kept, bytes)
  }
}
