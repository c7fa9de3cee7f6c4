import type { MessengerType } from '../messenger-type.ts'
import { WhatsAppData } from './whatsapp-account.ts'
import { whatsAppCapabilities as capabilities } from './whatsapp-capabilities.ts'
import { createWhatsApp } from './whatsapp-messenger.ts'
import { whatsAppWriter as writer } from './whatsapp-writer.ts'

/** The version of the API is a part of the address, so that an account may name another. */
const baseUrl = 'https://graph.facebook.com/v24.0'

export const whatsapp: MessengerType<typeof WhatsAppData> = Object.freeze({
  data: WhatsAppData,
  baseUrl,
  capabilities,
  writer,
  open: createWhatsApp,
})
