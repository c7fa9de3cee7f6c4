import type { ChannelUser, Inbound, InboundContent, InboundMessage, Referral } from '../messenger.ts'
import {
  type Fields,
  fieldsOf,
  idOf,
  listOf,
  millisecondsOf,
  notInbound,
  numberOf,
  present,
  readInbound,
  textOf,
} from '../wire/read-wire.ts'
import { pressed } from '../wire/said.ts'
import { contentOfMessage } from './telegram-content.ts'

/** Reads an update. One that is not of a private chat is nobody's: a conversation is with one person. */
export function readTelegram(body: Uint8Array): Inbound {
  const update = readInbound(body, 'Telegram')
  const number = numberOf(update['update_id'])
  if (number === undefined || !Number.isSafeInteger(number))
    throw notInbound('Telegram', { pointer: '/update_id', message: 'must be a whole number' })
  const message = deedOf(update)
  const messages = message ? [{ id: String(number), ...message }] : []
  return { messages, statuses: [], warnings: [] }
}

type Deed = Omit<InboundMessage, 'id'>

function deedOf({ message, edited_message, callback_query, my_chat_member }: Fields): Deed | undefined {
  if (callback_query !== undefined) return deedOfPress(fieldsOf(callback_query))
  const said = fieldsOf(message)
  const happened = fieldsOf(edited_message ?? my_chat_member)
  const { chat, from, date } = message === undefined ? happened : said
  const user = userOf(fieldsOf(chat), fieldsOf(from))
  if (!user) return undefined
  const sentAt = millisecondsOf(date)
  if (message === undefined) {
    const { status } = fieldsOf(happened['new_chat_member'])
    const what = edited_message !== undefined ? 'edit' : status === 'kicked' ? 'blocked' : 'unblocked'
    return present({ user, sentAt, content: { kind: 'ignored', what } as const })
  }
  const content = contentOfMessage(said)
  return present({ user: withPhone(user, said), sentAt, content, referral: referralOf(content) })
}

/** A press has no moment of its own. One below a message that is too old to be known has no chat either. */
function deedOfPress({ id, from, message, data }: Fields): Deed | undefined {
  const { chat, reply_markup } = fieldsOf(message)
  const sender = fieldsOf(from)
  const user = userOf(message === undefined ? { ...sender, type: 'private' } : fieldsOf(chat), sender)
  if (!user) return undefined
  const buttons = listOfLists(fieldsOf(reply_markup)['inline_keyboard'])
  const title = textOf(buttons.find((button) => button['callback_data'] === data)?.['text'])
  const content = pressed(textOf(data), title) ?? ({ kind: 'ignored', what: 'callback_query' } as const)
  return present({ user, content, acknowledge: idOf(id) })
}

const listOfLists = (rows: unknown): Fields[] =>
  Array.isArray(rows) ? rows.flatMap((row: unknown) => listOf(row)) : []

/** The person of a private chat, which has the id of the person. */
function userOf({ id, type }: Fields, from: Fields): ChannelUser | undefined {
  const number = numberOf(id)
  if (type !== 'private' || number === undefined || !Number.isSafeInteger(number) || from['is_bot'] === true)
    return undefined
  const names = [textOf(from['first_name']), textOf(from['last_name'])].filter((name) => name !== undefined)
  const locale = textOf(from['language_code'])
  return present({
    id: String(number),
    name: names.length > 0 ? names.join(' ') : textOf(from['username']),
    locale: locale !== undefined && /^[\w-]{1,35}$/.test(locale) ? locale : undefined,
  })
}

/** Adds the number of who shares the own contact. */
function withPhone(user: ChannelUser, { contact }: Fields): ChannelUser {
  const { user_id, phone_number } = fieldsOf(contact)
  const phone = textOf(phone_number)?.replace(/[^\d]/g, '')
  return phone && String(user_id) === user.id ? { ...user, phone: `+${phone}` } : user
}

/** The payload of a link to the bot (`t.me/BOT?start=PAYLOAD`) says where somebody came from, as an ad does. */
function referralOf(content: InboundContent): Referral | undefined {
  if (content.kind !== 'command' || content.command !== 'start') return undefined
  const [, payload] = /^\S+\s+([\w-]{1,64})\s*$/.exec(content.text) ?? []
  return payload === undefined ? undefined : { sourceId: payload }
}
