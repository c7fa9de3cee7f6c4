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

/** Deleted flows whose last number is remembered. */
const mostDeleted = 10_000

/** Bytes of a version beside its text, and of a row of the audit beside its texts. */
const versionBytes = 500
const auditRowBytes = 200

/** Keeps flows that are published over HTTP for as long as this process lives. */
export function createMemoryFlowTable(options: MemoryFlowTableOptions): FlowTable & { usage(): StoreUsage } {
  const { definitions, outbox, now } = options
  const auditBytes = Math.floor(options.maxBytes / 8)
  const maxBytes = options.maxBytes - auditBytes
  let evicted = 0
  let lastNumber = 0
  const rows = new Map<string, FlowRow>()
  const deleted = new LRUCache<string, FlowRow>({ max: mostDeleted })
  const versions = new LRUCache<string, FlowVersion>({
    maxSize: maxBytes,
    dispose({ hash }, _key, reason) {
      if (reason === 'evict') evicted += 1
      void definitions.release([hash])
    },
  })
  const audit = new LRUCache<number, AuditRow>({
    maxSize: auditBytes,
    sizeCalculation: ({ actor, subject, detail }) =>
      auditRowBytes + 2 * (actor.length + subject.length + detail.length),
  })

  const keysOf = (publicId: string) => [...versions.keys()].filter((key) => publicIdOf(key) === publicId)

  function find(publicId: string): CatalogueEntry | undefined {
    const row = rows.get(publicId)
    const version = row && versions.get(keyOf(publicId, row.version))
    return version && { ...version, publicId, isClosed: row.isClosed, isArchived: row.isArchived }
  }

  function note(entry: AuditEntry): void {
    lastNumber += 1
    audit.set(lastNumber, { ...entry, number: lastNumber, at: now() })
  }

  /** Marks everything as used that is served, so that other versions make room for a text; throws where that is too little. */
  function makeRoom({ publicId }: FlowChange, size: number): void {
    let bytes = size
    for (const [id, { version }] of rows)
      if (id !== publicId && versions.get(keyOf(id, version)))
        bytes += versions.info(keyOf(id, version))?.size ?? 0
    if (bytes <= maxBytes) return
    throw new ServiceError(
      'PAYLOAD_TOO_LARGE',
      `With this flow those that are published take ${bytes} bytes of memory, more than the ${maxBytes} that there are for them`,
    )
  }

  function write(change: FlowChange, { row, detail }: Extract<FlowPlan, { kind: 'write' }>): void {
    const { publicId, actor, action } = change
    if (action.kind === 'publish') {
      const size = versionBytes + 2 * action.text.length
      makeRoom(change, size)
      void definitions.retain([action])
      const version = { version: row.version, hash: action.hash, publishedAt: now(), publishedBy: actor }
      versions.set(keyOf(publicId, row.version), version, { size })
    }
    if (action.kind === 'delete') {
      for (const key of keysOf(publicId)) versions.delete(key)
      rows.delete(publicId)
      deleted.set(publicId, row)
    } else rows.set(publicId, row)
    note({ actor, action: action.kind, subject: publicId, detail })
    outbox.put(eventsOfChange(change, row))
  }

  return {
    list: async () => [...rows.keys()].sort().flatMap((publicId) => find(publicId) ?? []),
    find: async (publicId) => find(publicId),
    versions: async (publicId) =>
      keysOf(publicId)
        .flatMap((key) => versions.peek(key) ?? [])
        .sort((one, other) => other.version - one.version),
    definition: definitions.get,
    async change(change) {
      const { publicId, action } = change
      const row = rows.get(publicId) ?? deleted.get(publicId)
      const hasTarget = action.kind === 'rollback' && versions.has(keyOf(publicId, action.version))
      const plan = planFlowChange({ row, hash: find(publicId)?.hash, hasTarget }, change)
      if (plan.kind === 'refuse') return plan.outcome
      if (plan.kind === 'write') write(change, plan)
      return { state: plan.kind === 'write' ? 'changed' : 'unchanged', entry: find(publicId) }
    },
    note: async (entry) => note(entry),
    audit: async ({ before = Number.POSITIVE_INFINITY, limit }) =>
      [...audit.values()].filter(({ number }) => number < before).slice(0, limit),
    follow: () => async () => undefined,
    usage: () => ({
      entries: versions.size,
      bytes: versions.calculatedSize + audit.calculatedSize,
      evicted,
    }),
  }
}

const keyOf = (publicId: string, version: number) => `${version} ${publicId}`

const publicIdOf = (key: string) => key.slice(key.indexOf(' ') + 1)
