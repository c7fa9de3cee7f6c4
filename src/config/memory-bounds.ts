import type { Config } from './config.ts'

/** The most memory that one part of the service takes. */
interface MemoryBound {
  /** As `/metrics` calls it. */
  readonly store: string
  readonly bytes: number
  /** The variable that it depends on; undefined where it is fixed. */
  readonly variable?: string
  /** Whether it is kept in the heap of JavaScript, which has a limit of its own. */
  readonly isInHeap: boolean
}

/** Memory of the idle process. */
const idleBytes = { heap: 48 * 1024 * 1024, all: 128 * 1024 * 1024 }

/** Sizes of parts that the configuration does not set. */
interface Parts {
  /** Memory of all code in the sandbox at most. */
  readonly codeBytes: number
  /** Memory of one connection at most. */
  readonly connectionBytes: number
  readonly eventStreamBytes: number
}

/** Lists what each part of the service may take. */
export function memoryBounds(
  { memory, databaseUrl, dataDir, ...config }: Config,
  { codeBytes, connectionBytes, eventStreamBytes }: Parts,
): readonly MemoryBound[] {
  const share = (name: keyof Config['memory']) => ({
    store: name === 'draftPrograms' ? 'draft programs' : name,
    bytes: memory[name],
    variable: 'MEMORY_MAX_BYTES',
    isInHeap: true,
  })
  const streamBytes = config.maxEventStreams * eventStreamBytes
  const openBytes = config.maxConnections * connectionBytes
  // Else they are in the database alone.
  const sessions = databaseUrl === undefined ? (['sessions', 'previews', 'answers'] as const) : []
  // Else they are on the disk alone, or there.
  const isInMemory = dataDir === undefined && databaseUrl === undefined
  const records = ['results', 'flows', 'outbox', 'inbox', 'contacts', 'counts'] as const
  const caches = ['definitions', 'drafts', 'programs', 'draftPrograms'] as const
  return [
    ...[...sessions, ...(isInMemory ? records : []), ...caches].map(share),
    { store: 'sandbox', bytes: codeBytes, isInHeap: false },
    { store: 'bodies', bytes: config.bodiesMaxBytes, isInHeap: false },
    { store: 'unread answers', bytes: config.unread.maxBytes, isInHeap: true },
    { store: 'event streams', variable: 'MAX_CONNECTIONS', bytes: streamBytes, isInHeap: true },
    { store: 'connections', variable: 'MAX_CONNECTIONS', bytes: openBytes, isInHeap: false },
  ]
}

/** Says where the bounds add up to more than there is, the largest first: a process that fills them would be ended. */
export function memoryWarnings(
  bounds: readonly MemoryBound[],
  available: { readonly heapBytes: number; readonly allBytes: number },
): readonly string[] {
  const inHeap = bounds.filter(({ isInHeap }) => isInHeap)
  return [
    ...warnAbove({ bounds: inHeap, idle: idleBytes.heap, most: available.heapBytes, what: 'the heap' }),
    ...warnAbove({ bounds, idle: idleBytes.all, most: available.allBytes, what: 'the process' }),
  ]
}

function warnAbove({
  bounds,
  idle,
  most,
  what,
}: {
  bounds: readonly MemoryBound[]
  idle: number
  most: number
  what: string
}): string[] {
  const sum = bounds.reduce((total, { bytes }) => total + bytes, idle)
  if (sum <= most) return []
  const largest = [...bytesByVariable(bounds)].sort(([, one], [, other]) => other - one)
  const parts = largest.map(([variable, bytes]) => `${variable} ${mebibytes(bytes)}`).join(', ')
  return [
    `The bounds on memory add up to ${mebibytes(sum)}, more than the ${mebibytes(most)} that ${what} may have: lower ${parts}, or give it more`,
  ]
}

function bytesByVariable(bounds: readonly MemoryBound[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { variable, bytes } of bounds)
    if (variable !== undefined) sums.set(variable, (sums.get(variable) ?? 0) + bytes)
  return sums
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
