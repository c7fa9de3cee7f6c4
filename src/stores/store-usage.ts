/** How much a store holds, for its operator. */
export interface StoreUsage {
  readonly entries: number
  /** As they are accounted against the bound of the store. */
  readonly bytes: number
  /** Entries that made room for others since the start. */
  readonly evicted: number
}

/** Connections to a database, for its operator. */
export interface ConnectionUsage {
  /** At work. */
  readonly busy: number
  readonly idle: number
  /** Requests that wait for one. */
  readonly waiting: number
}
