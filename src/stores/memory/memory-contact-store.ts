import { joinMemory } from '../codec/join-memory.ts'
import type { ContactLink, ContactStore, ContactWrite, StoredContact } from '../contact-store.ts'
import { BoundedCache } from '../in-process/bounded-cache.ts'
import { bytesOfText } from '../in-process/flat-text.ts'

interface MemoryContactStoreOptions {
  /** Accounted bytes of all contacts; those that were left alone for longest make room for others of their kind. */
  readonly maxBytes: number
  /** Where messages of persons wait, in lines of their keys. */
  readonly queues?: readonly { erase(lines: ReadonlySet<string>): void }[]
  /** Milliseconds since 1970. */
  now(): number
}

interface Kept {
  readonly contact: StoredContact | undefined
  readonly erasedAt: number
  readonly links: Links
}

/** By session, flow and result; the latest last. */
class Links extends Map<string, ContactLink> {
  bytes = 0

  override set(name: string, link: ContactLink): this {
    this.delete(name)
    this.bytes += bytesOfLink(name)
    return super.set(name, link)
  }

  override delete(name: string): boolean {
    const isGone = super.delete(name)
    if (isGone) this.bytes -= bytesOfLink(name)
    return isGone
  }
}

/** Bytes of a link beside its texts, and of a contact beside its own. */
const bytesPerLink = 250

/** Links that are kept of one contact. */
const mostLinks = 10_000

/** Part of all bytes that contacts have whom nobody vouches for: anybody names as many as he likes. */
const strangersPart = 1 / 8

/** Keeps persons in this process. Its functions may be taken apart. */
export class MemoryContactStore implements ContactStore {
  /** Those who are vouched for, and those who were erased. */
  readonly #known: BoundedCache<Kept>
  readonly #strangers: BoundedCache<Kept>
  readonly #now: () => number
  readonly #queues: NonNullable<MemoryContactStoreOptions['queues']>
  #latest = 0

  constructor({ maxBytes, queues = [], now }: MemoryContactStoreOptions) {
    const strangersBytes = Math.floor(maxBytes * strangersPart)
    this.#known = new BoundedCache({ maxBytes: maxBytes - strangersBytes })
    this.#strangers = new BoundedCache({ maxBytes: strangersBytes })
    this.#now = now
    this.#queues = queues
  }

  /** Whether a turn that has read a contact may still write it. */
  isCurrent({ key, readAt }: ContactWrite): boolean {
    return (this.#known.peek(key)?.erasedAt ?? 0) < readAt
  }

  apply({ key, profile, memory, links }: ContactWrite, sessionId: string): void {
    const now = this.#now()
    const kept = this.#get(key) ?? { contact: undefined, erasedAt: 0, links: new Links() }
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
    const { firstSeen, revision } = before
    const contact = {
      profile: profile ?? before.profile,
      memory: joined ?? before.memory,
      revision: joined === undefined ? revision : revision + 1,
      firstSeen,
      lastSeen: profile !== undefined || memory === undefined ? now : before.lastSeen,
    }
    this.#put(key, { contact, erasedAt: kept.erasedAt, links: kept.links })
  }

  readonly find: ContactStore['find'] = async (key) => ({
    contact: this.#get(key)?.contact,
    readAt: this.#now(),
  })

  readonly links: ContactStore['links'] = async (key, { limit, flowId, before = Infinity }) => {
    const links = [...(this.#get(key)?.links.values() ?? [])].reverse()
    const asked = links.filter(
      (link) => link.number < before && (flowId === undefined || link.flowId === flowId),
    )
    return asked.slice(0, limit)
  }

  readonly erase: ContactStore['erase'] = async (key) => {
    const links = this.#get(key)?.links ?? new Links()
    this.#put(key, { contact: undefined, erasedAt: this.#now(), links })
    for (const queue of this.#queues) queue.erase(new Set([key]))
  }

  readonly unlink: ContactStore['unlink'] = async (key, numbers) => {
    const kept = this.#get(key)
    if (!kept) return
    const gone = new Set(numbers)
    for (const [name, { number }] of kept.links) if (gone.has(number)) kept.links.delete(name)
    this.#put(key, kept)
  }

  readonly usage = () => {
    const [known, strangers] = [this.#known.usage(), this.#strangers.usage()]
    return {
      entries: known.entries + strangers.entries,
      bytes: known.bytes + strangers.bytes,
      evicted: known.evicted + strangers.evicted,
    }
  }

  #get(key: string): Kept | undefined {
    return this.#known.get(key) ?? this.#strangers.get(key)
  }

  #put(key: string, kept: Kept): void {
    const { profile, memory = '' } = kept.contact ?? {}
    const isKnown = profile !== undefined || kept.erasedAt > 0
    const [part, other] = isKnown ? [this.#known, this.#strangers] : [this.#strangers, this.#known]
    const ownBytes = bytesPerLink + bytesOfText(profile ?? '') + bytesOfText(memory)
    for (const name of kept.links.keys()) {
      if (part.fits(key, ownBytes + kept.links.bytes)) break
      kept.links.delete(name)
    }
    other.delete(key)
    part.set(key, kept, ownBytes + kept.links.bytes)
  }
}

const bytesOfLink = (name: string) => bytesPerLink + 2 * bytesOfText(name)
