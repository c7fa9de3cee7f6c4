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

interface EndpointsOptions {
  readonly records: {
    readonly list: () => readonly StoredEndpoint[]
    /** The revision that it has then, 1 for a new one; undefined where there is no room. */
    put(change: EndpointChange): number | undefined
    /** Whether there was one. */
    remove(name: string): boolean
    disable(...args: Parameters<EndpointTable['disable']>): void
  }
  /** Adds to the audit. */
  note(entry: {
    readonly actor: string
    readonly action: `${'put' | 'delete'} ${EndpointKind}`
    readonly subject: string
    readonly detail: string
  }): unknown
  readonly outbox: { drop(destination: string): void }
  readonly inbox: { drop(destination: string): void }
}

/** Endpoints of a kind that one process has for itself. */
export function endpointsOf(kind: EndpointKind, { records, note, outbox, inbox }: EndpointsOptions) {
  function drop(name: string): void {
    outbox.drop(destinationOf(name, kind))
    if (kind === 'channel') inbox.drop(inboxOf(name))
  }
  return {
    ...records,
    put(change: EndpointChange): boolean {
      const { name, actor } = change
      const revision = records.put(change)
      if (revision === undefined) return false
      if (revision === 1) drop(name)
      note({ actor, action: `put ${kind}`, subject: name, detail: revision === 1 ? 'new' : 'changed' })
      return true
    },
    remove({ name, actor }: Parameters<EndpointTable['remove']>[0]): boolean {
      const isThere = records.remove(name)
      if (isThere) {
        drop(name)
        note({ actor, action: `delete ${kind}`, subject: name, detail: '' })
      }
      return isThere
    },
  }
}
