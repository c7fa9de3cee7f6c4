import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/lib/errors.ts'
import { buildTestApp, failingChat, shareTestApp } from '../support/build-test-app.ts'

const url = '/v1/flows/welcome/startChat'
const origin = 'https://shop.example'

describe('CORS', () => {
  it('lets every site ask with the headers it names', async () => {
    const { app } = await shareTestApp()
    const response = await app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, x-request-id',
      },
    })
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE, PATCH',
      'access-control-allow-headers': 'content-type, x-request-id',
      vary: expect.stringContaining('Origin'),
    })
  })

  it('lets no site say what proxies say', async () => {
    const { app } = await shareTestApp()
    const wanted = 'content-type,X-Forwarded-Host, x-forwarded-proto,forwarded,via,X-Real-IP,x-real'
    const headers = { origin, 'access-control-request-headers': wanted }
    const response = await app.inject({ method: 'OPTIONS', url: '/v1/flows/f/startChat', headers })
    expect(response.headers['access-control-allow-headers']).toBe('content-type, x-real')
  })

  it('has browsers keep what a preflight says, and sends no body to measure', async () => {
    const { app } = await shareTestApp()
    const headers = { origin, 'access-control-request-method': 'PUT' }
    const response = await app.inject({ method: 'OPTIONS', url: '/uploads/any', headers })
    expect(response.headers['access-control-max-age']).toBe('86400')
    expect(response.headers).not.toHaveProperty('content-length')
    expect(response.headers).not.toHaveProperty('transfer-encoding')
  })

  it('answers a bare OPTIONS as it does a preflight', async () => {
    const { app } = await shareTestApp()
    const response = await app.inject({ method: 'OPTIONS', url })
    expect(response.statusCode).toBe(204)
    expect(response.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it.each([origin, 'null', 'http://localhost:5173'])('lets %s read answers', async (site) => {
    const { app } = await shareTestApp()
    const response = await app.inject({ method: 'POST', url, headers: { origin: site } })
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['vary']).toBe('Origin')
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(response.headers).not.toHaveProperty('access-control-max-age')
  })

  it('lets sites read the headers of files, pages and repetitions', async () => {
    const { app } = await shareTestApp()
    const response = await app.inject({ method: 'POST', url, headers: { origin } })
    expect(String(response.headers['access-control-expose-headers']).split(', ').sort()).toEqual([
      'accept-ranges',
      'content-disposition',
      'content-range',
      'etag',
      'idempotent-replayed',
      'link',
      'retry-after',
      'x-request-id',
    ])
  })

  it('names no site to those who come from none, and lets no cache mix them up', async () => {
    const { app } = await shareTestApp()
    const response = await app.inject({ method: 'POST', url })
    expect(response.headers).not.toHaveProperty('access-control-allow-origin')
    expect(response.headers['vary']).toBe('Origin')
  })

  it.each([
    ['a refusal of the flow', { method: 'POST', url }, 403],
    ['an unknown path', { method: 'GET', url: '/nothing' }, 404],
    ['a body that is not valid', { method: 'POST', url, payload: { resultId: 5 } }, 400],
  ] as const)('lets sites read %s', async (_name, request, status) => {
    const { app } = await buildTestApp({
      chat: failingChat(new ServiceError('FORBIDDEN', 'Origin not allowed')),
    })
    const response = await app.inject({ ...request, headers: { origin } })
    expect(response.statusCode).toBe(status)
    expect(response.headers['access-control-allow-origin']).toBe('*')
  })
})
