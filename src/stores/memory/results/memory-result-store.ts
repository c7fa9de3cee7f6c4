import { updatedResult } from '../../codec/apply-result-update.ts'
import { startOf } from '../../codec/result-cursor.ts'
import { countOfPage, nameOfResult, namesOfPage } from '../../codec/result-names.ts'
import { dueAfter, withoutOldValues } from '../../codec/result-retention.ts'
import { withVisit } from '../../codec/result-visit.ts'
import type { ClientLogs } from '../../conversation-store.ts'
import { refuseOver } from '../../in-process/bounded-cache.ts'
import { DueTimes } from '../../in-process/due-times.ts'
import { RememberedKeys } from '../../in-process/remembered-keys.ts'
import { SharedWays } from '../../in-process/shared-ways.ts'
import { asksForText, type OutlivedResult, type ResultStore, type ResultUpdate } from '../../result-store.ts'
import { bytesOfResult, KeptResult } from './kept-result.ts'
import { ResultIndex } from './result-index.ts'
import { writeLines } from './result-lines.ts'
import { ResultOrder } from './result-order.ts'
import { countPage, pageOf } from './result-page.ts'
import { byChange, UseOrder } from './use-order.ts'

interface MemoryResultStoreOptions {
  /** Accounted bytes of all results; which of them make room for others is up to their order. */
  readonly maxBytes: number
  /** How long a result lives after its last change; undefined for ever. */
  readonly expiry?: { readonly ttlMs: number; now(): number } | undefined
}

/**
 * How many erased results are remembered, so that a turn that is still under way, or an earlier session of the visitor,
 * does not bring one back. They take up to 10 MB besides the bound.
 */
const mostErased = 50_000

/** How many reports of clients are known by their keys. */
const mostReported = 10_000

/** Results that are erased as one unit. */
const erasedAtOnce = 500

/** Keeps results as text in this process. Its functions may be taken apart. */
export class MemoryResultStore implements ResultStore {
  readonly #maxBytes: number
  readonly #expiry: MemoryResultStoreOptions['expiry']
  readonly #index = new ResultIndex<KeptResult>()
  readonly #order: ResultOrder<KeptResult>
  readonly #changed = new UseOrder<KeptResult>(byChange)
  readonly #due = new DueTimes()
  readonly #erased = new RememberedKeys({ most: mostErased })
  readonly #reported = new RememberedKeys({ most: mostReported })
  readonly #shared = new SharedWays()
  #entries = 0
  #bytes = 0
  #evicted = 0

  constructor({ maxBytes, expiry }: MemoryResultStoreOptions) {
    this.#maxBytes = maxBytes
    this.#expiry = expiry
    this.#order = new ResultOrder(maxBytes)
  }

  /**
   * Applies changes of different results as one unit. Those of results that were erased lately are left out. New ones
   * are of the address that is given.
   * Throws PAYLOAD_TOO_LARGE, and leaves everything as it was, when the store could never hold one of them.
   */
  readonly apply = (changes: readonly ResultUpdate[], address = ''): void => {
    this.#expire()
    // A single change is a unit by itself.
    if (changes.length > 1) for (const update of changes) this.#check(update)
    for (const update of changes) this.#change(update, address)
  }

  /** Appends to a result that is there, once for each key; false when there is none. Rejects as `apply` throws. */
  readonly appendLogs = async (report: ClientLogs): Promise<boolean> => {
    this.#expire()
    const { resultId: id, flowId, key, logs, requestId, now } = report
    const name = `${id} ${key}`
    if (this.#reported.has(name)) return true
    if (!this.#index.find(flowId, id)) return false
    this.#change({ id, flowId, now, logs, requestId }, '')
    this.#reported.add(name)
    return true
  }

  readonly get: ResultStore['get'] = async (flowId, id) => {
    this.#expire()
    const kept = this.#index.find(flowId, id)
    if (!kept) return undefined
    this.#order.use(kept)
    return withVisit(kept.read(), kept.visit)
  }

  readonly exists: ResultStore['exists'] = async (id) => {
    this.#expire()
    return this.#index.has(id)
  }

  readonly list: ResultStore['list'] = async (flowId, page) => {
    this.#expire()
    return pageOf(this.#index.beyond(flowId, startOf(page), page.order), page)
  }

  readonly listNames: ResultStore['listNames'] = async (flowId, page) =>
    namesOfPage(await this.list(flowId, { ...page, limit: erasedAtOnce }))

  readonly count: ResultStore['count'] = async (flowId, page) => {
    if (page.filter && asksForText(page.filter))
      return countOfPage(await this.list(flowId, { ...page, limit: erasedAtOnce }))
    this.#expire()
    return countPage(this.#index.beyond(flowId, startOf(page)), page)
  }

  readonly add: ResultStore['add'] = async (flowId, results) => {
    this.#expire()
    const names = new Set<string>()
    const added = results.filter(({ id }) => {
      const isNew = !names.has(id) && !this.#index.find(flowId, id) && !this.#erased.has(nameOf(flowId, id))
      names.add(id)
      return isNew
    })
    this.apply(added)
    return added.length
  }

  readonly outlived: ResultStore['outlived'] = async (now, limit) => {
    const found: OutlivedResult[] = []
    for (const [name] of this.#due.by(now)) {
      if (found.length === limit) break
      found.push(ofName(name))
    }
    return found
  }

  readonly forget: ResultStore['forget'] = async (flowId, id, now) => {
    const kept = this.#index.find(flowId, id)
    if (!kept) return
    const { result, due } = withoutOldValues(kept.read(), now)
    const before = kept.size
    kept.write(result, this.#maxBytes)
    this.#bytes += kept.size - before
    this.#due.set(nameOf(flowId, id), due)
  }

  readonly usage = async () => ({ entries: this.#entries, bytes: this.#bytes, evicted: this.#evicted })

  readonly delete: ResultStore['delete'] = async (flowId, ids) => {
    this.#expire()
    return ids.flatMap((id) => {
      this.#erased.add(nameOf(flowId, id))
      const kept = this.#index.find(flowId, id)
      if (!kept) return []
      this.#remove(kept)
      return [nameOfResult(kept.read())]
    })
  }

  #change(update: ResultUpdate, address: string): void {
    const { flowId, id, hasStarted, answers } = update
    let kept = this.#index.find(flowId, id)
    const before = kept?.size ?? 0
    if (kept) kept.append(update, this.#maxBytes)
    else {
      if (this.#erased.has(nameOf(flowId, id))) return
      const result = updatedResult(undefined, update)
      kept = new KeptResult(result, this.#shared.address(address))
      kept.write(result, this.#maxBytes)
      this.#index.add(kept)
      this.#entries += 1
    }
    if (update.retention) this.#due.set(nameOf(flowId, id), dueAfter(update))
    if (update.visit) kept.come(this.#shared.of(update.visit), update.visit.askedAt)
    this.#bytes += kept.size - before
    this.#order.use(kept, kept.isAnswered || Boolean(hasStarted || answers?.length))
    if (this.#expiry) this.#touch(kept, this.#expiry.now())
    while (this.#bytes > this.#maxBytes) {
      this.#remove(this.#order.next(kept) ?? kept)
      this.#evicted += 1
    }
  }

  /** Throws for a change that `#change` would throw for. */
  #check(update: ResultUpdate): void {
    const kept = this.#index.find(update.flowId, update.id)
    const after = updatedResult(kept?.read(), update)
    refuseOver(this.#maxBytes, bytesOfResult(update.id, writeLines(after)))
  }

  #touch(kept: KeptResult, now: number): void {
    this.#changed.remove(kept)
    kept.changedAt = now
    this.#changed.add(kept)
  }

  #expire(): void {
    if (!this.#expiry) return
    const earliest = this.#expiry.now() - this.#expiry.ttlMs
    for (let oldest = this.#changed.oldest(); oldest; oldest = this.#changed.oldest()) {
      if (oldest.changedAt >= earliest) return
      this.#remove(oldest)
    }
  }

  #remove(kept: KeptResult): void {
    this.#due.set(nameOf(kept.flowId, kept.id), undefined)
    this.#index.remove(kept)
    this.#order.remove(kept)
    this.#changed.remove(kept)
    this.#entries -= 1
    this.#bytes -= kept.size
  }
}

/** Ids may hold any character, so a separator alone would be ambiguous. */
function nameOf(flowId: string, id: string): string {
  return `${id.length} ${id}${flowId}`
}

function ofName(name: string): OutlivedResult {
  const start = name.indexOf(' ') + 1
  const end = start + Number.parseInt(name, 10)
  return { id: name.slice(start, end), flowId: name.slice(end) }
}
