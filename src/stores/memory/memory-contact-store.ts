import type { Remembered } from '../../sessions/session-contact.ts'
import { storable } from '../codec/contact-memory.ts'
import {
  type ContactLink,
  type ContactStore,
  type ContactWrite,
  mostMemoryBytes,
  type StoredContact,
} from '../contact-store.ts'
import { BoundedCache, joinedUsage } from '../in-process/bounded-cache.ts'
import { bytesOfText } from '../in-process/flat-text.ts'

interface MemoryContactStoreOptions {
  /** Accounted bytes of all contacts; those that were left alone for longest make room for others of their kind. */
  readonly maxBytes: number
  /** Where messages of persons wait, in lines of their keys. */
  readonly queues?: readonly { erase(lines: ReadonlySet<string>): void }[]
  /** Milliseconds since 1970. */
  now(): number
}

/** Written in place: to put all of it anew with every turn costs more than to keep what has changed. */
interface Kept {
  contact: { -readonly [Name in Exclude<keyof StoredContact, 'memory'>]: StoredContact[Name] } | undefined
  memory: Memory
  erasedAt: number
  readonly links: Links
  /** When it last became the latest of its part. */
  usedAt: number
  /** As it was last put, by the part that it is in; absent before. */
  bytes?: number
  isKnown?: boolean
}

/** Values as JSON, by their names. Those are written as JSON when somebody reads: most turns write a name that is there. */
class Memory extends Map<string, string> {
  /** Of the JSON of all: the braces, without a comma. */
  #bytes = 1

  /** Joins what a turn has written; false, with nothing changed, where that has no room. */
  join(written: Remembered): boolean {
    const changes = written.map(([name, value]) => [name, value === null ? '' : storable(value)] as const)
    let bytes = this.#bytes
    for (const [name, value] of changes) bytes += bytesMore(name, value, this.get(name))
    if (bytes > mostMemoryBytes) return false
    this.#bytes = bytes
    for (const [name, value] of changes) {
      if (value === '') this.delete(name)
      else this.set(name, value)
    }
    return true
  }

  /** A multiple of `bytesApart`. */
  get accounted(): number {
    return Math.ceil((2 * this.#bytes + bytesPerValue * this.size) / bytesApart) * bytesApart
  }

  override toString(): string {
    return `{${Array.from(this, ([name, value]) => `${storable(name)}:${value}`).join()}}`
  }
}

/** Bytes that a value takes more than the one before. The name takes none where it had one, as most have. */
function bytesMore(name: string, value: string, before = ''): number {
  const more = Buffer.byteLength(value) - Buffer.byteLength(before)
  if ((value === '') === (before === '')) return more
  const ofName = Buffer.byteLength(storable(name)) + ':,'.length
  return before === '' ? more + ofName : more - ofName
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

  dropOldest(): void {
    const [oldest] = this.keys()
    if (oldest !== undefined) this.delete(oldest)
  }
}

/** Bytes of a link beside its texts, and of a contact beside its own. */
const bytesPerLink = 250

/** Bytes of a remembered value beside its texts. */
const bytesPerValue = 100

/** Accounted bytes of a memory are a multiple of these: what most turns change needs no new account. */
const bytesApart = 64

/** Milliseconds within which a contact that is used again stays where it is in the order: to change it takes longer than to find it. */
const usedApart = 1000

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
  /** Of all that were erased: most turns have read theirs since. */
  #lastErasedAt = 0

  constructor({ maxBytes, queues = [], now }: MemoryContactStoreOptions) {
    const strangersBytes = Math.floor(maxBytes * strangersPart)
    this.#known = new BoundedCache({ maxBytes: maxBytes - strangersBytes })
    this.#strangers = new BoundedCache({ maxBytes: strangersBytes })
    this.#now = now
    this.#queues = queues
  }

  /** Whether a turn that has read a contact may still write it. */
  isCurrent({ key, readAt }: ContactWrite): boolean {
    return this.#lastErasedAt < readAt || (this.#known.peek(key)?.erasedAt ?? 0) < readAt
  }

  apply({ key, profile, memory, links }: ContactWrite, sessionId: string): void {
    const now = this.#now()
    const kept = this.#use(key, now) ?? noKept()
    const before = kept.memory.accounted
    const contact = kept.contact ?? { profile: undefined, revision: 0, firstSeen: now, lastSeen: now }
    kept.contact = contact
    if (memory && kept.memory.join(memory)) contact.revision += 1
    if (profile !== undefined) contact.profile = profile
    if (profile !== undefined || memory === undefined) contact.lastSeen = now
    for (const link of links) this.#link(kept.links, { ...link, sessionId, at: now })
    const isAccounted = kept.bytes !== undefined && before === kept.memory.accounted
    if (!isAccounted || profile !== undefined || links.length > 0) this.#put(key, kept)
  }

  readonly find: ContactStore['find'] = async (key) => {
    const { contact, memory } = this.#get(key) ?? {}
    return { contact: contact && { ...contact, memory: String(memory) }, readAt: this.#now() }
  }

  readonly links: ContactStore['links'] = async (key, { limit, flowId, before = Infinity }) => {
    const links = [...(this.#get(key)?.links.values() ?? [])].reverse()
    const asked = links.filter(
      (link) => link.number < before && (flowId === undefined || link.flowId === flowId),
    )
    return asked.slice(0, limit)
  }

  readonly erase: ContactStore['erase'] = async (key) => {
    const kept = this.#get(key) ?? noKept()
    this.#lastErasedAt = Math.max(this.#lastErasedAt, this.#now())
    const erasure = { contact: undefined, memory: new Memory(), erasedAt: this.#now() }
    this.#put(key, Object.assign(kept, erasure))
    for (const queue of this.#queues) queue.erase(new Set([key]))
  }

  readonly unlink: ContactStore['unlink'] = async (key, numbers) => {
    const kept = this.#get(key)
    if (!kept) return
    const gone = new Set(numbers)
    for (const [name, { number }] of kept.links) if (gone.has(number)) kept.links.delete(name)
    this.#put(key, kept)
  }

  readonly usage = () => joinedUsage(this.#known.usage(), this.#strangers.usage())

  #get(key: string): Kept | undefined {
    return this.#known.get(key) ?? this.#strangers.get(key)
  }

  /** The same for a turn. */
  #use(key: string, now: number): Kept | undefined {
    const kept = this.#known.peek(key) ?? this.#strangers.peek(key)
    if (!kept || now - kept.usedAt < usedApart) return kept
    kept.usedAt = now
    return this.#get(key)
  }

  #link(links: Links, link: Omit<ContactLink, 'number'>): void {
    const name = JSON.stringify([link.sessionId, link.flowId, link.resultId])
    if (links.has(name)) return
    this.#latest += 1
    links.set(name, { number: this.#latest, ...link })
    if (links.size > mostLinks) links.dropOldest()
  }

  #put(key: string, kept: Kept): void {
    const { contact, memory, erasedAt, links } = kept
    const isKnown = contact?.profile !== undefined || erasedAt > 0
    const [part, other] = isKnown ? [this.#known, this.#strangers] : [this.#strangers, this.#known]
    const ownBytes = bytesPerLink + bytesOfText(contact?.profile ?? '') + memory.accounted
    const accounted = () => ownBytes + links.bytes
    while (links.size > 0 && !part.fits(key, accounted())) links.dropOldest()
    const bytes = accounted()
    if (kept.bytes === bytes && kept.isKnown === isKnown) return
    Object.assign(kept, { bytes, isKnown })
    other.delete(key)
    part.set(key, kept, bytes)
  }
}

const noKept = (): Kept => ({
  contact: undefined,
  memory: new Memory(),
  erasedAt: 0,
  links: new Links(),
  usedAt: -Infinity,
})

const bytesOfLink = (name: string) => bytesPerLink + 2 * bytesOfText(name)
