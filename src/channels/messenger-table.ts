import type { ChannelName } from '../../schemas/channel.ts'
import type { AccountOf, MessengerType } from './messenger-type.ts'
import { telegram } from './telegram/telegram.ts'
import { whatsapp } from './whatsapp/whatsapp.ts'

const types = { whatsapp, telegram } satisfies Record<ChannelName, MessengerType>

/** All messengers: nothing else knows which there are. */
export const messengers: Readonly<Record<ChannelName, MessengerType>> = Object.freeze(types)

/** An account at a messenger, for the channel that the operator gives it to. */
export type ChannelAccount = {
  [Name in ChannelName]: { readonly type: Name } & AccountOf<(typeof types)[Name]['data']>
}[ChannelName]
