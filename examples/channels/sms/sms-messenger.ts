import { createHmac } from 'node:crypto'
import { Type } from '../../../schemas/type.ts'
import type {
  CallDependencies,
  CheckFinding,
  Inbound,
  InboundContent,
  InboundMessage,
  InboundRequest,
  Messenger,
  SendProblem,
  SendResult,
  StatusUpdate,
} from '../../../src/channels/messenger.ts'
import type { AccountOf } from '../../../src/channels/messenger-type.ts'
import { callApi } from '../../../src/channels/wire/call-api.ts'
import { download, MediaGoneError } from '../../../src/channels/wire/download.ts'
import { type Fields, idOf, notInbound, numberOf, textOf } from '../../../src/channels/wire/read-wire.ts'
import { isSameSecret } from '../../../src/channels/wire/same-secret.ts'
import { BaseUrl, closed, Word } from '../../../src/config/credentials/account-fields.ts'

/** An account of Twilio, and the messaging service whose numbers send. */
export const TwilioData = Type.Object(
  {
    accountSid: Type.String({ pattern: '^AC[\\da-f]{32}$', description: 'AC and 32 signs' }),
    // Signs what the webhook brings, too.
    authToken: Word,
    messagingServiceSid: Type.String({ pattern: '^MG[\\da-f]{32}$', description: 'MG and 32 signs' }),
    baseUrl: Type.Optional(BaseUrl),
  },
  closed,
)
type TwilioAccount = AccountOf<typeof TwilioData>

/** Twilio keeps what is too fast for a number; two messages at once may change places on their way. */
const rates = { person: { messages: 1, perMs: 1_000 }, account: { messages: 10, perMs: 1_000 } }
const overtakableMs = 3_000

/** SMS by Twilio, for one messaging service. */
export function createSms(account: TwilioAccount): Messenger {
  const { accountSid, authToken, messagingServiceSid, baseUrl } = account
  const headers = [
    ['authorization', `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`],
  ] as const
  const ofAccount = `${baseUrl}/2010-04-01/Accounts/${accountSid}`
  const ask = (url: string, deps: CallDependencies) => callApi({ url, headers }, deps)
  return {
    rates,
    tellsStatuses: true,
    isGenuine: (request) =>
      isSameSecret(request.headers['x-twilio-signature'], signatureOf(request, authToken)),
    parse: ({ body }) => readTwilio(new URLSearchParams(body.toString())),
    async send({ to, request }, deps): Promise<SendResult> {
      const body = new URLSearchParams({
        To: to,
        MessagingServiceSid: messagingServiceSid,
        ...(request.body as { Body: string }),
      })
      const answer = await callApi({ url: `${ofAccount}/Messages.json`, headers, body }, deps)
      if (answer.state === 'failed') return answer
      const reference = idOf(answer.body['sid'])
      if (answer.status === 201 && reference) return { state: 'sent', reference, overtakableMs }
      return { state: 'failed', problem: problemOf(answer.body, answer.status) }
    },
    async showTyping() {},
    async download(media, deps) {
      // Whoever else is named there must not get the token.
      if (!media.id.startsWith(`${ofAccount}/`)) throw new MediaGoneError('The file is not at Twilio')
      return download(media, { url: media.id, headers, baseUrl }, deps)
    },
    async check(webhookUrl, deps): Promise<CheckFinding[]> {
      const service = `${baseUrl.replace('//api.', '//messaging.')}/v1/Services/${messagingServiceSid}`
      const answer = await ask(service, deps)
      if (answer.state === 'failed') return [{ isProblem: true, message: answer.problem.message }]
      if (answer.status !== 200)
        return [{ isProblem: true, message: problemOf(answer.body, answer.status).message }]
      return ['inbound_request_url', 'status_callback'].map((name) => {
        const isRight = webhookUrl !== undefined && textOf(answer.body[name])?.split('#')[0] === webhookUrl
        const message = isRight
          ? `${name} is right`
          : `${name} of the messaging service has to be ${webhookUrl ?? 'PUBLIC_URL, which is not set'}`
        return { isProblem: !isRight, message }
      })
    },
  }
}

/** Twilio signs the address and the fields of the form, sorted by their names. */
function signatureOf({ url, body }: InboundRequest, authToken: string): string {
  const form = new URLSearchParams(body.toString())
  form.sort()
  const signed = [url, ...[...form].flat()].join('')
  return createHmac('sha1', authToken).update(signed).digest('base64')
}

function readTwilio(form: URLSearchParams): Inbound {
  const id = idOf(form.get('MessageSid'))
  const from = form.get('From') ?? ''
  if (!id) throw notInbound('Twilio', { pointer: '/MessageSid', message: 'must name a message' })
  const status = form.get('MessageStatus')
  if (status !== null) return { messages: [], statuses: statusOf(id, status, form), warnings: [] }
  if (!/^\+\d{3,15}$/.test(from)) return { messages: [], statuses: [], warnings: ['An SMS without a number'] }
  const user = { id: from, phone: from }
  const messages = contentsOf(form).map(
    (content, nth): InboundMessage => ({ id: nth > 0 ? `${id}.${nth}` : id, user, content }),
  )
  return { messages, statuses: [], warnings: [] }
}

/** Several pictures come at once; the words belong to the first. */
function contentsOf(form: URLSearchParams): InboundContent[] {
  const text = form.get('Body') ?? ''
  const count = Math.min(Number(form.get('NumMedia')) || 0, 10)
  if (count === 0) return [said(text)]
  return Array.from({ length: count }, (_, nth): InboundContent => {
    const media = { id: form.get(`MediaUrl${nth}`) ?? '', type: form.get(`MediaContentType${nth}`) ?? '' }
    return { kind: 'media', media, ...(nth === 0 && text !== '' && { caption: text }) }
  })
}

/** Twilio answers these words itself, and sends nothing more after the first of them: the layer has to know. */
function said(text: string): InboundContent {
  if (/^\s*(help|info)\s*$/i.test(text)) return { kind: 'ignored', what: 'help' }
  if (/^\s*(stop|stopall|unsubscribe|cancel|end|quit)\s*$/i.test(text)) return { kind: 'text', text: 'stop' }
  return { kind: 'text', text: /^\s*unstop\s*$/i.test(text) ? 'start' : text }
}

function statusOf(reference: string, status: string, form: URLSearchParams): StatusUpdate[] {
  if (status === 'sent' || status === 'delivered' || status === 'read') return [{ reference, status }]
  if (status !== 'failed' && status !== 'undelivered') return []
  return [
    {
      reference,
      status: 'failed',
      error: problemOf({ code: Number(form.get('ErrorCode')), message: form.get('ErrorMessage') }, 200),
    },
  ]
}

/** Codes after which nothing can be sent: the token, the account, its money, the messaging service. */
const ofAccount = new Set([20_003, 20_005, 20_403, 21_701, 21_703, 21_704, 30_002, 30_034])
/** Codes that pass: too many at once, a queue that is full. */
const passing = new Set([20_429, 14_107, 30_001, 30_022])

function problemOf(body: Fields, status: number): SendProblem {
  const code = numberOf(body['code']) ?? 0
  const message = `${textOf(body['message']) ?? `The answer was ${status}`} (${code})`.slice(0, 500)
  if (ofAccount.has(code) || status === 401 || status === 403) return { kind: 'account', message }
  if (passing.has(code) || status === 429) return { kind: 'wait', message }
  // A proxy on the way says nothing of what became of the message.
  return status >= 500 ? { kind: 'wait', message, isDoubtful: true } : { kind: 'never', message }
}
