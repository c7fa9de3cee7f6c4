import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type ErrorCode, ServiceError } from '../../src/lib/errors.ts'
import { buildTestApp, failingChat, shareTestApp } from '../support/build-test-app.ts'

const url = '/v1/flows/welcome/startChat'

async function answerTo(error: unknown) {
  const { app, logLines } = await shareTestApp({ chat: failingChat(error) })
  return { response: await app.inject({ method: 'POST', url }), logLines }
}

const table: [ErrorCode, number, string][] = [
  ['BAD_REQUEST', 400, 'Bad Request'],
  ['UNAUTHORIZED', 401, 'Unauthorized'],
  ['FORBIDDEN', 403, 'Forbidden'],
  ['NOT_FOUND', 404, 'Not Found'],
  ['METHOD_NOT_ALLOWED', 405, 'Method Not Allowed'],
  ['REQUEST_TIMEOUT', 408, 'Request Timeout'],
  ['CONFLICT', 409, 'Conflict'],
  ['PAYLOAD_TOO_LARGE', 413, 'Payload Too Large'],
  ['UNSUPPORTED_MEDIA_TYPE', 415, 'Unsupported Media Type'],
  ['TOO_MANY_REQUESTS', 429, 'Too Many Requests'],
  ['SERVICE_UNAVAILABLE', 503, 'Service Unavailable'],
]

describe('errors', () => {
  it.each(table)('answers %s with a problem document of status %i', async (code, status, title) => {
    const { response } = await answerTo(new ServiceError(code, 'What went wrong'))
    expect(response.statusCode).toBe(status)
    expect(response.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
    expect(response.json()).toEqual({
      type: 'about:blank',
      title,
      status,
      detail: 'What went wrong',
      instance: url,
      code,
      message: 'What went wrong',
    })
  })

  it('reports the problems of a document', async () => {
    const problems = [{ pointer: '/flow/groups/0/id', message: 'must be string' }]
    const { response } = await answerTo(new ServiceError('BAD_REQUEST', 'No', { problems }))
    expect(response.json().errors).toEqual(problems)
  })

  it.each([
    new Error('the password is 1234'),
    new TypeError('the password is 1234', { cause: new Error('1234') }),
    new ServiceError('INTERNAL_SERVER_ERROR', 'the password is 1234'),
    Object.assign(new Error('the password is 1234'), { statusCode: 502, code: 'E_SECRET' }),
    'the password is 1234',
    null,
    undefined,
  ])('keeps the text of a defect inside: %s', async (error) => {
    const { response, logLines } = await answerTo(error)
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'Internal server error',
      instance: url,
      code: 'INTERNAL_SERVER_ERROR',
      message: 'Internal server error',
    })
    expect(logLines.filter(({ msg }) => msg === 'request failed')).toHaveLength(1)
  })

  it('logs a defect with its stack, its route and the id of its request', async () => {
    const { response, logLines } = await answerTo(new Error('broken'))
    expect(logLines[0]).toMatchObject({
      level: 50,
      msg: 'request failed',
      route: '/v1/flows/:publicId/startChat',
      requestId: response.headers['x-request-id'],
      err: { message: 'broken', stack: expect.stringContaining('errors.test.ts') },
    })
  })

  it('logs why it is unavailable when somebody knows', async () => {
    const cause = new Error('connection refused')
    const { response, logLines } = await answerTo(
      new ServiceError('SERVICE_UNAVAILABLE', 'No store', { cause }),
    )
    expect(response.json().message).toBe('No store')
    expect(logLines[0]).toMatchObject({ msg: 'request failed', err: { message: 'connection refused' } })
  })

  it.each(table.filter(([, status]) => status < 500))('does not log %s as a failure', async (code) => {
    const { logLines } = await answerTo(new ServiceError(code, 'No', { cause: new Error('x') }))
    expect(logLines.map(({ msg }) => msg)).toEqual(['request'])
  })

  it('asks for a bearer token where one is missing', async () => {
    const { response } = await answerTo(new ServiceError('UNAUTHORIZED', 'No'))
    expect(response.headers['www-authenticate']).toBe('Bearer')
  })

  it.each<ErrorCode>(['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE'])(
    'says when to come back after %s',
    async (code) => {
      const { response } = await answerTo(new ServiceError(code, 'No'))
      expect(response.headers['retry-after']).toBe('1')
    },
  )

  it.each([
    ['GET', '/v1', '/v1'],
    ['POST', '/v1/flows/welcome/startchat', '/v1/flows/welcome/startchat'],
    ['POST', '/v1/nothing?secret=1', '/v1/nothing'],
    ['GET', '/docs/nothing.js', '/docs/nothing.js'],
    ['GET', '/docs/static/nothing.js', '/docs/static/nothing.js'],
  ] as const)('knows nothing of %s %s', async (method, address, instance) => {
    const { app } = await shareTestApp()
    const response = await app.inject({ method, url: address })
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'Not found',
      instance,
      code: 'NOT_FOUND',
      message: 'Not found',
    })
  })

  it.each([
    ['a zero byte', '/docs/static/%00', {}],
    ['a range beyond the end', '/docs/static/index.css', { range: 'bytes=99999999-' }],
  ])('answers a request for the docs page with %s by a problem document', async (_name, address, headers) => {
    const { app } = await shareTestApp()
    const response = await app.inject({ url: address, headers })
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.json()).toMatchObject({ status: 400, code: 'BAD_REQUEST', instance: address })
  })

  it.each([
    ['GET', url, 'POST'],
    ['DELETE', '/health?x=1', 'GET, HEAD'],
    ['PATCH', '/v1/flows/welcome/results/r%2F1', 'DELETE, GET, HEAD'],
    ['POST', '/uploads/token-1', 'PUT'],
  ] as const)(
    'names the methods that an address knows instead of %s %s',
    async (method, address, allowed) => {
      const { app, logLines } = await shareTestApp()
      const response = await app.inject({ method, url: address })
      expect(response.statusCode).toBe(405)
      expect(response.headers['allow']).toBe(allowed)
      expect(response.json()).toMatchObject({
        code: 'METHOD_NOT_ALLOWED',
        message: `Method ${method} is not allowed; allowed: ${allowed}`,
      })
      expect(logLines).toMatchObject([{ route: 'unknown', status: 405 }])
    },
  )

  it.each([
    ['a fragment, which no client should send', 'POST', '/v1/sessions/#1/continueChat', 'NOT_FOUND'],
    ['the whole server, which has no page', 'GET', '*', 'NOT_FOUND'],
    ['a whole address', 'POST', 'http://other.example/v1/flows/welcome', 'METHOD_NOT_ALLOWED'],
    ['a whole address that there is not', 'POST', 'http://other.example/v1/nothing', 'NOT_FOUND'],
  ])('reads a request for %s', async (_, method, path, code) => {
    const { app } = await buildTestApp()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const sent = request({ port, host: '127.0.0.1', method, path }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(JSON.parse(await text(response))).toMatchObject({ code, status: response.statusCode })
  })

  it.each(['{', `{"flow":${'['.repeat(200_000)}`])(
    'keeps a connection whose body is no JSON: %.10s',
    async (payload) => {
      const { app } = await shareTestApp()
      const headers = { 'content-type': 'application/json' }
      const response = await app.inject({ method: 'POST', url, headers, payload })
      expect(response.statusCode).toBe(400)
      expect(response.headers['connection']).toBe('keep-alive')
    },
  )

  it('looks at the path before the body', async () => {
    const { app } = await shareTestApp()
    const headers = { 'content-type': 'application/json' }
    const response = await app.inject({ method: 'POST', url: '/v1/nothing', headers, payload: '{' })
    expect(response.statusCode).toBe(404)
  })

  it('refuses an address that is not well-formed', async () => {
    const { app, logLines } = await shareTestApp()
    const response = await app.inject({ method: 'POST', url: '/v1/flows/%zz/startChat' })
    expect(response.statusCode).toBe(400)
    expect(response.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    })
    expect(response.json()).toMatchObject({ code: 'BAD_REQUEST', instance: '/v1/flows/%zz/startChat' })
    expect(logLines).toMatchObject([{ msg: 'request', status: 400, route: 'unknown' }])
  })

  it('names the limit of a body that is over it', async () => {
    const { app } = await buildTestApp({ config: { bodyLimit: 100, previewBodyLimit: 200 } })
    const payload = { message: 'x'.repeat(300) }
    const messageOf = async (address: string) => {
      const response = await app.inject({ method: 'POST', url: address, payload })
      expect(response.statusCode).toBe(413)
      return response.json().message
    }
    expect(await messageOf(url)).toBe('The request body is larger than 100 bytes')
    expect(await messageOf('/v1/flows/a/preview/startChat')).toBe('The request body is larger than 200 bytes')
  })

  it.each([
    ['gzip', 415],
    ['br', 415],
    ['identity', 200],
  ])('tells of a body in another encoding: %s', async (encoding, status) => {
    const { app } = await shareTestApp()
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const response = await app.inject({ method: 'POST', url, headers, payload: '{}' })
    expect(response.statusCode).toBe(status)
    if (status === 415) expect(response.json().message).toContain('Content-Encoding')
  })

  it('finds no flow by a name of kilobytes', async () => {
    const { app } = await shareTestApp()
    const response = await app.inject({ method: 'POST', url: `/v1/flows/${'x'.repeat(5000)}/startChat` })
    expect(response.statusCode).toBe(404)
    expect(response.json().code).toBe('NOT_FOUND')
  })
})
