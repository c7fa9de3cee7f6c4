import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../lib/errors.ts'
import type { DefinitionStore } from '../definition-store.ts'
import type {
  AuditEntry,
  AuditRow,
  CatalogueEntry,
  FlowChange,
  FlowTable,
  FlowVersion,
} from '../flow-table.ts'
import { eventsOfChange, type FlowPlan, type FlowRow, planFlowChange } from '../plan-flow-change.ts'
import type { StoreUsage } from '../store-usage.ts'
import type { MemoryOutbox } from './memory-outbox.ts'

interface MemoryFlowTableOptions {
  /** Keeps the texts of all versions. */
  readonly definitions: DefinitionStore
  /**
   * Of versions with their texts, of which those go first that were served the longest ago and none that is served; an
   * eighth of it is for the audit, whose oldest rows go first.
   */
  readonly maxBytes: number
  readonly outbox: Pick<MemoryOutbox, 'put'>
  /** Milliseconds since 1970. */
  now(): number
}

/** Deleted flows whose last number is remembered, each of the size 1: by `max`, lists would be allocated at once. */
const mostDeleted = 10_000

/** Bytes of a version beside its text, and of a row of the audit beside its texts. */
const versionBytes = 500
const auditRowBytes = 200

/** Keeps flows that are published over HTTP for as long as this process lives. Its functions may be taken apart. */
export class MemoryFlowTable implements FlowTable {
  readonly #options: MemoryFlowTableOptions
  /** For versions with their texts. */
  readonly #maxBytes: number
  readonly #rows = new Map<string, FlowRow>()
  readonly #deleted = new LRUCache<string, FlowRow>({ maxSize: mostDeleted })
  readonly #versions: LRUCache<string, FlowVersion>
  readonly #audit: LRUCache<number, AuditRow>
  #servedBytes = 0
  #evicted = 0
  #lastNumber = 0

  constructor(options: MemoryFlowTableOptions) {
    this.#options = options
    const auditBytes = Math.floor(options.maxBytes / 8)
    this.#maxBytes = options.maxBytes - auditBytes
    this.#versions = new LRUCache({
      maxSize: this.#maxBytes,
      dispose: ({ hash }) => void options.definitions.release([hash]),
    })
    this.#audit = new LRUCache({
      maxSize: auditBytes,
      sizeCalculation: ({ actor, subject, detail }) =>
        auditRowBytes + 2 * (actor.length + subject.length + detail.length),
    })
  }

  readonly list: FlowTable['list'] = async () =>
    [...this.#rows.keys()].sort().flatMap((publicId) => this.#find(publicId) ?? [])

  readonly find: FlowTable['find'] = async (publicId) => this.#find(publicId)

  readonly versions: FlowTable['versions'] = async (publicId) =>
    this.#keysOf(publicId)
      .flatMap((key) => this.#versions.peek(key) ?? [])
      .sort((one, other) => other.version - one.version)

  readonly definition: FlowTable['definition'] = (hash) => this.#options.definitions.get(hash)

  readonly change: FlowTable['change'] = async (change) => {
    const { publicId, action } = change
    const row = this.#rows.get(publicId) ?? this.#deleted.get(publicId)
    const hasTarget = action.kind === 'rollback' && this.#versions.has(keyOf(publicId, action.version))
    const plan = planFlowChange({ row, hash: this.#find(publicId)?.hash, hasTarget }, change)
    if (plan.kind === 'refuse') return plan.outcome
    if (plan.kind === 'write') this.#write(change, plan)
    return { state: plan.kind === 'write' ? 'changed' : 'unchanged', entry: this.#find(publicId) }
  }

  readonly note: FlowTable['note'] = async (entry) => this.#note(entry)

  readonly audit: FlowTable['audit'] = async ({ before = Number.POSITIVE_INFINITY, limit }) =>
    [...this.#audit.values()].filter(({ number }) => number < before).slice(0, limit)

  readonly follow: FlowTable['follow'] = () => async () => undefined

  readonly usage = (): StoreUsage => ({
    entries: this.#versions.size,
    bytes: this.#versions.calculatedSize + this.#audit.calculatedSize,
    evicted: this.#evicted,
  })

  #keysOf(publicId: string): string[] {
    const { lastVersion = 0 } = this.#rows.get(publicId) ?? {}
    return Array.from({ length: lastVersion }, (_, index) => keyOf(publicId, index + 1))
  }

  #find(publicId: string): CatalogueEntry | undefined {
    const row = this.#rows.get(publicId)
    const version = row && this.#versions.get(keyOf(publicId, row.version))
    return version && { ...version, publicId, isClosed: row.isClosed, isArchived: row.isArchived }
  }

  #note(entry: AuditEntry): void {
    this.#lastNumber += 1
    this.#audit.set(this.#lastNumber, { ...entry, number: this.#lastNumber, at: this.#options.now() })
  }

  /** Bytes of the version that is served. */
  #sizeOf(publicId: string): number {
    const row = this.#rows.get(publicId)
    return (row && this.#versions.info(keyOf(publicId, row.version))?.size) ?? 0
  }

  /** Has others make room for a text than what is served; throws where that is too little. */
  #makeRoom({ publicId }: FlowChange, size: number): void {
    const bytes = this.#servedBytes - this.#sizeOf(publicId) + size
    if (bytes > this.#maxBytes)
      throw new ServiceError(
        'PAYLOAD_TOO_LARGE',
        `With this flow those that are published take ${bytes} bytes of memory, more than the ${this.#maxBytes} that there are for them`,
      )
    while (this.#versions.calculatedSize + size > this.#maxBytes) {
      const [oldest = ''] = this.#versions.rkeys()
      const id = publicIdOf(oldest)
      const isServed = keyOf(id, this.#rows.get(id)?.version ?? 0) === oldest
      if (isServed && id !== publicId) this.#versions.get(oldest)
      else this.#evicted += Number(this.#versions.delete(oldest))
    }
  }

  #write(change: FlowChange, { row, detail }: Extract<FlowPlan, { kind: 'write' }>): void {
    const { publicId, actor, action } = change
    const { definitions, outbox, now } = this.#options
    const sizeBefore = this.#sizeOf(publicId)
    if (action.kind === 'publish') {
      const size = versionBytes + 2 * action.text.length
      this.#makeRoom(change, size)
      void definitions.retain([action])
      const version = { version: row.version, hash: action.hash, publishedAt: now(), publishedBy: actor }
      this.#versions.set(keyOf(publicId, row.version), version, { size })
    }
    if (action.kind === 'delete') {
      for (const key of this.#keysOf(publicId)) this.#versions.delete(key)
      this.#rows.delete(publicId)
      this.#deleted.set(publicId, row, { size: 1 })
    } else this.#rows.set(publicId, row)
    this.#servedBytes += this.#sizeOf(publicId) - sizeBefore
    this.#note({ actor, action: action.kind, subject: publicId, detail })
    outbox.put(eventsOfChange(change, row))
  }
}

const keyOf = (publicId: string, version: number) => `${version} ${publicId}`

const publicIdOf = (key: string) => key.slice(key.indexOf(' ') + 1)
