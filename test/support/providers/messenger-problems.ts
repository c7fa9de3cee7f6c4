import type { ChannelName } from '../../../schemas/channel.ts'
import type { Json } from '../json.ts'
import { telegramProblems } from './telegram.ts'
import { whatsAppProblems } from './whatsapp.ts'
import { whatsAppLibraryProblems } from './whatsapp-library.ts'

/** What is wrong with a message, by the documents of its messenger and by the types of another maker. */
export const messengerProblems: Readonly<
  Record<ChannelName, (request: { method: string; body: Json }) => string[]>
> = {
  whatsapp: (request) => [...whatsAppProblems(request), ...whatsAppLibraryProblems(request)],
  telegram: telegramProblems,
}
