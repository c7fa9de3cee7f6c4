import type { PinnedProcess } from '../support/pinned-process.ts'
import type { Candidate } from '../support/rounds.ts'
import type { Build } from '../support/service.ts'

/** What measurements are taken with. */
export interface Circumstances {
  /** The Node that servers run on. */
  readonly node: string
  /** The build that is measured, default the one of this folder. */
  readonly build?: Build | undefined
}

/** Something that is measured beside something else. */
export interface Workload {
  /** Begins with its group and a colon. */
  readonly name: string
  /** Starts what takes part. */
  prepare(circumstances: Circumstances): Promise<Prepared>
}

export interface Prepared {
  /** What is measured comes first, then what it is compared with. */
  readonly candidates: readonly Candidate[]
  /** What there is to stop, once each. */
  readonly servers: readonly PinnedProcess[]
}

export const bare = 'bare node:http'
export const plainFastify = 'plain Fastify'
