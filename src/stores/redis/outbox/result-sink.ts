import type { ClientLogs } from '../../conversation-store.ts'
import type { ResultUpdate } from '../../result-store.ts'

/** What one turn changed about results. */
export interface ResultTurn {
  /** One for each turn of all sessions. */
  readonly key: string
  /** The revision that it led to. */
  readonly revision: number
  /** Changes of different results. */
  readonly updates: readonly ResultUpdate[]
}

/** Where results are kept in the end. */
export interface ResultSink {
  /** Applies each change once, however often it is handed in, and none to a result that was erased. */
  write(turns: readonly ResultTurn[]): Promise<void>
  /** Appends logs of a client, once for each of their keys. False when there is no such result. */
  appendLogs(report: ClientLogs): Promise<boolean>
}
