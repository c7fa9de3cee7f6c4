import { describe, expect, it } from 'vitest'
import { destinationOf } from '../../src/stores/outgoing/endpoint-table.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { openTestWebhooks } from '../support/test-webhooks.ts'
import { webhookSecret } from '../support/webhook-receiver.ts'

const url = 'https://crm.example/hook'

async function open() {
  const { webhooks, outbox, audit } = openTestWebhooks()
  const { app, logLines } = await buildTestApp({ webhooks, config: { adminTokens: adminTokens('adm1n') } })
  async function ask(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object) {
    const headers = { authorization: 'Bearer adm1n' }
    const response = await app.inject({
      method,
      url: `/v1/webhooks${path}`,
      headers,
      ...(payload && { payload }),
    })
    return { status: response.statusCode, body: response.body && response.json() }
  }
  const put = (line: string) =>
    outbox.put([
      { destination: destinationOf('crm'), line, eventId: line, type: 'turn.completed', body: '{}' },
    ])
  return { app, ask, put, outbox, audit, logLines }
}

describe('webhooks', () => {
  it('are put, read and deleted by operators, and their secrets are never shown', async () => {
    const { app, ask, audit, logLines } = await open()
    const settings = { url, events: ['turn.completed'], flows: ['lead-form'], includesContent: true }
    const shown = { name: 'crm', ...settings, secretCount: 1 }
    expect(await ask('PUT', '/crm', { ...settings, secrets: [webhookSecret] })).toEqual({
      status: 200,
      body: shown,
    })
    expect(await ask('GET', '/crm')).toEqual({ status: 200, body: shown })
    expect(await ask('GET', '')).toEqual({ status: 200, body: { webhooks: [shown] } })
    expect(await ask('PUT', '/crm', { url })).toMatchObject({
      body: { secretCount: 1, includesContent: false },
    })
    expect(await ask('DELETE', '/crm')).toEqual({ status: 204, body: '' })
    expect(await ask('GET', '/crm')).toMatchObject({ status: 404 })
    expect(await ask('DELETE', '/crm')).toMatchObject({ status: 404 })
    expect((await audit()).map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      ['admin', 'delete webhook', 'crm'],
      ['admin', 'put webhook', 'crm'],
      ['admin', 'put webhook', 'crm'],
    ])
    expect(JSON.stringify(logLines)).not.toContain(webhookSecret.slice(6))
    expect((await app.inject('/v1/webhooks')).statusCode).toBe(401)
  })

  it.each([
    ['without a secret', 'crm', { url }, '/secrets'],
    ['to what is no address', 'crm', { url: 'http://[', secrets: [webhookSecret] }, '/url'],
    ['with a filter that is misspelt', 'crm', { url, secrets: [webhookSecret], event: [] }, '/event'],
    ['for what is no public id', 'crm', { url, flows: ['a', '\0'], secrets: [webhookSecret] }, '/flows/1'],
    ['for a public id of nothing', 'crm', { url, flows: [''], secrets: [webhookSecret] }, '/flows/0'],
    ['for half a character', 'crm', { url, flows: ['\ud800'], secrets: [webhookSecret] }, '/flows/0'],
    ['with a secret of no whole bytes', 'crm', { url, secrets: [`${webhookSecret}A`] }, '/secrets/0'],
    ['with a secret of 65 bytes', 'crm', { url, secrets: [`whsec_${'A'.repeat(87)}=`] }, '/secrets/0'],
    ['with a secret that is none', 'crm', { url, secrets: ['whsec_short'] }, '/secrets/0'],
    [
      'with three secrets',
      'crm',
      { url, secrets: [webhookSecret, webhookSecret, webhookSecret] },
      '/secrets',
    ],
    ['without an address', 'crm', { secrets: [webhookSecret] }, ''],
    [
      'with a user in its address',
      'crm',
      { url: 'https://me@crm.example', secrets: [webhookSecret] },
      '/url',
    ],
    ['for what is no event', 'crm', { url, events: ['turn'], secrets: [webhookSecret] }, '/events/0'],
    ['under a name that is none', 'C', { url, secrets: [webhookSecret] }, undefined],
    ['under the name of others', 'stripe', { url, secrets: [webhookSecret] }, undefined],
  ])('are refused %s', async (_, name, body, pointer) => {
    const { ask } = await open()
    const refused = await ask('PUT', `/${name}`, body)
    expect(refused.status).toBe(400)
    if (pointer !== undefined)
      expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)[0]).toContain(pointer)
  })

  it('are 64 at most', async () => {
    const { ask } = await open()
    for (let nth = 0; nth < 64; nth++) await ask('PUT', `/w${nth}`, { url, secrets: [webhookSecret] })
    expect(await ask('PUT', '/one-more', { url, secrets: [webhookSecret] })).toMatchObject({ status: 409 })
    expect(await ask('PUT', '/w3', { url })).toMatchObject({ status: 200 })
  })

  it('are 64 at most, though many are put at once', async () => {
    const { ask } = await open()
    const names = Array.from({ length: 80 }, (_, nth) => `/w${nth}`)
    const answers = await Promise.all(
      names.map((name) => ask('PUT', name, { url, secrets: [webhookSecret] })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(64)
    expect((await ask('GET', '')).body.webhooks).toHaveLength(64)
  })

  it('show what became of their events page by page, and send what has not arrived', async () => {
    const { ask, put, outbox } = await open()
    await ask('PUT', '/crm', { url, secrets: [webhookSecret] })
    for (const line of ['a', 'b', 'c']) put(line)
    const claimed = await outbox.claim([{ destination: destinationOf('crm'), limit: 3 }], 1000)
    const [first, second] = claimed
    if (first) await outbox.settle(first, { state: 'delivered' })
    if (second) await outbox.settle(second, { state: 'set aside', error: 'The answer was 500' })
    const { body } = await ask('GET', '/crm/deliveries?limit=2')
    expect(body.deliveries).toMatchObject([
      { eventId: 'c', state: 'waiting', attempts: 1, dueAt: expect.any(String) },
      { eventId: 'b', state: 'set aside', error: 'The answer was 500', settledAt: expect.any(String) },
    ])
    const rest = await ask('GET', `/crm/deliveries?limit=2&before=${body.deliveries[1].number}`)
    expect(rest.body.deliveries).toMatchObject([{ eventId: 'a', state: 'delivered', attempts: 1 }])
    const aside = await ask('GET', '/crm/deliveries?state=set%20aside')
    expect(aside.body.deliveries).toMatchObject([{ eventId: 'b' }])
    const numberOf = (eventId: string) => claimed.find((event) => event.eventId === eventId)?.number
    expect(await ask('POST', `/crm/deliveries/${numberOf('b')}/retry`)).toEqual({
      status: 200,
      body: { retried: 1 },
    })
    expect(await ask('POST', `/crm/deliveries/${numberOf('a')}/retry`)).toMatchObject({ status: 404 })
    expect(await ask('POST', '/crm/retry')).toEqual({ status: 200, body: { retried: 2 } })
    expect(await ask('POST', '/other/retry')).toMatchObject({ status: 404 })
    expect(await ask('GET', '/other/deliveries')).toMatchObject({ status: 404 })
  })
})
