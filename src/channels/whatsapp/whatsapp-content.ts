import type { InboundContent } from '../messenger.ts'
import { type Fields, fieldsOf, idOf, listOf, numberOf, present, textOf } from '../wire/read-wire.ts'
import { located, pressed } from '../wire/said.ts'

type Reader = (value: Fields) => InboundContent | undefined

const text = (value: unknown): InboundContent | undefined => {
  const found = textOf(value)
  return found === undefined ? undefined : { kind: 'text', text: found }
}

function media({ id, mime_type, filename, caption, voice }: Fields): InboundContent | undefined {
  const name = textOf(filename)
  const file = idOf(id)
  if (file === undefined) return undefined
  // Apps write the name of a document below it where nothing was written.
  const written = caption === filename ? undefined : textOf(caption)
  const [type] = textOf(mime_type)?.split(';') ?? []
  return present({
    kind: 'media' as const,
    media: present({ id: file, type: type?.trim(), name }),
    caption: written,
    isVoice: voice === true ? (true as const) : undefined,
  })
}

function interactive({ button_reply, list_reply, nfm_reply }: Fields): InboundContent | undefined {
  const { id, title } = fieldsOf(button_reply ?? list_reply)
  return pressed(textOf(id), textOf(title)) ?? text(fieldsOf(nfm_reply)['response_json'])
}

function order({ text: note, product_items }: Fields): InboundContent | undefined {
  const items = listOf(product_items).map(({ quantity, product_retailer_id }) =>
    [String(numberOf(quantity) ?? 1), textOf(product_retailer_id) ?? '?'].join(' × '),
  )
  return text([textOf(note), ...items].filter(Boolean).join('\n'))
}

/** By the type of a message, which its content is named by too. */
const readers: ReadonlyMap<unknown, Reader> = new Map<string, Reader>([
  ['text', ({ body }) => text(body)],
  ['button', ({ payload, text: label }) => pressed(textOf(payload), textOf(label))],
  ['interactive', interactive],
  ['image', media],
  ['video', media],
  ['audio', media],
  ['document', media],
  ['location', located],
  ['order', order],
])

/** Content of a message of WhatsApp; kinds that are unknown are ignored. */
export function contentOf(message: Fields): InboundContent {
  const { type, system, contacts } = message
  const kind = typeof type === 'string' && /^\w{1,40}$/.test(type) ? type : 'unknown'
  const read = kind === 'contacts' ? phoneOf(contacts) : readers.get(kind)?.(fieldsOf(message[kind]))
  if (read) return read
  const { type: change } = fieldsOf(system)
  const isMove = change === 'user_changed_number' || change === 'user_changed_user_id'
  return isMove ? { kind: 'renamed' } : { kind: 'ignored', what: kind }
}

function phoneOf(contacts: unknown): InboundContent | undefined {
  const [phone] = listOf(listOf(contacts)[0]?.['phones'])
  const id = idOf(phone?.['wa_id'])
  return text(id === undefined ? phone?.['phone'] : `+${id}`)
}
