import type { ChannelName } from '../../schemas/channel.ts'
import type { ChannelBody } from '../../schemas/channels.ts'
import {
  destinationOf,
  type EndpointTable,
  inboxOf,
  type StoredEndpoint,
} from '../stores/outgoing/endpoint-table.ts'
import type { Messenger } from './messenger.ts'

/** An account at a messenger, ready to be used. */
export interface MessengerAccount {
  readonly name: ChannelName
  readonly messenger: Messenger
}

/** A channel as this process knows it. */
export interface Channel {
  readonly name: string
  readonly revision: number
  readonly settings: ChannelBody
  /** Undefined where `CREDENTIALS_FILE` has no such account. */
  readonly account: MessengerAccount | undefined
  readonly isFromFile: boolean
  /** Of the outbox and of the inbox. */
  readonly destination: string
  readonly inbox: string
  /** Why nothing is sent there; undefined while it is. */
  readonly disabled: string | undefined
}

/** A channel whose account is there. */
export type OpenChannel = Channel & { readonly account: MessengerAccount }

interface DirectoryOptions {
  readonly table: Pick<EndpointTable, 'list'>
  /** Those of `CHANNELS_FILE`. */
  readonly file: ReadonlyMap<string, ChannelBody>
  openAccount(id: string): MessengerAccount | undefined
}

/** The channels as this process knows them: asking costs no more than a look. */
export class ChannelDirectory {
  readonly #options: DirectoryOptions
  #all: readonly Channel[] = []

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.#all = this.#fromFile()
  }

  get all(): readonly Channel[] {
    return this.#all
  }

  /** Those that messages come in by and go out by. */
  get open(): readonly OpenChannel[] {
    return this.#all.filter((channel): channel is OpenChannel => channel.account !== undefined)
  }

  find(name: string): Channel | undefined {
    return this.#all.find((channel) => channel.name === name)
  }

  hasAccount(id: string): boolean {
    return this.#options.openAccount(id) !== undefined
  }

  /** Reads them anew: other processes may have changed them. */
  async refresh(): Promise<void> {
    const { table, file } = this.#options
    const stored = (await table.list()).filter(({ name }) => !file.has(name)).map(this.#ofTable)
    this.#all = [...this.#fromFile(), ...stored].sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  #fromFile(): Channel[] {
    return [...this.#options.file].map(([name, settings]) =>
      this.#channelOf({ name, revision: 0, settings, isFromFile: true, disabled: undefined }),
    )
  }

  readonly #ofTable = ({ name, revision, text, disabled }: StoredEndpoint): Channel =>
    this.#channelOf({
      name,
      revision,
      settings: JSON.parse(text) as ChannelBody,
      isFromFile: false,
      disabled: disabled ?? undefined,
    })

  #channelOf(known: Pick<Channel, 'name' | 'revision' | 'settings' | 'isFromFile' | 'disabled'>): Channel {
    const { name, settings } = known
    return {
      ...known,
      account: this.#options.openAccount(settings.account),
      destination: destinationOf(name, 'channel'),
      inbox: inboxOf(name),
    }
  }
}
