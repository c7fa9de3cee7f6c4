import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { HttpClient, OutgoingOptions } from '../../src/ports/http-client-port.ts'
import type { OutgoingRequest } from '../../src/ports/known-types.ts'
import { deliver } from '../../src/webhooks/deliver.ts'
import { signedHeaders } from '../../src/webhooks/sign.ts'
import { openClient } from '../adapters/http-client/open-client.ts'

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`
const hourMs = 60 * 60_000

describe('the signature of an event', () => {
  const body = '{"type":"turn.completed","said":"Zoë 🙂"}'

  it('is taken by the library of the specification, with either of two secrets', () => {
    const secrets = [newSecret(), newSecret()]
    const headers = Object.fromEntries(signedHeaders({ eventId: 'e1', body }, secrets, Date.now()))
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow()
    expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow()
  })

  it('is that of the library, byte by byte', () => {
    const secret = newSecret()
    const now = 1_795_252_621_712
    const [, , , [, signature]] = signedHeaders({ eventId: 'e1', body }, [secret], now)
    expect(signature).toBe(new Webhook(secret).sign('e1', new Date(now), body))
  })
})

describe('a delivery', () => {
  const event = (attempts = 1, createdAt = 0) => ({
    ...{ number: 1, destination: 'webhook:a', line: 's1', eventId: 'e1', type: 'turn.completed' },
    ...{ body: '{}', attempts, createdAt },
  })

  async function* bodyOf({ broken }: { broken?: string }) {
    yield Buffer.from('thanks')
    if (broken !== undefined) throw new Error(broken)
  }

  async function send(
    answer: { status: number; retryAfterMs?: number; broken?: string } | Error,
    { attempts = 1, createdAt = 0, now = hourMs, closing = new AbortController().signal } = {},
  ) {
    const sent: { request: OutgoingRequest; options: OutgoingOptions | undefined }[] = []
    const http: Pick<HttpClient, 'stream'> = {
      async stream(request, options) {
        sent.push({ request, options })
        if (answer instanceof Error) throw answer
        return { ...answer, body: bodyOf(answer) }
      },
    }
    const endpoint = { url: 'https://a.example/hook', secrets: [newSecret()] }
    const deps = { http, closing, now: () => now, random: () => 0.5 }
    return { sent, ...(await deliver(event(attempts, createdAt), endpoint, deps)) }
  }

  it('is a POST of the body, which follows no redirect', async () => {
    const { sent, outcome } = await send({ status: 204 })
    expect(outcome).toEqual({ state: 'delivered' })
    expect(sent).toMatchObject([
      {
        request: { method: 'POST', url: 'https://a.example/hook', body: '{}' },
        options: { isDirect: true },
      },
    ])
    for (const status of [301, 307, 400, 500])
      expect((await send({ status })).outcome).toMatchObject({
        state: 'waiting',
        error: `The answer was ${status}`,
      })
  })

  it('is tried for about a day, with growing pauses, and then set aside', async () => {
    const pauses: number[] = []
    for (let attempts = 1; attempts <= 7; attempts++) {
      const { outcome } = await send(new Error('no connection'), { attempts })
      pauses.push(outcome.state === 'waiting' ? outcome.pauseMs : 0)
    }
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other))
    expect(pauses[0]).toBe(5000)
    const total = pauses.reduce((sum, pause) => sum + pause, 0) / hourMs
    expect(total).toBeGreaterThan(24)
    expect(total).toBeLessThan(30)
    const last = await send(new Error('no connection'), { attempts: 8 })
    expect(last.outcome).toEqual({ state: 'set aside', error: 'no connection' })
  })

  it('waits as long as its receiver asks for, a second at least, and for a day at most', async () => {
    const later = async (retryAfterMs: number, terms = {}) =>
      (await send({ status: 503, retryAfterMs }, terms)).outcome
    expect(await later(90_000)).toMatchObject({ pauseMs: 90_000 })
    expect(await later(0)).toMatchObject({ pauseMs: 1000 })
    expect(await later(1000 * hourMs)).toMatchObject({ pauseMs: 24 * hourMs })
    expect(await later(1000, { attempts: 50 })).toMatchObject({ state: 'waiting' })
    expect(await later(1000, { attempts: 50, now: 25 * hourMs })).toMatchObject({ state: 'set aside' })
  })

  it('tells that its receiver is gone for good', async () => {
    expect(await send({ status: 410 })).toMatchObject({ gone: '410 Gone', outcome: { state: 'waiting' } })
  })

  it('says what opens a place that is closed, in the words of whoever can', async () => {
    const { stream } = openClient()
    const refusal = (url: string) =>
      stream({ url }).then(
        () => undefined,
        (error: Error) => error,
      )
    const closed = await send((await refusal('http://127.0.0.1:9/'))!)
    expect(closed.outcome).toMatchObject({
      error: 'The address is a loopback address: OUTBOUND_ALLOW opens it',
    })
    const never = await send((await refusal('ftp://a.example/'))!)
    expect(never.outcome).toMatchObject({ error: 'The address is neither http nor https' })
  })

  it('counts by the status, whatever comes of the body behind it', async () => {
    const broken = 'The request took too long'
    expect((await send({ status: 200, broken })).outcome).toEqual({ state: 'delivered' })
    const closing = AbortSignal.abort()
    expect((await send({ status: 202, broken }, { closing })).outcome).toEqual({ state: 'delivered' })
    expect(await send({ status: 410, broken })).toMatchObject({ gone: '410 Gone' })
    expect((await send({ status: 503, broken, retryAfterMs: 90_000 })).outcome).toEqual({
      ...{ state: 'waiting', pauseMs: 90_000 },
      error: 'The answer was 503',
    })
  })

  it('is for the next process where this one ends meanwhile', async () => {
    const closing = AbortSignal.abort()
    expect((await send(new Error('aborted'), { closing })).outcome).toMatchObject({
      state: 'waiting',
      pauseMs: 0,
    })
  })
})
