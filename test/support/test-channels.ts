import type { ChannelBody } from '../../schemas/channels.ts'
import { ChannelDirectory, type MessengerAccount } from '../../src/channels/channel-directory.ts'
import { Channels } from '../../src/channels/channels-service.ts'
import { createReceiver } from '../../src/channels/receive.ts'
import { createMemoryDefinitionStore } from '../../src/stores/memory/memory-definition-store.ts'
import { createMemoryEndpointTable } from '../../src/stores/memory/memory-endpoint-table.ts'
import { MemoryFlowTable } from '../../src/stores/memory/memory-flow-table.ts'
import { openMemoryInbox, openMemoryOutbox } from './memory-outbox.ts'

const megabyte = 1024 * 1024

interface TestChannelsOptions {
  /** By the ids of accounts. */
  readonly accounts?: Readonly<Record<string, MessengerAccount>>
  readonly file?: Readonly<Record<string, ChannelBody>>
  /** Public ids of flows; all that are asked for unless given. */
  readonly flows?: readonly string[]
}

/** Channels over stores in memory, by which nothing is answered or sent. */
export function openTestChannels({ accounts = {}, file = {}, flows: ids }: TestChannelsOptions = {}) {
  const outbox = openMemoryOutbox()
  const inbox = openMemoryInbox()
  const definitions = createMemoryDefinitionStore({ maxBytes: megabyte, draftMaxBytes: megabyte })
  const flows = new MemoryFlowTable({ definitions, maxBytes: megabyte, outbox, now: Date.now })
  const table = createMemoryEndpointTable('channel', { note: flows.note, outbox, inbox })
  const directory = new ChannelDirectory({
    table,
    file: new Map(Object.entries(file)),
    openAccount: (id) => accounts[id],
  })
  const woken: number[] = []
  const warnings: string[] = []
  const failed: string[][] = []
  const accountFailed = (...told: string[]) => void failed.push(told)
  const log = { warn: (_details: object, message: string) => void warnings.push(message) }
  const sender = { wake: () => undefined, resume: () => undefined, problemOf: () => undefined }
  return {
    inbox,
    outbox,
    directory,
    warnings,
    /** Channels whose accounts were told to send nothing, and why. */
    failed,
    audit: () => flows.audit({ limit: 10 }),
    channels: new Channels({
      ...{ directory, table, inbox, outbox, sender, publicUrl: 'https://flows.example' },
      published: {
        byPublicId: async (id) => ((ids?.includes(id) ?? true) ? { isArchived: false } : undefined),
      },
    }),
    receiver: createReceiver({
      directory,
      inbox,
      outbox,
      wake: () => void woken.push(1),
      accountFailed,
      log,
    }),
    /** How often it was told to look for what has come in. */
    woken: () => woken.length,
  }
}
