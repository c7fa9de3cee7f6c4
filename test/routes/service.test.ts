import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/lib/errors.ts'
import { readinessOf } from '../../src/routes/operator/probe-routes.ts'
import { buildTestApp, failingChat, shareTestApp } from '../support/build-test-app.ts'

const url = '/v1/flows/welcome/startChat'

describe('GET /health', () => {
  it('is alive', async () => {
    const { app } = await buildTestApp({ readiness: async () => ['no store'] })
    const response = await app.inject('/health')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'ok' })
  })

  it('answers HEAD', async () => {
    const { app } = await shareTestApp()
    const response = await app.inject({ method: 'HEAD', url: '/health' })
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('')
  })
})

describe('GET /ready', () => {
  it('is ready when nothing speaks against it', async () => {
    const { app } = await shareTestApp()
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'ready' })
  })

  it('reports every reason why it is not', async () => {
    const { app } = await buildTestApp({ readiness: async () => ['Sessions are away', 'Flows are away'] })
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'Sessions are away; Flows are away',
    })
  })

  it('says what is amiss though it is ready', async () => {
    const { app } = await buildTestApp({ notices: () => ['Previews are refused'] })
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'ready', notices: ['Previews are refused'] })
  })

  it('asks everybody who can speak against it', async () => {
    const readiness = readinessOf([() => ['one'], () => [], async () => ['two', 'three']])
    expect(await readiness()).toEqual(['one', 'two', 'three'])
    expect(await readinessOf([])()).toEqual([])
  })
})

describe('request ids', () => {
  it.each(['abc', '0af7651916cd43dd8448eb211c80319c', 'a.b:c_d-e/f+g=', 'x'.repeat(128)])(
    'keeps the given id %s',
    async (id) => {
      const { app, logLines } = await shareTestApp()
      const response = await app.inject({ method: 'POST', url, headers: { 'x-request-id': id } })
      expect(response.headers['x-request-id']).toBe(id)
      expect(logLines[0]?.['requestId']).toBe(id)
    },
  )

  it.each(['', 'a b', 'a\tb', '<script>', 'é', '{"a":1}', 'x'.repeat(129)])(
    'replaces the given id %j',
    async (id) => {
      const { app } = await shareTestApp()
      const response = await app.inject({ method: 'POST', url, headers: { 'x-request-id': id } })
      expect(response.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    },
  )

  it('makes another one for each request', async () => {
    const { app } = await shareTestApp()
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await app.inject('/health')).headers['x-request-id']),
    )
    expect(new Set(ids).size).toBe(3)
  })
})

describe('headers of answers', () => {
  it.each([
    ['POST', url],
    ['GET', '/health'],
    ['GET', '/openapi.json'],
    ['OPTIONS', url],
    ['GET', '/nothing'],
  ] as const)('%s %s is kept by nobody and guessed at by nobody', async (method, address) => {
    const { app } = await shareTestApp()
    const { headers } = await app.inject({ method, url: address })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
})

describe('the request log', () => {
  it('is one line with the route instead of the address', async () => {
    const { app, logLines } = await shareTestApp()
    await app.inject({ method: 'POST', url: `${url}?token=secret`, headers: { 'x-request-id': 'r1' } })
    expect(logLines).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        msg: 'request',
        requestId: 'r1',
        method: 'POST',
        route: '/v1/flows/:publicId/startChat',
        status: 200,
        ms: expect.any(Number),
      },
    ])
  })

  it('counts the time that the answer took', async () => {
    const { app, logLines } = await buildTestApp({
      readiness: () => new Promise((resolve) => setTimeout(resolve, 30, ['It is away'])),
    })
    await app.inject('/ready')
    expect(logLines[0]?.['ms']).toBeGreaterThan(25)
    expect(logLines[0]?.['ms']).toBeLessThan(5000)
  })

  it.each([
    ['a start', undefined],
    ['a refusal', new ServiceError('FORBIDDEN', 'No')],
    ['a defect', new Error('broken')],
  ])('holds nothing that the caller said: %s', async (_name, error) => {
    const { app, logLines } = await buildTestApp(error && { chat: failingChat(error) })
    await app.inject({
      method: 'POST',
      url: '/v1/flows/hush-id/preview/startChat?hush=query',
      headers: {
        authorization: 'Bearer hush-token',
        origin: 'https://hush.example',
        'user-agent': 'hush-agent',
      },
      payload: { sessionId: 'hush-session', message: 'hush-text', prefilledVariables: { a: 'hush-value' } },
    })
    expect(logLines.length).toBeGreaterThan(0)
    expect(JSON.stringify(logLines)).not.toContain('hush')
  })

  it('names unknown routes by nothing that the caller wrote', async () => {
    const { app, logLines } = await shareTestApp()
    await app.inject('/hush/hush?hush')
    expect(logLines).toMatchObject([{ route: 'unknown', status: 404, method: 'GET' }])
    expect(JSON.stringify(logLines)).not.toContain('hush')
  })
})
