/** A place that events are sent to, as it is kept. */
export interface StoredEndpoint {
  readonly name: string
  /** Grows with each change. */
  readonly revision: number
  /** JSON, secrets included. */
  readonly text: string
  /** Why nothing is sent there any more; null while it is. */
  readonly disabled: string | null
}

interface EndpointChange {
  readonly name: string
  readonly text: string
  readonly actor: string
  /** Endpoints that there may be. */
  readonly most: number
}

/** Keeps endpoints of a kind. Who changed them is in the audit of the flows, in the same unit. */
export interface EndpointTable {
  /** In the order of their names. */
  list(): Promise<readonly StoredEndpoint[]>
  /**
   * Puts it in the place of the one that has the name, which is enabled by that. A new one gets nothing that was put out before; false where
   * there are as many as there may be, whoever puts another at the same time.
   */
  put(change: EndpointChange): Promise<boolean>
  /** Removes it with all that was to be sent there or came from there; false where there is none. */
  remove(change: { readonly name: string; readonly actor: string }): Promise<boolean>
  /** Sends nothing more to an endpoint that is still at a revision. */
  disable(endpoint: Pick<StoredEndpoint, 'name' | 'revision'>, reason: string): Promise<void>
}

/** As the audit calls it. A name is of one endpoint of each. */
export type EndpointKind = 'webhook' | 'channel'

/** The tables of those that databases keep. */
export const tableOfKind = { webhook: 'endpoints', channel: 'channels' } as const

/** Of the outbox. */
export const destinationOf = (name: string, kind: EndpointKind = 'webhook') => `${kind}:${name}`

/** Of the inbox, for what comes in by a channel. */
export const inboxOf = (name: string) => `inbox:${name}`
