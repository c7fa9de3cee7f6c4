import type { Static, TObject } from '@sinclair/typebox'
import type { Capabilities } from './capabilities.ts'
import type { Messenger } from './messenger.ts'
import type { ChannelWriter } from './outgoing.ts'

/** Account at a messenger, with an address in any case: without a slash at its end. */
export type AccountOf<Data extends TObject> = Readonly<Static<Data>> & { readonly baseUrl: string }

/** All that the layer has of a messenger: `messenger-table.ts` has one for each (docs/add-a-channel.md). */
export interface MessengerType<Data extends TObject = TObject> {
  /** Shape of the `data` of an account in `CREDENTIALS_FILE`; with `baseUrl?`, for tests and proxies. */
  readonly data: Data
  /** Address of the API of an account that has none of its own. */
  readonly baseUrl: string
  readonly capabilities: Capabilities
  readonly writer: ChannelWriter
  open(account: AccountOf<Data>): Messenger
}
