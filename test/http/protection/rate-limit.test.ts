import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../src/config/config.ts'
import { buildTestApp, recordingChat } from '../../support/build-test-app.ts'

const url = '/v1/flows/welcome/startChat'

interface Asked {
  readonly from?: string
  readonly method?: 'POST' | 'GET' | 'PUT' | 'OPTIONS'
  readonly url?: string
  readonly forwardedFor?: string
  readonly headers?: Record<string, string>
}

/** A server that lets each address ask twice a minute, unless told otherwise. */
async function serve(config: Partial<Config> = { rateLimitMax: 2 }) {
  const { chat, published } = recordingChat()
  const { app } = await buildTestApp({ chat, config })
  const ask = async ({ from = '192.0.2.1', method = 'POST', forwardedFor, ...asked }: Asked = {}) => {
    const headers = { ...asked.headers, ...(forwardedFor && { 'x-forwarded-for': forwardedFor }) }
    return app.inject({ method, url: asked.url ?? url, remoteAddress: from, headers })
  }
  const statuses = async (...all: readonly Asked[]) => {
    const told: number[] = []
    for (const asked of all) told.push((await ask(asked)).statusCode)
    return told
  }
  return { app, ask, statuses, published }
}

describe('an address that asks too often', () => {
  it('is refused with the time to come back, and nothing runs', async () => {
    const { ask, statuses, published } = await serve()
    expect(await statuses({}, {})).toEqual([200, 200])
    const response = await ask({ headers: { origin: 'https://shop.example' } })
    expect(response.statusCode).toBe(429)
    expect(response.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'access-control-allow-origin': '*',
      'retry-after': '60',
    })
    expect(response.headers).not.toHaveProperty('x-ratelimit-limit')
    expect(response.json()).toMatchObject({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
      message: 'Rate limit of 2 requests a minute for one IP address exceeded',
    })
    expect(published.length).toBe(2)
  })

  it('is let in again a minute after it began', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { ask, statuses } = await serve()
      expect(await statuses({}, {}, {})).toEqual([200, 200, 429])
      vi.advanceTimersByTime(45_000)
      expect((await ask()).headers['retry-after']).toBe('15')
      vi.advanceTimersByTime(15_000)
      expect(await statuses({}, {}, {})).toEqual([200, 200, 429])
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps no other from asking', async () => {
    const { statuses } = await serve()
    expect(await statuses({}, {}, {}, { from: '192.0.2.2' })).toEqual([200, 200, 429, 200])
  })

  it('is refused before its body has come in', async () => {
    const { app } = await serve()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    const head = `POST ${url} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`
    const whole = `${head}content-length: 2\r\n\r\n{}`
    const answer = text(socket)
    socket.write(`${whole}${whole}${head}connection: close\r\ncontent-length: 1000000\r\n\r\n`)
    expect((await answer).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 429'])
  })

  it('is one customer of IPv6, whatever the rest of its address, and the same as its IPv4', async () => {
    const { statuses } = await serve()
    const near = ['2001:db8::1', '2001:db8::ffff:1', '2001:db8:0:0:9:9:9:9'].map((from) => ({ from }))
    expect(await statuses(...near, { from: '2001:db8:0:1::1' })).toEqual([200, 200, 429, 200])
    const mapped = ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'].map((from) => ({ from }))
    expect(await statuses(...mapped, { from: '::ffff:192.0.2.2' })).toEqual([200, 200, 429, 200])
    expect(await statuses(...['fe80::1%eth0', 'fe80::2%eth0', 'fe80::3'].map((from) => ({ from })))).toEqual([
      200, 200, 429,
    ])
  })
})

describe('what is counted', () => {
  it.each<Asked>([
    { url: '/v1/flows/any/startChat' },
    { url: '/v1/flows/any/preview/startChat' },
    { url: '/v1/sessions/any/continueChat' },
    { url: '/v2/sessions/any/clientLogs' },
    { url: '/v2/sessions/any/streamMessage' },
    { url: '/v3/generate-upload-url' },
    { url: '/uploads/any', method: 'PUT' },
  ])('is everything that strangers can make the service work with: $url', async (asked) => {
    const { statuses } = await serve()
    const [first, second, third] = await statuses({}, asked, asked)
    expect(first).toBe(200)
    expect(second).not.toBe(429)
    expect(third).toBe(429)
  })

  it.each<Asked>([
    { url: '/health', method: 'GET' },
    { url: '/ready', method: 'GET' },
    { url: '/docs', method: 'GET' },
    { url: '/openapi.json', method: 'GET' },
    { url: '/uploads/any/any.png', method: 'GET' },
    { url: '/v1/flows/any/results', method: 'GET' },
    { method: 'OPTIONS', headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' } },
  ])(
    'is neither what watches the service nor what only asks whether it may ask: $method $url',
    async (asked) => {
      const { statuses } = await serve()
      expect(await statuses(asked, asked, asked, {}, {}, {})).toEqual([
        ...(await statuses(asked, asked, asked)),
        200,
        200,
        429,
      ])
      expect(await statuses(asked)).not.toContain(429)
    },
  )

  it('is nothing, unless the operator wants it', async () => {
    const { statuses } = await serve({})
    expect(new Set(await statuses(...Array<Asked>(50).fill({})))).toEqual(new Set([200]))
  })
})

describe('a wrong token', () => {
  const sent = (token: string) =>
    ({ headers: { authorization: `Bearer ${token}` }, method: 'GET', url: '/v1/flows' }) as const
  const adminTokens = [{ name: 'admin', token: 'right' }]

  it('counts against its address, until the right one is refused as well, and no other is', async () => {
    const { ask, statuses } = await serve({ rateLimitMax: 3, adminTokens })
    expect(await statuses(sent('right'), sent('right'), sent('right'), sent('right'))).toEqual([
      200, 200, 200, 200,
    ])
    expect(await statuses(sent('a'), sent('b'), sent('right'), sent('c'))).toEqual([401, 401, 200, 401])
    expect(await statuses({})).toEqual([429])
    const refused = await ask(sent('right'))
    expect(refused.statusCode).toBe(429)
    expect(refused.headers).toMatchObject({ 'retry-after': '60' })
    expect(refused.json()).toMatchObject({
      message: 'Limit of 3 wrong tokens a minute for one IP address exceeded',
    })
    expect(await statuses({ ...sent('right'), from: '192.0.2.2' })).toEqual([200])
  })

  it('counts where it stands in the address of a page', async () => {
    const { app, statuses } = await serve({ rateLimitMax: 2 })
    const page = (token?: string) => ({ method: 'GET', url: `/?token=${token}` }) as const
    expect(await statuses(page('a'), page('b'), page(app.pageAccess.token))).toEqual([403, 403, 429])
  })

  it('is bounded by nothing where requests are not', async () => {
    const { statuses } = await serve({ adminTokens })
    expect(new Set(await statuses(...Array(50).fill(sent('a'))))).toEqual(new Set([401]))
    expect(await statuses(sent('right'))).toEqual([200])
  })
})

describe('a forwarded address', () => {
  it('counts for nothing where no proxy is trusted', async () => {
    const { statuses } = await serve({ rateLimitMax: 2 })
    const spoofed = ['198.51.100.1', '198.51.100.2', '198.51.100.3'].map((forwardedFor) => ({ forwardedFor }))
    expect(await statuses(...spoofed)).toEqual([200, 200, 429])
  })

  it('distinguishes visitors behind one proxy', async () => {
    const { statuses } = await serve({ rateLimitMax: 2, trustedProxies: 1 })
    const same = { forwardedFor: '198.51.100.1' }
    expect(await statuses(same, same, same, { forwardedFor: '198.51.100.2' })).toEqual([200, 200, 429, 200])
  })

  it('cannot be made up by whoever is behind the proxy', async () => {
    const { statuses } = await serve({ rateLimitMax: 2, trustedProxies: 1 })
    const spoofed = ['203.0.113.1', '203.0.113.2', '203.0.113.3, 127.0.0.1'].map((made) => ({
      forwardedFor: `${made}, 198.51.100.1`,
    }))
    expect(await statuses(...spoofed)).toEqual([200, 200, 429])
  })

  it('is looked for as many proxies away as there are', async () => {
    const { statuses } = await serve({ rateLimitMax: 2, trustedProxies: 2 })
    const behind = (visitor: string) => ({ forwardedFor: `203.0.113.9, ${visitor}, 10.0.0.1` })
    expect(
      await statuses(...['198.51.100.1', '198.51.100.1', '198.51.100.1', '198.51.100.2'].map(behind)),
    ).toEqual([200, 200, 429, 200])
  })

  it('need not be one', async () => {
    const { statuses } = await serve({ rateLimitMax: 2, trustedProxies: 1 })
    const odd = (end: string) => ({ forwardedFor: `${'x'.repeat(8000)}${end}` })
    expect(await statuses(odd('1'), odd('2'), odd('3'), { forwardedFor: 'unknown' })).toEqual([
      200, 200, 429, 200,
    ])
  })
})
