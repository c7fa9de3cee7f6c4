import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Lookup } from '../../../src/adapters/http-client/egress/destination-policy.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { openClient, resolver } from './open-client.ts'

const hasIPv6 = await new Promise<boolean>((resolve) => {
  const server = createServer()
  server.once('error', () => resolve(false))
  server.listen(0, '::1', () => server.close(() => resolve(true)))
})

/** Gives one list of addresses after the other; the last one stays. */
function flipping(...answers: (readonly string[])[]): Lookup & { readonly calls: number } {
  let calls = 0
  const lookup = async () => answers[Math.min(calls++, answers.length - 1)] ?? []
  return Object.defineProperty(lookup, 'calls', { get: () => calls }) as never
}

const ok = { kind: 'response', status: 200, text: '' }

describe('a request to a place that is not public', () => {
  it.each([
    '127.0.0.1',
    'LOCALHOST',
    'localhost.',
    'shop.localhost',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '１２７.0.0.1',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    'user:pass@127.0.0.1',
    'loop.example',
    'LOOP.example.',
  ])('opens no connection: %s', async (host) => {
    const server = await startRawHttpServer()
    const { send } = openClient('', resolver({ 'loop.example': ['127.0.0.1'] }))
    const outcome = await send({ url: `http://${host}:${server.port}/` })
    expect(outcome).toEqual({ kind: 'refused', reason: expect.not.stringContaining('127.0.0.1') })
    expect(server.connections).toBe(0)
  })

  it.skipIf(!hasIPv6)('opens no connection over IPv6', async () => {
    const server = await startRawHttpServer(undefined, { host: '::1' })
    const { send } = openClient('', resolver({ 'loop.example': ['::1'] }))
    expect(await send({ url: server.url })).toMatchObject({ kind: 'refused' })
    expect(await send({ url: `http://loop.example:${server.port}` })).toMatchObject({ kind: 'refused' })
    expect(server.connections).toBe(0)
  })

  it('is refused for one bad address among good ones', async () => {
    const server = await startRawHttpServer()
    const { send } = openClient('', resolver({ 'shop.example': ['1.1.1.1', '127.0.0.1'] }))
    expect(await send({ url: `http://shop.example:${server.port}` })).toEqual({
      kind: 'refused',
      reason: 'The address is a loopback address',
    })
    expect(server.connections).toBe(0)
  })

  it.each([
    ['metadata', 'The host is a metadata service'],
    ['metadata.goog', 'The host is a metadata service'],
    ['Metadata.Google.Internal.', 'The host is a metadata service'],
    ['localhost', 'The host is localhost'],
  ])('is refused by the name alone: %s', async (host, reason) => {
    const everywhere: Lookup = async () => ['1.1.1.1']
    expect(await openClient('', everywhere).send({ url: `http://${host}/` })).toEqual({
      kind: 'refused',
      reason,
    })
    const { send } = openClient('10.0.0.0/8', everywhere)
    expect(await send({ url: `http://${host}/` })).toEqual({ kind: 'refused', reason })
  })

  it.each([
    ['', 'There is no address'],
    ['  ', 'There is no address'],
    ['shop.example/x', 'The address is not valid'],
    ['http://', 'The address is not valid'],
    ['http://[fe80::1%25eth0]/', 'The address is not valid'],
    ['http://1.2.3.4.5/', 'The address is not valid'],
    ['ftp://shop.example/', 'The address is neither http nor https'],
    ['file:///etc/passwd', 'The address is neither http nor https'],
    ['data:text/plain,x', 'The address is neither http nor https'],
    ['javascript:1', 'The address is neither http nor https'],
  ])('is refused for its form: %j', async (url, reason) => {
    expect(await openClient().send({ url })).toEqual({ kind: 'refused', reason })
  })

  it('is refused for an address that is none', async () => {
    const { send } = openClient('', resolver({ 'shop.example': ['127.1'] }))
    expect(await send({ url: 'http://shop.example' })).toEqual({
      kind: 'refused',
      reason: 'The address cannot be read',
    })
  })
})

describe('a name that changes its address', () => {
  it('between the check and the connection gets no connection', async () => {
    const server = await startRawHttpServer()
    const lookup = flipping(['1.1.1.1'], ['127.0.0.1'])
    const { send } = openClient('', lookup)
    const url = `http://shop.example:${server.port}`
    const failed = { kind: 'failed', message: 'The address is a loopback address' }
    expect(await send({ url, method: 'POST' })).toEqual(failed)
    expect(lookup.calls).toBe(2)
    expect(server.connections).toBe(0)
  })

  it('once it is connected stays with the connection, until the check sees it', async () => {
    const server = await startRawHttpServer()
    const lookup = flipping(['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1'])
    const { send } = openClient(`127.0.0.1:${server.port}`, lookup)
    const url = `http://shop.example:${server.port}`
    expect(await send({ url })).toEqual(ok)
    expect(await send({ url })).toEqual({ kind: 'refused', reason: 'The address is private (10.0.0.0/8)' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a name that does not resolve', () => {
  it('is a failure and no refusal', async () => {
    const { send } = openClient()
    expect(await send({ url: 'http://shop.example' })).toEqual({
      kind: 'failed',
      message: 'The host name does not resolve',
      cause: 'ENOTFOUND',
    })
  })

  it('has perhaps no address at all', async () => {
    const { send } = openClient('', resolver({ 'shop.example': [] }))
    const failed = { kind: 'failed', message: 'The host name does not resolve' }
    expect(await send({ url: 'http://shop.example' })).toEqual(failed)
  })

  it('that answers too late is a timeout', async () => {
    const { send } = openClient('', () => new Promise(() => {}))
    expect(await send({ url: 'http://shop.example', timeoutMs: 50 })).toEqual({ kind: 'timeout' })
  })
})

describe('what the operator opens', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1:PORT', '127.0.0.1'],
    ['127.0.0.0/8', '127.0.0.1'],
    ['127.0.0.1', '[::ffff:127.0.0.1]'],
    ['127.0.0.1', 'loop.example'],
    ['loop.example', 'loop.example'],
    ['loop.example:PORT', 'LOOP.example.'],
    ['localhost', 'localhost'],
    ['127.0.0.1', 'localhost'],
    ['127.0.0.0/8', 'shop.localhost'],
  ])('is reached: %s opens %s', async (allow, host) => {
    const server = await startRawHttpServer()
    const lookup = resolver({
      'loop.example': ['127.0.0.1'],
      localhost: ['127.0.0.1'],
      'shop.localhost': ['::1', '127.0.0.1'],
    })
    const { send } = openClient(allow.replace('PORT', String(server.port)), lookup)
    expect(await send({ url: `http://${host}:${server.port}/` })).toEqual(ok)
    expect(server.connections).toBe(1)
  })

  it.each([
    ['127.0.0.1:1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.1'],
    ['other.example', 'loop.example'],
    ['127.0.0.1', 'mixed.example'],
    ['::1', 'localhost'],
  ])('is nothing else: %s does not open %s', async (allow, host) => {
    const server = await startRawHttpServer()
    const lookup = resolver({
      'loop.example': ['127.0.0.1'],
      'mixed.example': ['127.0.0.1', '10.0.0.1'],
      localhost: ['127.0.0.1'],
    })
    const { send } = openClient(allow, lookup)
    expect(await send({ url: `http://${host}:${server.port}/` })).toMatchObject({ kind: 'refused' })
    expect(server.connections).toBe(0)
  })

  it.skipIf(!hasIPv6)('may be an address of IPv6', async () => {
    const server = await startRawHttpServer(undefined, { host: '::1' })
    const { send } = openClient(`[::1]:${server.port}`)
    expect(await send({ url: server.url })).toEqual(ok)
  })

  it('is looked up by the system', async () => {
    const server = await startRawHttpServer()
    const { send } = openClient('localhost', 'system')
    expect(await send({ url: `http://localhost:${server.port}` })).toEqual(ok)
  })

  it('is tried address by address', async () => {
    const server = await startRawHttpServer()
    const { send } = openClient('127.0.0.0/8', resolver({ 'shop.example': ['127.0.0.9', '127.0.0.1'] }))
    expect(await send({ url: `http://shop.example:${server.port}`, method: 'POST' })).toEqual(ok)
  })

  it('may be chosen by the operator for one request', async () => {
    const server = await startRawHttpServer()
    const { send } = openClient('', resolver({ 'model.internal': ['127.0.0.1'] }))
    const url = `http://model.internal:${server.port}`
    expect(await send({ url }, { isTrusted: true })).toEqual(ok)
    expect(await send({ url })).toMatchObject({ kind: 'refused' })
    expect(server.requests).toHaveLength(1)
  })

  it('does not lend its connection to a flow', async () => {
    const server = await startRawHttpServer()
    const lookup = flipping(['127.0.0.1'], ['1.1.1.1'], ['127.0.0.1'])
    const { send } = openClient('', lookup)
    const url = `http://model.internal:${server.port}`
    expect(await send({ url }, { isTrusted: true })).toEqual(ok)
    expect(await send({ url, method: 'POST' })).toMatchObject({ kind: 'failed' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a redirect', () => {
  const redirectTo = (location: string) => () => httpAnswer(302, '', { location })

  it.each(['http://127.0.0.1:PORT/', 'http://loop.example:PORT/', 'http://localhost:PORT/', 'http://0:PORT'])(
    'to a place that is not public opens no connection: %s',
    async (location) => {
      const target = await startRawHttpServer()
      const server = await startRawHttpServer(redirectTo(location.replace('PORT', String(target.port))))
      const lookup = resolver({ 'shop.example': ['127.0.0.1'], 'loop.example': ['127.0.0.1'] })
      const { send } = openClient('shop.example', lookup)
      expect(await send({ url: `http://shop.example:${server.port}` })).toEqual({
        kind: 'failed',
        message: expect.stringMatching(/^The redirect is refused: The (address|host) is [\w ./()]+$/),
      })
      expect([server.connections, target.connections]).toEqual([1, 0])
    },
  )

  it('away from the origin that the operator chose is checked as that of a flow', async () => {
    const target = await startRawHttpServer()
    const server = await startRawHttpServer(redirectTo(target.url))
    const { send } = openClient()
    expect(await send({ url: server.url }, { isTrusted: true })).toMatchObject({ kind: 'failed' })
    expect(target.connections).toBe(0)
  })

  it('within the origin that the operator chose is followed', async () => {
    const answers = [httpAnswer(307, '', { location: '/v2' }), httpAnswer(200, 'moved')]
    const server = await startRawHttpServer((_request, index) => answers[index])
    const { send } = openClient()
    const outcome = await send({ url: server.url }, { isTrusted: true })
    expect(outcome).toEqual({ ...ok, text: 'moved' })
  })
})
