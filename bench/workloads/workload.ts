import type { Contestant } from '../support/contest.ts'
import type { PinnedProcess } from '../support/pinned-process.ts'

/** Something that is measured beside something else. */
export interface Workload {
  readonly name: string
  /** What is measured comes first, then what it is compared with. */
  prepare(environment: { readonly node: string }): Promise<Prepared>
}

export interface Prepared {
  readonly contestants: readonly Contestant[]
  /** What there is to stop, once each. */
  readonly servers: readonly PinnedProcess[]
}
