import { updatedResult } from '../codec/apply-result-update.ts'
import { readResult, writeChange, writeResult } from '../codec/result-codec.ts'
import { readCursor, writeCursor } from '../codec/result-cursor.ts'
import { isWithin, mostScanned, searchFor } from '../codec/result-filter.ts'
import { nameOfResult, namesOfPage } from '../codec/result-names.ts'
import type { ClientLogs } from '../conversation-store.ts'
import { RememberedKeys } from '../in-process/remembered-keys.ts'
import type { Result, ResultPage, ResultPageRequest, ResultStore, ResultUpdate } from '../result-store.ts'
import { createBoundedTextCache } from './bounded-text-cache.ts'
import { createCreationIndex, type Placed } from './creation-index.ts'
import { createRecencyIndex } from './recency-index.ts'
import { createResultOrder } from './result-order.ts'

export interface MemoryResultStoreOptions {
  /** Accounted bytes of all results; which of them make room for others is up to their order. */
  readonly maxBytes: number
  /** How long a result lives after its last change; undefined for ever. */
  readonly expiry?: { readonly ttlMs: number; now(): number } | undefined
}

export interface MemoryResultStore extends ResultStore {
  /**
   * Applies changes of different results as one unit. Those of results that were erased lately are left out. New ones
   * are of the address that is given.
   * Throws PAYLOAD_TOO_LARGE, and leaves everything as it was, when the store could never hold one of them.
   */
  apply(changes: readonly ResultUpdate[], address?: string): void
  /** Appends to a result that is there, once for each key; false when there is none. Rejects as `apply` throws. */
  appendLogs(report: ClientLogs): Promise<boolean>
}

/**
 * What the places of a result take besides its text: up to 932 bytes, measured on Node 20.20 with 24,000 results that have
 * an age limit, an answer and an address each, and come and go all the time; 598 without an answer.
 */
const bytesPerPlace = 940

/**
 * How many erased results are remembered, so that a turn that is still under way, or an earlier session of the visitor, does
 * not bring one back. They take up to 8 MB besides the bound.
 */
const mostErased = 50_000

/** How many reports of clients are known by their keys. */
const mostReported = 20_000

/** Characters of a page: it is built in one go, which blocks the event loop. */
const pageCharacters = 8 * 1024 * 1024

/** Results that are erased as one unit. */
const erasedAtOnce = 500

/** Characters of changes that may always follow a result. */
const leastRoom = 4096

interface Place {
  readonly placed: Placed
  readonly address: string
  isAnswered: boolean
  /** Characters of changes that may still follow the result before it is written anew. */
  room: number
}

/** Keeps results as text in this process. */
export function createMemoryResultStore({ maxBytes, expiry }: MemoryResultStoreOptions): MemoryResultStore {
  const created = createCreationIndex()
  const erased = new RememberedKeys({ max: mostErased })
  const reported = new RememberedKeys({ max: mostReported })
  const places = new Map<string, Place>()
  const changed = expiry && createRecencyIndex(expiry.now)
  const order = createResultOrder(maxBytes)
  let evicted = 0
  const texts = createBoundedTextCache({
    maxBytes,
    extraBytesPerEntry: bytesPerPlace,
    isTrimmed: true,
    gone: forget,
  })

  function forget(key: string): void {
    const place = places.get(key)
    if (place) created.remove(place.placed)
    places.delete(key)
    order.remove(key)
    changed?.remove(key)
  }

  function expire(): void {
    if (!expiry) return
    const earliest = expiry.now() - expiry.ttlMs
    for (let oldest = changed?.oldest(); oldest && oldest.changedAt < earliest; oldest = changed?.oldest())
      texts.delete(oldest.key)
  }

  /** A result was written or read. */
  function use(key: string): void {
    const place = places.get(key)
    if (place) order.use(key, { ...place, bytes: texts.bytesOf(key) })
  }

  function makeRoomFor(written: string): void {
    for (let key = written; texts.usage().bytes > maxBytes; evicted += 1) {
      key = order.next(written) ?? written
      texts.delete(key)
    }
  }

  function keep(key: string, result: Result, address = ''): void {
    const text = writeResult(result)
    texts.set(key, text)
    const place = places.get(key)
    const room = Math.max(text.length, leastRoom)
    if (place) place.room = room
    else
      places.set(key, {
        placed: created.add({ flowId: result.flowId, key, createdAt: result.createdAt }),
        address,
        isAnswered: false,
        room,
      })
  }

  /** Writes what changed behind what there is; everything anew only when that has doubled since the last time. */
  function add(key: string, change: ResultUpdate, text: string): void {
    const place = places.get(key) as Place
    const line = writeChange(change)
    place.room -= line.length
    if (place.room < 0 || !texts.append(key, line)) keep(key, updatedResult(readResult(text), change))
  }

  function change(update: ResultUpdate, mayCreate: boolean, address?: string): boolean {
    const key = keyOf(update.flowId, update.id)
    const text = texts.get(key)
    if (text !== undefined) add(key, update, text)
    else if (mayCreate && !erased.has(key)) keep(key, updatedResult(undefined, update), address)
    else return false
    const place = places.get(key)
    if (place) place.isAnswered ||= Boolean(update.hasStarted || update.answers?.length)
    use(key)
    makeRoomFor(key)
    changed?.touch(key)
    return true
  }

  /** Throws for a change that `change` would throw for. */
  function check(update: ResultUpdate): void {
    const key = keyOf(update.flowId, update.id)
    const text = texts.peek(key)
    const after = updatedResult(text === undefined ? undefined : readResult(text), update)
    texts.check(key, writeResult(after))
  }

  function list(flowId: string, { limit, cursor, filter = {} }: ResultPageRequest): ResultPage {
    expire()
    const search = searchFor(filter)
    const results: Result[] = []
    let last: Placed | undefined
    let room = pageCharacters
    let scanned = 0
    for (const placed of created.before(flowId, cursor === undefined ? Infinity : readCursor(cursor))) {
      if (!isWithin(placed.createdAt, filter)) continue
      if (last && (results.length === limit || room <= 0 || scanned === mostScanned))
        return { results, nextCursor: writeCursor(last.number) }
      const text = texts.peek(placed.key) as string
      const result = !search || search.mayMatch(text) ? readResult(text) : undefined
      if (result && (search?.matches(result) ?? true)) results.push(result)
      room -= text.length
      scanned += 1
      last = placed
    }
    return { results }
  }

  function erase(key: string): readonly Result[] {
    const text = texts.get(key)
    texts.delete(key)
    erased.add(key)
    return text === undefined ? [] : [readResult(text)]
  }

  return {
    apply(changes, address) {
      expire()
      // A single change is a unit by itself.
      if (changes.length > 1) for (const update of changes) check(update)
      for (const update of changes) change(update, true, address)
    },
    async appendLogs({ resultId: id, flowId, key, logs, requestId, now }) {
      expire()
      const name = `${id} ${key}`
      if (reported.has(name)) return true
      const isKept = change({ id, flowId, now, logs, requestId }, false)
      if (isKept) reported.add(name)
      return isKept
    },
    async get(flowId, resultId) {
      expire()
      const key = keyOf(flowId, resultId)
      const text = texts.get(key)
      use(key)
      return text === undefined ? undefined : readResult(text)
    },
    async exists(resultId) {
      expire()
      for (const flowId of created.flows()) if (places.has(keyOf(flowId, resultId))) return true
      return false
    },
    list: async (flowId, page) => list(flowId, page),
    listNames: async (flowId, page) => namesOfPage(list(flowId, { ...page, limit: erasedAtOnce })),
    usage: async () => ({ ...texts.usage(), evicted }),
    async delete(flowId, resultIds) {
      expire()
      return resultIds.flatMap((id) => erase(keyOf(flowId, id)).map(nameOfResult))
    },
  }
}

/** Ids may hold any character, so a separator alone would be ambiguous. */
function keyOf(flowId: string, resultId: string): string {
  return `${resultId.length} ${resultId}${flowId}`
}
