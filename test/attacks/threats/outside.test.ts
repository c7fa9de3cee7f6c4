import { describe, expect, it, onTestFinished } from 'vitest'
import { createSmtpMailer } from '../../../src/adapters/mailer/smtp-mailer.ts'
import { readCredentials } from '../../../src/config/credentials/credentials.ts'
import { startSmtpServer } from '../../adapters/mailer/smtp-test-server.ts'
import { says } from '../../fixtures/asking-models.ts'
import { bubble, flowLink, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { signEvent, startStripe } from '../../vendors/stripe.ts'
import { openService, shownIn } from './open-service.ts'

const request = (url: string): Json => ({
  id: 'r1',
  type: 'Webhook',
  options: {
    webhook: { url, method: 'GET', headers: [{ id: 'h1', key: 'authorization', value: 'Bearer hush' }] },
    responseVariableMapping: [{ id: 'm', variableId: 'vStatus', bodyPath: 'statusCode' }],
  },
})

/** Asks an address, and shows with which status that ended. */
const asking = (url: string, more: Json = {}): Json =>
  wholeDefinition({
    variables: [variable('Status')],
    blocks: [request(url), bubble('b1', '{{Status}}')],
    ...more,
  })

/** What stands where a flow may not go. */
const startInside = () => startRawHttpServer(() => httpAnswer(200, '{}'), { host: '::' })

describe('threats by what flows reach', () => {
  it('A redirect leads inside', async () => {
    const inside = await startInside()
    const shop = await startRawHttpServer(() =>
      httpAnswer(302, '', { location: `http://127.0.0.1:${inside.port}/` }),
    )
    const { start } = await openService([asking(shop.url)], { allow: `127.0.0.1:${shop.port}` })
    expect(shownIn((await start()).body)).toEqual(['500'])
    expect([shop.requests.length, inside.connections]).toEqual([1, 0])
  })

  it('A stranger tells that a payment was made', async () => {
    const stripe = await startStripe()
    const keys = { secretKey: 'sk_live_1', publicKey: 'pk_live_1', webhookSecret: 'whsec_1' }
    const data = { live: keys, baseUrl: stripe.server.url }
    const { credentials } = readCredentials(JSON.stringify([{ id: 'shop', type: 'stripe', data }]), {})
    const pay = { id: 'pay', type: 'payment input', options: { credentialsId: 'shop', amount: '12.50' } }
    const shop = await openService([wholeDefinition({ blocks: [pay, bubble('thanks', 'Thanks')] })], {
      credentials,
      adminToken: 'adm1n',
    })
    const { resultId } = (await shop.start()).body
    stripe.pay('pi_1')
    const event = stripe.event('pi_1')
    const tell = (account: string, signature?: string) =>
      shop.post(`/v1/webhooks/stripe/${account}`, event, signature ? { 'stripe-signature': signature } : {})
    const strangers = [
      await tell('shop'),
      await tell('shop', signEvent(event, Date.now(), 'whsec_2')),
      await tell('shop', signEvent(event, Date.now() - 301_000)),
      await tell('other', signEvent(event, Date.now())),
    ]
    const answers = async () => (await shop.world.results.get('flow-1', resultId))?.answers.length
    expect(strangers.map(({ status, body }) => [status, body.code])).toEqual(
      strangers.map(() => [400, 'BAD_REQUEST']),
    )
    expect(await answers()).toBe(0)
    const told = await tell('shop', signEvent(event, Date.now()))
    expect([told.status, told.body]).toEqual([200, { message: 'OK' }])
    expect(await answers()).toBe(1)
    expect((await shop.post('/v1/webhooks/stripe/shop', `{"type":"${'x'.repeat(300_000)}"}`)).status).toBe(
      413,
    )
  })

  it('A redirect takes secrets to another origin', async () => {
    const other = await startRawHttpServer()
    const shop = await startRawHttpServer(() => httpAnswer(307, '', { location: other.url }))
    const { start } = await openService([asking(shop.url)], { allow: '127.0.0.1' })
    await start()
    expect([shop, other].map(({ requests: [first] }) => first?.headers.get('authorization'))).toEqual([
      'Bearer hush',
      undefined,
    ])
  })

  it('A name leads inside once it was checked', async () => {
    const inside = await startInside()
    let asked = 0
    const lookup = async () => [asked++ === 0 ? '1.1.1.1' : '127.0.0.1']
    const { start } = await openService([asking(`http://shop.example:${inside.port}/`)], { lookup })
    expect(shownIn((await start()).body)).toEqual(['500'])
    expect([asked, inside.connections]).toEqual([2, 0])
  })

  it('An address in IPv6, or in disguise, leads inside', async () => {
    const inside = await startInside()
    for (const host of [
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      'localhost.',
    ]) {
      const { start } = await openService([asking(`http://${host}:${inside.port}/`)], {
        lookup: async () => ['::1'],
      })
      expect([host, ...shownIn((await start()).body)]).toEqual([host, '400'])
    }
    expect(inside.connections).toBe(0)
  })

  it("A stranger's draft reaches out", async () => {
    const shop = await startRawHttpServer()
    const published = wholeDefinition({ id: 'other', blocks: [bubble('b2', 'hush')] })
    const flow = asking(shop.url, {
      variables: [variable('Status', { value: 'not sent' })],
      blocks: [request(shop.url), flowLink('l1', 'other'), bubble('b1', '{{Status}}')],
    })
    const { preview } = await openService([published], { allow: '127.0.0.1' })
    const { body, text } = await preview({ flow })
    expect([shownIn(body), shop.connections]).toEqual([['not sent'], 0])
    expect(text).not.toContain('hush')
  })

  it('A check of a draft tells strangers which flows are published', async () => {
    const published = wholeDefinition({ id: 'other', blocks: [bubble('b2', 'hush')] })
    const { post } = await openService([published])
    const check = async (flowId: string) => {
      const flow = wholeDefinition({ blocks: [flowLink('l1', flowId)] })
      const { body } = await post('/v1/flows/validate', { flow })
      return JSON.stringify(body).replaceAll(flowId, 'linked')
    }
    expect(await check('other')).toBe(await check('nowhere'))
  })

  it('The tests of a draft reach out', async () => {
    const shop = await startRawHttpServer()
    const published = wholeDefinition({ id: 'other', blocks: [bubble('b2', 'hush')] })
    const flow = asking(shop.url, {
      blocks: [request(shop.url), flowLink('l1', 'other'), bubble('b1', '{{Status}}')],
    })
    const { post } = await openService([published], { allow: '127.0.0.1', previewHttp: 'on' })
    const tests = { unmatched: 'answer', tests: [{ name: 'a', steps: [{ sees: 'nothing' }] }] }
    const { text } = await post('/v1/flows/test', { flow, tests })
    expect([text, shop.connections]).toEqual([expect.stringContaining('saw \\"200\\"'), 0])
    expect(text).not.toContain('hush')
  })

  it('A recording that somebody sends reaches out', async () => {
    const shop = await startRawHttpServer(() => httpAnswer(200, 'first'))
    const published = wholeDefinition({ id: 'other', blocks: [bubble('b2', 'hush')] })
    const blocks = [request(shop.url), flowLink('l1', 'other'), bubble('b1', '{{Status}}')]
    const flow = asking(shop.url, { blocks })
    const ground = { allow: '127.0.0.1', previewHttp: 'on' } as const
    const { post, preview, app } = await openService([published], ground)
    const { body } = await preview({ flow, record: true })
    const url = `/v1/sessions/${body.sessionId}/recording`
    const recording = (await app.inject({ method: 'GET', url })).json()
    const before = shop.connections
    for (const more of [{}, { flow: asking(`${shop.url}/other`) }])
      expect((await post('/v1/flows/replay', { recording, ...more })).status).toBe(200)
    const made = await post('/v1/flows/replay', { recording, asTest: true })
    expect(made.body).toMatchObject({ tests: { tests: [{}] } })
    expect([before, shop.connections]).toEqual([1, 1])
  })

  it('A dry run sends something', async () => {
    const shop = await startRawHttpServer()
    const flow = asking(shop.url)
    const { preview } = await openService([], { allow: '127.0.0.1', previewHttp: 'on' })
    const { body } = await preview({ flow, dryRun: true })
    expect([shownIn(body), shop.connections]).toEqual([['200'], 0])
  })

  it('The mocks of a preview take up the store', async () => {
    const { preview } = await openService([])
    const reply = { text: 'x'.repeat(80_000) }
    const { status, body } = await preview({
      flow: asking('https://a.example/'),
      mocks: { http: [{ reply }] },
    })
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/mocks'])
  })

  it('A draft borrows an account', async () => {
    const models = await startRawHttpServer(() => says('hush'))
    const { credentials } = readCredentials(undefined, {
      OPENAI_API_KEY: 'k-1',
      OPENAI_BASE_URL: `${models.url}/v1`,
    })
    const options = {
      action: 'Create chat completion',
      model: 'tiny',
      messages: [{ role: 'user', content: 'Hi' }],
      responseMapping: [{ variableId: 'vStatus' }],
    }
    const block = (credentialsId: string) => ({
      id: credentialsId,
      type: 'openai',
      options: { ...options, credentialsId },
    })
    const blocks = [block('default-openai'), bubble('b1', '{{Status}}')]
    const flow = wholeDefinition({ id: 'flow-1', workspaceId: 'w1', variables: [variable('Status')], blocks })
    const { preview, start } = await openService([flow], { credentials, previewHttp: 'on' })
    const { body, text } = await preview({ flow })
    expect([shownIn(body), models.requests.length]).toEqual([[''], 0])
    expect(text).not.toContain('hush')
    // The published flow of the same name has it.
    expect(shownIn((await start()).body)).toEqual(['hush'])
  })

  it('A mail gets recipients, or a header gets lines, added', async () => {
    const post = await startSmtpServer()
    const mailer = createSmtpMailer()
    onTestFinished(() => mailer.close())
    const shop = await startRawHttpServer()
    const { credentials } = readCredentials(undefined, {
      SMTP_URL: `smtp://127.0.0.1:${post.port}?from=shop%40shop.example`,
    })
    const mail = { credentialsId: 'default', recipients: ['desk@shop.example', 'Ada <{{Said}}@a.example>'] }
    const flow = wholeDefinition({
      variables: [variable('Said')],
      blocks: [
        { id: 'm1', type: 'Email', options: { ...mail, subject: 'From {{Said}}', body: 'Hi' } },
        {
          id: 'r1',
          type: 'Webhook',
          options: {
            webhook: {
              url: shop.url,
              method: 'GET',
              headers: [{ id: 'h1', key: 'x-said', value: '{{Said}}' }],
            },
          },
        },
        bubble('b1', 'done'),
      ],
    })
    const { start } = await openService([flow], { mailer, credentials, allow: '127.0.0.1' })
    const said =
      'ada@a.example>, <evil@evil.example>, <x\r\nBcc: evil@evil.example\r\nx-evil: yes\r\n\r\nevil'
    const { body } = await start({ prefilledVariables: { Said: said } })
    expect(shownIn(body)).toEqual(['done'])
    const [sent] = post.mails
    expect(sent?.to).toEqual(['desk@shop.example'])
    expect([sent?.headers.has('bcc'), sent?.headers.has('x-evil')]).toEqual([false, false])
    expect(shop.requests.filter(({ headers }) => headers.has('x-evil') || headers.has('bcc'))).toEqual([])
  })

  it('A visitor reads what the server sent and was answered', async () => {
    const shop = await startRawHttpServer(() => httpAnswer(500, '{"secret": "hush"}'))
    const { start, world } = await openService([asking(shop.url)], { allow: '127.0.0.1' })
    const { body, text } = await start()
    expect(shownIn(body)).toEqual(['500'])
    expect(text).not.toContain('hush')
    expect(text).not.toContain(shop.url)
    expect(JSON.stringify(await world.results.get('flow-1', body.resultId))).toContain('hush')
  })
})
