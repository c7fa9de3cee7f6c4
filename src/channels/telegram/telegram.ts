import type { MessengerType } from '../messenger-type.ts'
import { TelegramData } from './telegram-account.ts'
import { telegramCapabilities as capabilities } from './telegram-capabilities.ts'
import { createTelegram } from './telegram-messenger.ts'
import { telegramWriter as writer } from './telegram-writer.ts'

export const telegram: MessengerType<typeof TelegramData> = Object.freeze({
  data: TelegramData,
  baseUrl: 'https://api.telegram.org',
  capabilities,
  writer,
  open: createTelegram,
})
