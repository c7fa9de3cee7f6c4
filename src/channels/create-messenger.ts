import type { ChannelAccount } from '../ports/credentials-port.ts'
import type { Messenger } from './messenger.ts'
import { createTelegram } from './telegram/telegram-messenger.ts'
import { createWhatsApp } from './whatsapp/whatsapp-messenger.ts'

/** The messenger that an account is for. */
export function createMessenger(account: ChannelAccount): Messenger {
  return account.type === 'whatsapp' ? createWhatsApp(account) : createTelegram(account)
}
