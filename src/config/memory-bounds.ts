import type { Config } from './config.ts'

/** The most memory that one part of the service takes, and the variable that says so. */
export interface MemoryBound {
  /** As `/metrics` calls it. */
  readonly store: string
  readonly bytes: number
  readonly variable: string
  /** Whether it is kept in the heap of JavaScript, which has a limit of its own. */
  readonly isInHeap: boolean
}

/** What the process takes before it does anything. */
const idleBytes = { heap: 48 * 1024 * 1024, all: 128 * 1024 * 1024 }

/** What the service is made of, as far as its configuration does not say. */
export interface Parts {
  /** Threads of the sandbox that there can be. */
  readonly codeThreads: number
  /** What one connection takes at most. */
  readonly connectionBytes: number
  readonly eventStreamBytes: number
}

/** Lists what each part of the service may take. */
export function memoryBounds(
  config: Config,
  { codeThreads, connectionBytes, eventStreamBytes }: Parts,
): readonly MemoryBound[] {
  const { sessions, results, unread, code } = config
  const heap = (store: string, variable: string, bytes: number) => ({
    store,
    variable,
    bytes,
    isInHeap: true,
  })
  const outside = (store: string, variable: string, bytes: number) => ({
    store,
    variable,
    bytes,
    isInHeap: false,
  })
  return [
    // Else they are in the database alone.
    ...(config.databaseUrl === undefined
      ? [
          heap('sessions', 'SESSION_MAX_BYTES', sessions.maxBytes),
          heap('previews', 'PREVIEW_SESSION_MAX_BYTES', sessions.previewMaxBytes),
          heap('answers', 'IDEMPOTENCY_MAX_BYTES', config.idempotencyMaxBytes),
        ]
      : []),
    // Else they are on the disk alone.
    ...(config.dataDir === undefined && config.databaseUrl === undefined
      ? [heap('results', 'RESULT_MAX_BYTES', results.maxBytes)]
      : []),
    heap('definitions', 'DEFINITION_MAX_BYTES', config.definitionMaxBytes),
    heap('drafts', 'DRAFT_MAX_BYTES', config.draftMaxBytes),
    heap('programs', 'PROGRAM_MAX_BYTES', config.programMaxBytes),
    heap('draft programs', 'DRAFT_MAX_BYTES', config.draftMaxBytes),
    outside('sandbox', 'CODE_MEMORY_BYTES', codeThreads * code.memoryBytes),
    outside('bodies', 'MAX_BODIES_BYTES', config.bodiesMaxBytes),
    heap('unread answers', 'MAX_UNREAD_BYTES', unread.maxBytes),
    heap('event streams', 'MAX_EVENT_STREAMS', config.maxEventStreams * eventStreamBytes),
    outside('connections', 'MAX_CONNECTIONS', config.maxConnections * connectionBytes),
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
  const largest = [...bounds].sort((one, other) => other.bytes - one.bytes).slice(0, 4)
  const parts = largest.map(({ variable, bytes }) => `${variable} ${mebibytes(bytes)}`).join(', ')
  return [
    `The bounds on memory add up to ${mebibytes(sum)}, more than the ${mebibytes(most)} that ${what} may have: lower ${parts}, or give it more`,
  ]
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
