import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllowList } from '../../src/adapters/http-client/egress/allow-list.ts'
import type { Lookup } from '../../src/adapters/http-client/egress/destination-policy.ts'
import { createHttpClient } from '../../src/adapters/http-client/http-client.ts'
import { resolver } from '../adapters/http-client/open-client.ts'
import { variable } from '../fixtures/short-flows.ts'
import { startLive } from '../fixtures/starting.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { httpAnswer, type RawAnswer, startRawHttpServer } from '../support/raw-http-server.ts'
import { sandbox } from '../support/sandbox.ts'
import { createTestChat } from '../support/start.ts'

/** A server that everything on this machine reaches, under each of its addresses. */
const startServer = (answer: () => RawAnswer = () => httpAnswer(200, '{}')) =>
  startRawHttpServer(answer, { host: '0.0.0.0' })

interface World {
  readonly allow?: string
  readonly lookup?: Lookup
}

/** Starts a flow of one block in a world of its own; what its variable `T` holds then, and its logs. */
async function play(block: Json, { allow = '', lookup = resolver({}) }: World = {}) {
  const http = createHttpClient({ allow: parseAllowList(allow), lookup })
  onTestFinished(() => http.close())
  const definition = wholeDefinition({ variables: [variable('T')], blocks: [block] })
  const world = createTestChat([definition], { http, sandbox })
  const response = await startLive(world)
  const result = await world.results.get('flow-1', 'result-1')
  const kept = result?.variables.find(({ name }) => name === 'T')?.value ?? null
  return { kept, stored: result?.logs ?? [], told: (response['logs'] ?? []) as Json[] }
}

const request = (url: string): Json => ({
  id: 'h',
  type: 'Webhook',
  options: {
    webhook: { url, method: 'POST' },
    responseVariableMapping: [{ id: 'm', variableId: 'vT', bodyPath: 'statusCode' }],
  },
})

/** Code that keeps how its request ended. */
const script = (url: string): Json => ({
  id: 'c',
  type: 'Code',
  options: {
    isExecutedOnClient: false,
    content: `
      let outcome = 'sent'
      try { await fetch(${JSON.stringify(url)}) } catch (error) { outcome = 'refused' }
      setVariable('T', outcome)`,
  },
})

const refused = {
  kept: '400',
  stored: [{ status: 'error', description: expect.stringMatching(/^Security validation failed: ./) }],
  told: [],
}

/** Names, and what a resolver of somebody else says about them; none is real. */
const named: Readonly<Record<string, readonly string[]>> = {
  'loop.example': ['127.0.0.1'],
  'loop6.example': ['::1'],
  'half.example': ['1.1.1.1', '127.0.0.1'],
  'ten.example': ['10.1.2.3'],
  'link.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'metadata.google.internal': ['1.1.1.1'],
}

/** The addresses of this machine that lie in private networks: a server here would really be reached there. */
const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(
    ({ family, address }) =>
      family === 'IPv4' && /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(address),
  )
  .map(({ address }) => address)

const classes: Readonly<Record<string, readonly string[]>> = {
  'this machine, by name': ['localhost', 'LocalHost', 'localhost.', 'shop.localhost'],
  'this machine': ['127.0.0.1', '127.8.9.10', '0.0.0.0', '0.1.2.3'],
  'this machine, spelled otherwise': [
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '１２７.0.0.1',
    '127。0。0。1',
  ],
  'this machine, with a user': ['user:password@127.0.0.1'],
  'link-local addresses': ['169.254.1.1', '169.254.169.254'],
  'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'IPv6 inside': [
    '[::1]',
    '[::]',
    '[fe80::1]',
    '[febf::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[ff02::1]',
  ],
  'IPv4 in IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a00:1]',
    '[2002:7f00:1::]',
  ],
  'addresses of nobody': [
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  'metadata, by name': ['metadata', 'metadata.goog', 'metadata.google.internal', 'Metadata.Google.Internal.'],
  'names that lead inside': Object.keys(named),
  'addresses of this machine in its networks': own,
}

describe.each(Object.entries(classes))('a flow that asks for %s', (_class, hosts) => {
  it.each(hosts)('reaches no server: %s', async (host) => {
    const server = await startServer()
    const url = `http://${host}:${server.port}/`
    expect(await play(request(url), { lookup: resolver(named) })).toMatchObject(refused)
    expect(await play(script(url), { lookup: resolver(named) })).toMatchObject({ kept: 'refused' })
    expect(server.connections).toBe(0)
  })
})

describe('a flow that asks for something else than a page', () => {
  it.each(['ftp://shop.example/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'data:text/plain,x'])(
    'reaches nobody: %s',
    async (url) => {
      expect(await play(request(url))).toMatchObject(refused)
    },
  )
})

describe('a name that is not known', () => {
  it('is no matter of security', async () => {
    const { kept, stored } = await play(request('http://shop.example/'))
    expect([kept, stored]).toMatchObject(['500', [{ description: 'Webhook returned an error.' }]])
  })
})

describe('a destination that the operator opens', () => {
  it.each<[allow: string, host: string]>([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.0/8', '127.8.9.10'],
    ['127.0.0.1', '2130706433'],
    ['127.0.0.1', 'loop.example'],
    ['loop.example', 'loop.example'],
    ...own.map((address): [string, string] => [address, address]),
  ])('is reached: %s opens %s', async (allow, host) => {
    const server = await startServer()
    const url = `http://${host}:${server.port}/`
    expect(await play(request(url), { allow, lookup: resolver(named) })).toMatchObject({ kept: '200' })
    expect(await play(script(url), { allow, lookup: resolver(named) })).toMatchObject({ kept: 'sent' })
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  it('is reached at its port alone, where one is named', async () => {
    const [open, closed] = [await startServer(), await startServer()]
    const allow = `127.0.0.1:${open.port}`
    expect(await play(request(`http://127.0.0.1:${open.port}`), { allow })).toMatchObject({ kept: '200' })
    expect(await play(request(`http://127.0.0.1:${closed.port}`), { allow })).toMatchObject(refused)
    expect(closed.connections).toBe(0)
  })

  it.each(['169.254.0.0/16', '0.0.0.0/0', 'link.example', '127.0.0.1'])(
    'is never metadata, unless its address is named: %s',
    async (allow) => {
      const world = { allow, lookup: resolver(named) }
      expect(await play(request('http://169.254.169.254:9/'), world)).toMatchObject(refused)
      expect(await play(request('http://link.example:9/'), world)).toMatchObject(refused)
    },
  )
})

describe('a redirect', () => {
  it.each(['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', 'loop.example', ...own])(
    'does not lead inside: %s',
    async (host) => {
      const inside = await startServer()
      const answer = httpAnswer(307, '', { location: `http://${host}:${inside.port}/` })
      const open = await startServer(() => answer)
      const world = { allow: `127.0.0.1:${open.port}`, lookup: resolver(named) }
      const url = `http://127.0.0.1:${open.port}/`
      const { kept, stored } = await play(request(url), world)
      expect([kept, stored]).toMatchObject(['500', [{ description: 'Webhook returned an error.' }]])
      expect(await play(script(url), world)).toMatchObject({ kept: 'refused' })
      expect(open.requests.length).toBeGreaterThanOrEqual(2)
      expect(inside.connections).toBe(0)
    },
  )
})

describe('a name that changes its address after it was checked', () => {
  it.each(['127.0.0.1', '0.0.0.0', '::ffff:127.0.0.1'])('reaches nobody: %s', async (inside) => {
    const server = await startServer()
    const asked: string[] = []
    const lookup: Lookup = async (host) => (asked.push(host) % 2 === 1 ? ['1.1.1.1'] : [inside])
    const { kept, stored } = await play(request(`http://shop.example:${server.port}/`), { lookup })
    expect([kept, stored]).toMatchObject(['500', [{ description: 'Webhook returned an error.' }]])
    expect(asked.length).toBe(2)
    expect(server.connections).toBe(0)
  })
})
