import { createHmac, randomBytes } from 'node:crypto'
import type { WhatsAppAccount } from '../../../src/channels/whatsapp/whatsapp-account.ts'
import type { Json } from '../json.ts'
import { type Answer, type Call, startProviderServer, type TakenMessage } from './provider-server.ts'
import { createWebhookSender, type Misbehaviour } from './webhook-sender.ts'
import { whatsAppProblems } from './whatsapp.ts'

interface FakeOptions {
  readonly misbehaviour?: Misbehaviour
  /** Evenly from [0, 1). */
  readonly random?: () => number
  /** Milliseconds since 1970: windows and files end by it. */
  readonly now?: () => number
  /** Messages in one request to the webhook, at most. */
  readonly batch?: number
  /** Done when a file was fetched; later messages arrive meanwhile. */
  readonly fetched?: () => Promise<unknown>
  /** One message in so many milliseconds for a person, and how many may be borrowed; no limit unless given. */
  readonly pairRate?: { readonly perMs: number; readonly burst: number }
}

/** A message as it was accepted for a person. */
export interface AcceptedMessage extends TakenMessage {
  readonly id: string
  /** When a status of it was taken; undefined before. */
  toldAt?: number
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * A WhatsApp Cloud API of one number: refuses what the documented one refuses, delivers webhooks at least once and in no
 * order, and tells how messages fare.
 */
export async function startFakeWhatsApp(options: FakeOptions = {}) {
  const { misbehaviour = {}, random = Math.random, now = Date.now, batch = 1, fetched, pairRate } = options
  const sender = createWebhookSender({ misbehaviour, random })
  const accepted: AcceptedMessage[] = []
  const arrived: AcceptedMessage[] = []
  const refused: string[] = []
  const typing: string[] = []
  const lastHeard = new Map<string, number>()
  const lastSent = new Map<string, number>()
  const said = new Set<string>()
  const media = new Map<string, { bytes: Uint8Array; type: string; at: number }>()
  const unreachable = new Set<string>()
  const waiting: { contact: Json; message: Json; taken?: Promise<void> }[] = []

  const account: Omit<WhatsAppAccount, 'baseUrl'> = {
    accessToken: `EAA${randomBytes(12).toString('hex')}`,
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    appSecret: randomBytes(16).toString('hex'),
    verifyToken: randomBytes(8).toString('hex'),
  }
  const appId = '5551110000'

  const server = await startProviderServer({
    misbehaviour,
    random,
    busy: failure(130_429, 'Rate limit hit', 429),
    isSend: ({ method, path, body }) =>
      method === 'POST' && path.endsWith('/messages') && body['status'] === undefined,
    answer,
  })
  const baseUrl = `${server.url}/v24.0`

  function answer(call: Call, isLost: boolean): Answer {
    const path = call.path.replace(/^\/v\d+\.\d+\//, '')
    const bearer = call.headers.authorization
    if (path === `${appId}/subscriptions`) {
      if (bearer !== `Bearer ${appId}|${account.appSecret}`)
        return failure(190, 'Invalid OAuth access token signature', 400)
      const fields = [{ name: 'messages', version: 'v24.0' }]
      return ok({
        data: [{ object: 'whatsapp_business_account', callback_url: sender.urls[0], active: true, fields }],
      })
    }
    if (bearer !== `Bearer ${account.accessToken}`) return failure(190, 'Error validating access token', 401)
    if (call.method === 'POST' && path === `${account.phoneNumberId}/messages`)
      return message(call.body, isLost)
    if (path === account.phoneNumberId) return numberOf()
    if (path === `${account.businessAccountId}/subscribed_apps`)
      return ok({ data: [{ whatsapp_business_api_data: { id: appId, name: 'Shop' } }] })
    if (path.startsWith('/file/')) return fileOf(path.slice('/file/'.length))
    return (
      mediaOf(path) ??
      failure(100, 'Unsupported get request. Object does not exist', 400, { error_subcode: 33 })
    )
  }

  const numberOf = () =>
    ok({
      id: account.phoneNumberId,
      display_phone_number: '+1 555-078-3881',
      verified_name: 'Shop',
      status: 'CONNECTED',
      quality_rating: 'GREEN',
      webhook_configuration: { application: sender.urls[0] },
    })

  function mediaOf(id: string): Answer | undefined {
    const kept = media.get(id)
    if (!kept || now() - kept.at > 7 * dayMs) return undefined
    const { type, bytes } = kept
    const url = `${server.url}/v24.0//file/${id}`
    return ok({
      messaging_product: 'whatsapp',
      id,
      url,
      mime_type: type,
      sha256: 'x',
      file_size: String(bytes.length),
    })
  }

  function fileOf(id: string): Answer {
    const kept = media.get(id)
    return kept ? { status: 200, bytes: kept.bytes, type: kept.type } : { status: 404 }
  }

  function message(body: Json, isLost: boolean): Answer {
    if (body['status'] === 'read') {
      const id = String(body['message_id'])
      if (!said.has(id)) return failure(100, 'Invalid parameter: message_id', 400)
      typing.push(id)
      return ok({ success: true })
    }
    const { to, recipient, biz_opaque_callback_data: data, ...content } = body
    const person = String(to ?? recipient)
    const problem = refusalOf(person, content, data)
    if (problem) {
      refused.push(`${person}: ${JSON.stringify(problem.json)}`)
      return problem
    }
    const id = `wamid.${randomBytes(18).toString('base64')}`
    const message: AcceptedMessage = { id, to: person, body: content, at: performance.now(), isLost }
    accepted.push(message)
    const arrive = () => {
      if (!unreachable.has(person)) arrived.push(message)
      tell(message, data)
    }
    if (fetched && JSON.stringify(content).includes('"link":')) void fetched().then(arrive)
    else arrive()
    return ok({
      messaging_product: 'whatsapp',
      contacts: [to === undefined ? { input: person, user_id: person } : { input: person, wa_id: person }],
      messages: [{ id }],
    })
  }

  function refusalOf(person: string, content: Json, data: unknown): Answer | undefined {
    if (!/^(\d{5,20}|[A-Z]{2}\.[\w.]{1,128})$/.test(person))
      return failure(131_009, 'Parameter value is not valid', 400)
    if (data !== undefined && (typeof data !== 'string' || data.length > 512))
      return failure(131_009, 'biz_opaque_callback_data is too long', 400)
    const isTemplate = content['type'] === 'template'
    const problems = isTemplate ? [] : whatsAppProblems({ method: 'messages', body: content })
    if (problems.length > 0) return failure(100, problems.join('; '), 400)
    if (!isTemplate && now() - (lastHeard.get(person) ?? 0) > dayMs)
      return failure(131_047, 'Re-engagement message', 400)
    if (!pairRate) return undefined
    // What is borrowed is paid back: the moment at which the next one would be due grows with each.
    const due = Math.max(lastSent.get(person) ?? 0, now())
    if (due - now() > pairRate.burst * pairRate.perMs) return failure(131_056, 'Pair rate limit hit', 400)
    lastSent.set(person, due + pairRate.perMs)
    return undefined
  }

  /** Statuses come as the message does, each in a request of its own. */
  function tell(message: AcceptedMessage, data: unknown): void {
    const { id, to: person } = message
    const states = unreachable.has(person) ? ['failed'] : ['sent', 'delivered', 'read']
    for (const status of states) {
      const errors = [{ code: 131_026, title: 'Message undeliverable', message: 'Message undeliverable' }]
      void deliver({
        statuses: [
          {
            id,
            status,
            timestamp: seconds(),
            recipient_id: person,
            ...(data !== undefined && { biz_opaque_callback_data: data }),
            ...(status === 'failed' && { errors }),
          },
        ],
      }).then(() => {
        message.toldAt ??= performance.now()
      })
    }
  }

  const seconds = () => String(Math.floor(now() / 1000))

  function deliver(value: Json): Promise<void> {
    const metadata = { display_phone_number: '15550783881', phone_number_id: account.phoneNumberId }
    const change = { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }
    const entry = [{ id: account.businessAccountId, changes: [change] }]
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
    const signature = createHmac('sha256', account.appSecret).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
    return sender.urls.length > 0 ? sender.deliver({ headers, body }) : Promise.resolve()
  }

  /** Has a person say something; done when it was taken. The id of the message. */
  async function say(person: string, content: Json): Promise<string> {
    const id = `wamid.${randomBytes(18).toString('base64')}`
    said.add(id)
    lastHeard.set(person, now())
    const isPhone = /^\d+$/.test(person)
    const from = isPhone ? { from: person } : { from_user_id: person }
    const contact = {
      profile: { name: `Person ${person}` },
      ...(isPhone ? { wa_id: person } : { user_id: person }),
    }
    const entry: (typeof waiting)[number] = {
      contact,
      message: { id, timestamp: seconds(), ...from, ...content },
    }
    waiting.push(entry)
    // Others may come into the same request meanwhile.
    await Promise.resolve()
    if (!entry.taken) {
      const together = waiting.splice(0, batch)
      const contacts = together.map((one) => one.contact)
      const taken = deliver({ contacts, messages: together.map((one) => one.message) })
      for (const one of together) one.taken = taken
    }
    await entry.taken
    return id
  }

  return {
    account: { ...account, baseUrl } satisfies WhatsAppAccount,
    /** Addresses that webhooks go to; a real one has one. */
    urls: sender.urls,
    /** Answers of the webhook that were no success. */
    answers: sender.refused,
    get open() {
      return sender.open
    },
    /** In the order in which they were accepted. */
    accepted,
    /** In the order in which people see them. */
    arrived,
    /** Calls that were against the documentation. */
    refused,
    /** Messages that a typing indicator was shown for. */
    typing,
    /** People who can't be reached: a message to them is accepted, and fails later. */
    unreachable,
    say,
    /** Has a person answer in words. */
    sayText: (person: string, body: string) => say(person, { type: 'text', text: { body } }),
    /** Has a person press a button or row. */
    press: (person: string, id: string, title: string) =>
      say(person, {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id, title } },
      }),
    /** Has a person send a file. */
    async sendFile(
      person: string,
      kind: string,
      { bytes, type }: { bytes: Uint8Array; type: string },
      more: Json = {},
    ) {
      const id = String(1_000_000_000 + media.size)
      media.set(id, { bytes, type, at: now() })
      return say(person, { type: kind, [kind]: { id, mime_type: type, sha256: 'x', ...more } })
    },
    /** Has a person change the number; nothing is said by it. */
    changeNumber: (from: string, to: string) =>
      say(from, { type: 'system', system: { type: 'user_changed_number', body: 'changed', wa_id: to } }),
    /** The address to which the dashboard would send its challenge. */
    challenge: (url: string) =>
      fetch(`${url}?hub.mode=subscribe&hub.verify_token=${account.verifyToken}&hub.challenge=1158201444`),
    /** Loses the files, as after their time. */
    expireFiles: () => media.clear(),
    close() {
      sender.close()
      server.close()
    },
  }
}

const ok = (json: Json): Answer => ({ status: 200, json })

function failure(code: number, message: string, status: number, more: Json = {}): Answer {
  const error_data = { messaging_product: 'whatsapp', details: 'Its details.' }
  return {
    status,
    json: { error: { message: `(#${code}) ${message}`, type: 'OAuthException', code, error_data, ...more } },
  }
}
