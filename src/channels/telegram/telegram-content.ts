import type { InboundContent } from '../messenger.ts'
import { type Fields, fieldsOf, idOf, listOf, numberOf, present, textOf } from '../wire/read-wire.ts'
import { located } from '../wire/said.ts'

/** Fields of a message that hold a file. An animation comes as a document too. */
const files = ['voice', 'audio', 'video', 'video_note', 'animation', 'document'] as const

/** Types of files that have none of their own. */
const types: Readonly<Record<string, string>> = { video_note: 'video/mp4', photo: 'image/jpeg' }

/** Fields that every message has; the first other one says what kind of message it is. */
const common =
  /^(message_id|message_thread_id|from|chat|date|edit_date|via_bot|author_signature|sender_\w+|forward_\w+|reply_\w+|is_\w+|has_\w+|quote|effect_id|business_connection_id|media_group_id|caption\w*|entities|show_\w+|link_preview_options|paid_star_count)$/

/** Content of a message of Telegram; kinds that are unknown are ignored. */
export function contentOfMessage(message: Fields): InboundContent {
  return (
    written(textOf(message['text'])) ??
    fileOf(message) ??
    located(fieldsOf(message['location'])) ??
    phoneOf(fieldsOf(message['contact'])) ?? { kind: 'ignored', what: kindOf(message) }
  )
}

function kindOf(message: Fields): string {
  const [kind = 'unknown'] = Object.keys(message).filter((key) => !common.test(key))
  return /^\w{1,40}$/.test(kind) ? kind : 'unknown'
}

function written(text: string | undefined): InboundContent | undefined {
  if (text === undefined) return undefined
  const [, command] = /^\/(\w{1,32})(?:@\w{1,64})?(?:\s|$)/.exec(text) ?? []
  return command === undefined ? { kind: 'text', text } : { kind: 'command', command, text }
}

function fileOf(message: Fields): InboundContent | undefined {
  const caption = textOf(message['caption'])
  const photo = largestOf(listOf(message['photo']))
  const kind = photo ? 'photo' : files.find((field) => message[field] !== undefined)
  const { file_id, mime_type, file_name, file_size } = photo ?? fieldsOf(kind && message[kind])
  const id = idOf(file_id)
  if (kind === undefined || id === undefined) return undefined
  const type = textOf(mime_type) ?? types[kind]
  return present({
    kind: 'media' as const,
    media: present({ id, type, name: textOf(file_name), size: numberOf(file_size) }),
    caption,
    isVoice: kind === 'voice' ? (true as const) : undefined,
  })
}

/** One picture comes in several sizes. */
function largestOf(sizes: readonly Fields[]): Fields | undefined {
  const area = ({ width, height }: Fields) => (numberOf(width) ?? 0) * (numberOf(height) ?? 0)
  return sizes.reduce<Fields | undefined>(
    (largest, size) => (largest && area(largest) >= area(size) ? largest : size),
    undefined,
  )
}

function phoneOf({ phone_number }: Fields): InboundContent | undefined {
  const phone = textOf(phone_number)
  if (phone === undefined) return undefined
  return { kind: 'text', text: /^\d+$/.test(phone) ? `+${phone}` : phone }
}
