import { createHmac, randomBytes } from 'node:crypto'
import type { Json } from '../json.ts'
import { type Answer, type Call, startProviderServer } from './provider-server.ts'
import { createWebhookSender, type Misbehaviour } from './webhook-sender.ts'

/** An SMS as it was accepted. */
export interface AcceptedSms {
  readonly sid: string
  readonly to: string
  readonly text: string
}

/** Signs of GSM 03.38 and its extension, by the table of the standard. */
const gsm = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ!"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà^{}\\[~]|€',
)

/** How many segments carriers make of a text: 160 or 70 characters alone, 153 or 67 as a part of several. */
export function segmentsOf(text: string): number {
  const isGsm = [...text].every((sign) => gsm.has(sign))
  const length = isGsm
    ? [...text].reduce((sum, sign) => sum + ('^{}\\[~]|€'.includes(sign) ? 2 : 1), 0)
    : text.length
  const [alone, joined] = isGsm ? [160, 153] : [70, 67]
  return length <= alone ? 1 : Math.ceil(length / joined)
}

/** The messaging API of Twilio for one messaging service: signs what it delivers, and refuses what the documented one refuses. */
export async function startFakeTwilio({
  misbehaviour = {},
  random = Math.random,
}: {
  readonly misbehaviour?: Misbehaviour
  readonly random?: () => number
} = {}) {
  const sender = createWebhookSender({ misbehaviour, random })
  const accepted: AcceptedSms[] = []
  const refused: string[] = []
  const stopped = new Set<string>()
  const files = new Map<string, Uint8Array>()
  const accountSid = `AC${randomBytes(16).toString('hex')}`
  const authToken = randomBytes(16).toString('hex')
  const messagingServiceSid = `MG${randomBytes(16).toString('hex')}`
  const ours = '+15550783881'
  /** The address that the messaging service was told. */
  const told = { url: '' }

  const server = await startProviderServer({
    misbehaviour,
    random,
    busy: failure(429, 20_429, 'Too Many Requests'),
    isSend: ({ path }) => path.endsWith('/Messages.json'),
    answer,
  })

  function answer({ path, headers, body }: Call): Answer {
    const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
    if (headers.authorization !== expected) return failure(401, 20_003, 'Authenticate')
    if (path === `/v1/Services/${messagingServiceSid}`)
      return { status: 200, json: { inbound_request_url: `${told.url}#rc=5`, status_callback: told.url } }
    const file = files.get(path)
    if (file) return { status: 200, bytes: file, type: 'image/jpeg' }
    if (path === `/2010-04-01/Accounts/${accountSid}/Messages.json`) return message(body)
    return failure(404, 20_404, 'The requested resource was not found')
  }

  function message({ To, Body, MessagingServiceSid, ...others }: Json): Answer {
    const [to, text] = [String(To), String(Body ?? '')]
    const problem = problemOf(to, text)
    if (problem || MessagingServiceSid !== messagingServiceSid || Object.keys(others).length > 0) {
      const refusal = problem ?? failure(400, 21_701, 'The Messaging Service does not exist')
      refused.push(JSON.stringify(refusal.json))
      return refusal
    }
    const sid = `SM${randomBytes(16).toString('hex')}`
    accepted.push({ sid, to, text })
    for (const MessageStatus of ['queued', 'sent', 'delivered'])
      void deliver({ MessageSid: sid, MessageStatus, To: to, From: ours })
    return { status: 201, json: { sid, status: 'accepted' } }
  }

  function problemOf(to: string, text: string): Answer | undefined {
    if (!/^\+\d{6,15}$/.test(to)) return failure(400, 21_211, "The 'To' number is not a valid phone number.")
    if (stopped.has(to)) return failure(400, 21_610, 'Attempt to send to unsubscribed recipient')
    if (text.trim() === '') return failure(400, 21_602, 'Message body is required')
    if (text.length > 1600) return failure(400, 21_617, 'The message body exceeds the 1600 character limit')
    return undefined
  }

  /** Signs over the address that Twilio was told, and each field by its name. */
  function deliver(fields: Readonly<Record<string, string>>): Promise<void> {
    const names = Object.keys(fields).sort()
    const text = told.url + names.map((name) => name + fields[name]).join('')
    const headers = {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': createHmac('sha1', authToken).update(text, 'utf8').digest('base64'),
    }
    return sender.deliver({ headers, body: new URLSearchParams({ ...fields }).toString() })
  }

  function say(person: string, text: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    if (/^\s*stop\s*$/i.test(text)) stopped.add(person)
    if (/^\s*(start|unstop)\s*$/i.test(text)) stopped.delete(person)
    const MessageSid = `SM${randomBytes(16).toString('hex')}`
    const fields = { MessageSid, AccountSid: accountSid, From: person, To: ours, Body: text, NumMedia: '0' }
    return deliver({ ...fields, ...more })
  }

  return {
    account: { accountSid, authToken, messagingServiceSid, baseUrl: server.url },
    told,
    urls: sender.urls,
    answers: sender.refused,
    accepted,
    refused,
    say,
    /** Has a person send pictures with words. */
    sendPictures(person: string, text: string, pictures: readonly Uint8Array[]) {
      const fields = pictures.map((bytes, nth) => {
        const path = `/2010-04-01/Accounts/${accountSid}/Messages/MM1/Media/ME${files.size}`
        files.set(path, bytes)
        return { [`MediaUrl${nth}`]: server.url + path, [`MediaContentType${nth}`]: 'image/jpeg' }
      })
      return say(person, text, Object.assign({ NumMedia: String(pictures.length) }, ...fields))
    },
    close() {
      sender.close()
      server.close()
    },
  }
}

const failure = (status: number, code: number, message: string): Answer => ({
  status,
  json: { code, message, status },
})
