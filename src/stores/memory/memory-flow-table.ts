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
import { type FlowPlan, type FlowRow, planFlowChange } from '../plan-flow-change.ts'
import type { StoreUsage } from '../store-usage.ts'

interface MemoryFlowTableOptions {
  /** Keeps the texts of all versions. */
  readonly definitions: DefinitionStore
  /** Of versions with their texts and, an eighth of it, of the audit. The oldest go first; what is served stays. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  now(): number
}

interface StoredVersion extends FlowVersion {
  readonly publicId: string
  readonly bytes: number
}

/** Deleted flows whose last number is remembered. */
const mostDeleted = 10_000

/** Bytes of a version beside its text, and of a row of the audit beside its texts. */
const versionBytes = 500
const auditRowBytes = 200

/** Keeps flows that are published over HTTP for as long as this process lives. */
export function createMemoryFlowTable(options: MemoryFlowTableOptions): FlowTable & { usage(): StoreUsage } {
  const { definitions, now } = options
  const auditBytes = Math.floor(options.maxBytes / 8)
  const maxBytes = options.maxBytes - auditBytes
  const rows = new Map<string, FlowRow>()
  const deleted = new LRUCache<string, FlowRow>({ max: mostDeleted })
  /** In the order of their publication. */
  const versions = new Map<string, StoredVersion>()
  const audit = new LRUCache<number, AuditRow>({
    maxSize: auditBytes,
    sizeCalculation: ({ actor, subject, detail }) =>
      auditRowBytes + 2 * (actor.length + subject.length + detail.length),
  })
  let lastNumber = 0
  let bytes = 0
  let evicted = 0

  const served = (publicId: string) => versions.get(keyOf(publicId, rows.get(publicId)?.version ?? 0))

  const isServed = ({ publicId, version }: StoredVersion) => rows.get(publicId)?.version === version

  function find(publicId: string): CatalogueEntry | undefined {
    const [row, version] = [rows.get(publicId), served(publicId)]
    if (!row || !version) return undefined
    const { isClosed, isArchived } = row
    return { publicId, ...factsOf(version), isClosed, isArchived }
  }

  function note(entry: AuditEntry): void {
    lastNumber += 1
    audit.set(lastNumber, { ...entry, number: lastNumber, at: now() })
  }

  function drop(version: StoredVersion): string {
    versions.delete(keyOf(version.publicId, version.version))
    bytes -= version.bytes
    return version.hash
  }

  function refuseIfTooLarge({ publicId }: FlowChange, size: number): void {
    const others = [...rows.keys()].filter((id) => id !== publicId)
    const total = others.reduce((sum, id) => sum + (served(id)?.bytes ?? 0), size)
    if (total <= maxBytes) return
    throw new ServiceError(
      'PAYLOAD_TOO_LARGE',
      `With this flow those that are published take ${total} bytes of memory, more than the ${maxBytes} that there are for them`,
    )
  }

  /** Former versions that have to make room, the oldest first. */
  function makeRoom(): string[] {
    const hashes: string[] = []
    for (const version of versions.values()) {
      if (bytes <= maxBytes) break
      if (isServed(version)) continue
      hashes.push(drop(version))
      evicted += 1
    }
    return hashes
  }

  /** Changes everything at once, before it waits for anything. */
  async function write(change: FlowChange, { row, detail }: Extract<FlowPlan, { kind: 'write' }>) {
    const { publicId, actor, action } = change
    let released: string[] = []
    if (action.kind === 'publish') {
      const { hash, text } = action
      const size = versionBytes + 2 * text.length
      refuseIfTooLarge(change, size)
      const version = {
        publicId,
        version: row.version,
        hash,
        publishedAt: now(),
        publishedBy: actor,
        bytes: size,
      }
      versions.set(keyOf(publicId, row.version), version)
      bytes += size
    }
    if (action.kind === 'delete') {
      rows.delete(publicId)
      deleted.set(publicId, row)
      released = [...versions.values()].filter((version) => version.publicId === publicId).map(drop)
    } else {
      rows.set(publicId, row)
      released = makeRoom()
    }
    note({ actor, action: action.kind, subject: publicId, detail })
    if (action.kind === 'publish') await definitions.retain([action])
    await definitions.release(released)
  }

  return {
    list: async () => [...rows.keys()].sort().flatMap((publicId) => find(publicId) ?? []),
    find: async (publicId) => find(publicId),
    versions: async (publicId) =>
      [...versions.values()]
        .filter((version) => version.publicId === publicId)
        .map(factsOf)
        .reverse(),
    definition: definitions.get,
    async change(change) {
      const { publicId, action } = change
      const row = rows.get(publicId) ?? deleted.get(publicId)
      const hasTarget = action.kind === 'rollback' && versions.has(keyOf(publicId, action.version))
      const plan = planFlowChange({ row, hash: served(publicId)?.hash, hasTarget }, change)
      if (plan.kind === 'refuse') return plan.outcome
      const written = plan.kind === 'write' && write(change, plan)
      const entry = find(publicId)
      await written
      return { state: written ? 'changed' : 'unchanged', entry }
    },
    note: async (entry) => note(entry),
    audit: async ({ before = Number.POSITIVE_INFINITY, limit }) =>
      [...audit.values()].filter(({ number }) => number < before).slice(0, limit),
    follow: () => async () => undefined,
    usage: () => ({ entries: versions.size, bytes: bytes + audit.calculatedSize, evicted }),
  }
}

const keyOf = (publicId: string, version: number) => `${version} ${publicId}`

function factsOf({ version, hash, publishedAt, publishedBy }: FlowVersion): FlowVersion {
  return { version, hash, publishedAt, publishedBy }
}
