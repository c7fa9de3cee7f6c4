import type { CallDependencies, Messenger, Outbound, SendResult } from '../messenger.ts'
import { callApi } from '../wire/call-api.ts'
import { download, MediaGoneError, MessengerAwayError } from '../wire/download.ts'
import { fieldsOf, idOf, listOf, numberOf, present, textOf } from '../wire/read-wire.ts'
import { createMakeUsable, type MakeUsable } from '../wire/usable-media.ts'
import type { WhatsAppAccount } from './whatsapp-account.ts'
import { checkWhatsApp } from './whatsapp-check.ts'
import { readWhatsApp } from './whatsapp-inbound.ts'
import { mediaOfWhatsApp } from './whatsapp-media.ts'
import { problemOf } from './whatsapp-problem.ts'
import { answerChallenge, isSignedBy } from './whatsapp-webhook.ts'

/** How long WhatsApp may take to fetch a file that came as an address, while later messages arrive. */
const fetchMs = 5_000

/** One message in six seconds for a person, of which 45 may be borrowed; 80 a second in all, in and out together. */
const rates = Object.freeze({
  person: { messages: 1, perMs: 6_000, burst: 45 },
  account: { messages: 40, perMs: 1_000 },
})

/** The WhatsApp Cloud API, for one number. */
export function createWhatsApp(account: WhatsAppAccount): Messenger {
  const makeUsable = createMakeUsable()
  return Object.freeze<Messenger>({
    rates,
    tellsStatuses: true,
    isGenuine: (request) => isSignedBy(account.appSecret, request),
    challengeOf: (request) => answerChallenge(account.verifyToken, request),
    parse: ({ body }) => readWhatsApp(body, account.phoneNumberId),
    send: (message, deps) => send(message, { account, makeUsable, deps }),
    async showTyping({ id }, deps) {
      const body = {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: id,
        typing_indicator: { type: 'text' },
      }
      await post(account, body, deps)
    },
    async download(media, deps) {
      const headers = authorization(account)
      const query = new URLSearchParams({ phone_number_id: account.phoneNumberId })
      const url = `${account.baseUrl}/${encodeURIComponent(media.id)}?${query}`
      const answer = await callApi({ url, headers }, deps)
      if (answer.state === 'failed') throw new MessengerAwayError(answer.problem.message)
      const { url: address, mime_type, file_size } = answer.body
      const source = textOf(address)
      if (source === undefined) {
        const error = fieldsOf(answer.body['error'])
        const { kind, message } = problemOf(error, answer.status)
        // What is not found is the file here.
        throw kind === 'never' || error['code'] === 100
          ? new MediaGoneError(message)
          : new MessengerAwayError(message)
      }
      const size = numberOf(Number(file_size))
      const file = { ...media, ...present({ type: media.type ?? textOf(mime_type), size }) }
      return download(file, { url: source, headers, baseUrl: account.baseUrl }, deps)
    },
    writeTemplate: ({ name, language, components }) => ({
      method: 'messages',
      body: {
        messaging_product: 'whatsapp',
        type: 'template',
        template: { name, language: { code: language }, ...(components && { components }) },
      },
    }),
    check: (webhookUrl, deps) => checkWhatsApp({ account, webhookUrl, deps }),
  })
}

const authorization = ({ accessToken }: WhatsAppAccount) =>
  [['authorization', `Bearer ${accessToken}`]] as const

const post = (account: WhatsAppAccount, body: object, deps: CallDependencies) =>
  callApi(
    { url: `${account.baseUrl}/${account.phoneNumberId}/messages`, headers: authorization(account), body },
    deps,
  )

interface Sending {
  readonly account: WhatsAppAccount
  readonly makeUsable: MakeUsable
  readonly deps: CallDependencies
}

async function send(
  { to, request, reference }: Outbound,
  { account, makeUsable, deps }: Sending,
): Promise<SendResult> {
  const usable = await makeUsable(request, mediaOfWhatsApp(request), deps)
  // Ids of this business alone have letters, phone numbers none.
  const recipient = /^\d+$/.test(to) ? { to } : { recipient: to }
  const body = { ...usable.body, ...recipient, biz_opaque_callback_data: reference }
  const answer = await post(account, body, deps)
  if (answer.state === 'failed') return { state: 'failed', problem: answer.problem }
  const [sent] = listOf(answer.body['messages'])
  const { status } = answer
  if (status === 200 && sent) {
    const isFetched = mediaOfWhatsApp(usable) !== undefined
    return {
      state: 'sent',
      ...present({ reference: idOf(sent['id']) }),
      ...(isFetched && { overtakableMs: fetchMs }),
    }
  }
  const { error } = answer.body
  const problem = problemOf(fieldsOf(error), status)
  // A proxy on the way says nothing of what became of the message.
  const isDoubtful = error === undefined && (status >= 500 || status < 300)
  return {
    state: 'failed',
    problem: isDoubtful ? { ...problem, kind: 'wait', isDoubtful } : problem,
  }
}
