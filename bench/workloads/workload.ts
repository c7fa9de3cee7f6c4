import type { Circumstances } from '../measurement.ts'
import type { PinnedProcess } from '../support/pinned-process.ts'
import type { Candidate } from '../support/rounds.ts'

/** Something that is measured beside something else. */
export interface Workload {
  /** Begins with the group whose results it stands among, and a colon. */
  readonly name: string
  readonly targets?: readonly Target[]
  /** Starts what takes part. */
  prepare(circumstances: Circumstances): Promise<Prepared>
}

export interface Prepared {
  /** What is measured comes first, then what it is compared with. */
  readonly candidates: readonly Candidate[]
  /** What there is to stop, once each. */
  readonly servers: readonly PinnedProcess[]
}

/** How what is measured shall stand to another candidate. */
export interface Target {
  readonly beside: string
  /** The throughput, of the other one's, is at least that. */
  readonly throughput?: number
  /** Server time a request, in times of the other one's, is at most that. */
  readonly cpu?: number
}

export const bare = 'bare node:http'
export const plainFastify = 'plain Fastify'
