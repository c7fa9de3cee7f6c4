import type { ApiRequest } from '../outgoing.ts'
import { textOf } from '../wire/read-wire.ts'
import type { SentMedia } from '../wire/usable-media.ts'
import { telegramCapabilities } from './telegram-capabilities.ts'

const { files } = telegramCapabilities

/** The file of a message. Entities of its caption are those of the text then, which begins with it. */
export function mediaOfTelegram({ body }: ApiRequest): SentMedia | undefined {
  const kind = Object.keys(files).find((name) => textOf(body[name]) !== undefined)
  const file = kind === undefined ? undefined : files[kind]
  if (kind === undefined || !file) return undefined
  const { [kind]: address, caption, caption_entities: entities, ...rest } = body
  const url = String(address)
  const text = [textOf(caption), url].filter(Boolean).join('\n\n')
  const asLink = () => ({
    method: 'sendMessage',
    body: { ...rest, text, ...(entities !== undefined && { entities }) },
  })
  return { url, ...file, asLink }
}
