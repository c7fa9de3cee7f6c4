import type { Messenger } from './messenger.ts'
import { type ChannelAccount, messengers } from './messenger-table.ts'

/** The messenger that an account is for. */
export const createMessenger = (account: ChannelAccount): Messenger => messengers[account.type].open(account)
