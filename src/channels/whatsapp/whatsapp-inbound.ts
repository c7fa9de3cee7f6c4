import type { ChannelUser, Inbound, InboundMessage, Referral, StatusUpdate } from '../messenger.ts'
import {
  type Fields,
  fieldsOf,
  idOf,
  listOf,
  millisecondsOf,
  notInbound,
  present,
  readInbound,
  textOf,
} from '../wire/read-wire.ts'
import { contentOf } from './whatsapp-content.ts'
import { problemOf } from './whatsapp-problem.ts'

/** Reads a batch of the webhook `messages`. One of another number of the business is not for us: it is told, and left. */
export function readWhatsApp(body: Uint8Array, phoneNumberId: string): Inbound {
  const { object, entry } = readInbound(body, 'WhatsApp')
  if (object !== 'whatsapp_business_account')
    throw notInbound('WhatsApp', { pointer: '/object', message: 'must be "whatsapp_business_account"' })
  const values = listOf(entry)
    .flatMap(({ changes }) => listOf(changes))
    .filter(({ field }) => field === 'messages')
    .map(({ value }) => fieldsOf(value))
  const isOurs = ({ metadata }: Fields) => fieldsOf(metadata)['phone_number_id'] === phoneNumberId
  const batches = values.filter(isOurs).map(readValue)
  return {
    messages: batches.flatMap(({ messages }) => messages),
    statuses: batches.flatMap(({ statuses }) => statuses),
    warnings: [
      ...foreign(values.filter((value) => !isOurs(value))),
      ...batches.flatMap((one) => one.warnings),
    ],
  }
}

function foreign(values: readonly Fields[]): string[] {
  const numbers = new Set(values.map(({ metadata }) => idOf(fieldsOf(metadata)['phone_number_id']) ?? 'none'))
  return [...numbers]
    .slice(0, 10)
    .map((id) => `Messages for the phone number id ${id} came here: give that number an address of its own`)
}

function readValue({ contacts, messages, statuses, errors }: Fields): Inbound {
  const people = new Map<unknown, Fields>()
  for (const contact of listOf(contacts))
    for (const id of [contact['wa_id'], contact['user_id']]) if (id !== undefined) people.set(id, contact)
  const read = listOf(messages).map((message) => messageOf(message, people))
  const unnamed = read.filter((message) => message === undefined).length
  return {
    messages: read.filter((message) => message !== undefined),
    statuses: listOf(statuses)
      .map(statusOf)
      .filter((status) => status !== undefined),
    warnings: [
      ...(unnamed > 0 ? [`Messages without an id or a sender: ${unnamed}`] : []),
      ...listOf(errors).map((error) => problemOf(error).message),
    ],
  }
}

function messageOf(message: Fields, people: ReadonlyMap<unknown, Fields>): InboundMessage | undefined {
  const id = idOf(message['id'])
  const user = userOf(message, people)
  if (id === undefined || user === undefined) return undefined
  const sentAt = millisecondsOf(message['timestamp'])
  return present({
    id,
    user,
    sentAt,
    content:
      message['group_id'] === undefined ? contentOf(message) : ({ kind: 'ignored', what: 'group' } as const),
    referral: referralOf(message),
  })
}

/**
 * The id that is good for this business alone (`user_id`) is the name of a person; the phone number where there is none,
 * as of the time before there were such ids. Who hides the number has only the first.
 */
function userOf(message: Fields, people: ReadonlyMap<unknown, Fields>): ChannelUser | undefined {
  const { from, from_user_id: scopedId } = message
  const contact = people.get(scopedId ?? from) ?? people.get(from) ?? {}
  const system = fieldsOf(message['system'])
  const ids = [
    ...[system['user_id'], system['wa_id'], system['new_wa_id']],
    ...[scopedId, contact['user_id'], from, contact['wa_id'], system['previous_user_id']],
  ].flatMap((id) => idOf(id) ?? [])
  const [id, ...others] = new Set(ids)
  if (id === undefined) return undefined
  const { name, username } = fieldsOf(contact['profile'])
  const phone = ids.find((one) => /^\d{5,20}$/.test(one))
  return present({
    id,
    otherIds: others.length > 0 ? others : undefined,
    name: textOf(name) ?? textOf(username),
    phone: phone && `+${phone}`,
  })
}

function referralOf({ referral }: Fields): Referral | undefined {
  const { source_id: sourceId, ctwa_clid: clickId } = fieldsOf(referral)
  const found = present({ sourceId: textOf(sourceId), clickId: textOf(clickId) })
  return Object.keys(found).length > 0 ? found : undefined
}

/** `played` is said of voice messages that were read already. */
const states: ReadonlyMap<unknown, StatusUpdate['status']> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
])

function statusOf({ id, status, errors, biz_opaque_callback_data }: Fields): StatusUpdate | undefined {
  const reference = textOf(biz_opaque_callback_data) ?? textOf(id)
  const state = states.get(status)
  if (reference === undefined || state === undefined) return undefined
  const [error] = listOf(errors)
  return present({ reference, status: state, error: error && problemOf(error) })
}
