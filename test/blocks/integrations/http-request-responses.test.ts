import { describe, expect, it } from 'vitest'
import type { Value } from '../../../src/engine/values/value.ts'
import { bodyPaths, mappedData as data } from '../../fixtures/tables/body-paths.ts'
import { impatientLimits } from '../../support/limits.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { previewLogs, type Sending, send } from './sending.ts'

const get = { method: 'GET' }

/** Rows that read paths into variables of those names, which hold `before`. */
function mapping(paths: Readonly<Record<string, string>>) {
  const rows = Object.entries(paths).map(([name, bodyPath]) => {
    return { id: `m${name}`, variableId: `v${name}`, bodyPath }
  })
  const before = Object.fromEntries(Object.keys(paths).map((name) => [name, 'before']))
  return { options: { responseVariableMapping: rows }, variables: before }
}

/** What ends up in a variable that held `before`; null when it ends up empty. */
async function mapped(bodyPath: string, sending: Sending): Promise<Value> {
  const { options, variables } = mapping({ V: bodyPath })
  const sent = await send({
    webhook: get,
    ...sending,
    options: { ...options, ...sending.options },
    variables: { ...variables, ...sending.variables },
  })
  return sent.variables['V'] ?? null
}

describe('the response to a request', () => {
  it.each<[string, Value]>([
    ...bodyPaths,
    ['data.missing.x', 'before'],
    ['items[0].n', 'before'],
    ['$.total', 'before'],
    ['', 'before'],
    // What follows takes the sandbox.
    ['Object.keys(data)', ['items', 'total', 'odd key']],
    [
      'data.items.map(({ tags }) => tags).reduce((all, tags) => all.concat(tags), []).sort().reverse()',
      ['r', 'q', 'p'],
    ],
    ['data.items.findLast(item => item.n)["{{Key}}"].reverse()', ['q', 'p']],
    ['Object.entries(response).length', '2'],
    ['new Date(0)', '"1970-01-01T00:00:00.000Z"'],
    ['JSON.parse("{")', 'before'],
    ['data.items.toSorted(nothing)', 'before'],
    ['fetch("http://127.0.0.1/")', 'before'],
    ['data.items.constructor', 'before'],
  ])('is read by %j as %j', async (bodyPath, value) => {
    const answer = () => httpAnswer(200, JSON.stringify(data))
    expect(await mapped(bodyPath, { answer, variables: { Zero: '0', Key: 'tags' } })).toEqual(value)
  })

  it.each<[string, Value]>([
    ['data', 'plain text'],
    ['data.length', '10'],
    ['data.foo', null],
  ])('is text where it is no JSON: %j is %j', async (bodyPath, value) => {
    expect(await mapped(bodyPath, { answer: () => httpAnswer(200, 'plain text') })).toEqual(value)
  })

  it('is nothing where it has no content', async () => {
    expect(await mapped('data', { answer: () => 'HTTP/1.1 204 No\r\n\r\n' })).toBeNull()
    expect(await mapped('data', { webhook: { method: 'HEAD' } })).toBeNull()
  })

  it.each<[number, string, Record<string, Value>]>([
    [
      200,
      '{"unit":{"price":12.5},"stores":[{"city":"Nantes"},{"city":"Brest"}]}',
      { Price: '12.5', Shops: ['Nantes', 'Brest'], Code: '200' },
    ],
    [200, '{"unit":{"price":12.5},"stores":[]}', { Price: '12.5', Shops: [], Code: '200' }],
    [404, '{"error":"no such sku"}', { Price: 'before', Shops: 'before', Code: '404' }],
    [500, '<html>', { Price: 'before', Shops: 'before', Code: '500' }],
  ])('is mapped whatever its status: %i %s', async (status, body, variables) => {
    const rows = mapping({
      Price: 'data.unit.price',
      Shops: 'data.stores.flatMap(item => item.city)',
      Code: 'statusCode',
    })
    const sent = await send({ ...rows, answer: () => httpAnswer(status, body) })
    expect({ ...sent.variables, Shops: sent.variables['Shops'] ?? [] }).toEqual(variables)
  })

  it('keeps the digits of an integer that no number holds', async () => {
    const answer = () => httpAnswer(200, '{"id":12345678901234567890,"n":"12n"}')
    expect(await mapped('data.id', { answer })).toBe('12345678901234567890')
    expect(await mapped('data.n', { answer })).toBe('12n')
  })

  it('is text where it nests too deeply', async () => {
    const deep = '['.repeat(200) + ']'.repeat(200)
    expect(await mapped('data.length', { answer: () => httpAnswer(200, deep) })).toBe('400')
  })

  it('is text where it is longer than 2 Mi characters', async () => {
    const json = (length: number) => JSON.stringify(['x'.repeat(length - 4)])
    const answer = (length: number) => () => httpAnswer(200, json(length))
    expect(await mapped('data.length', { answer: answer(2 ** 21) })).toBe('1')
    expect(await mapped('data.length', { answer: answer(2 ** 21 + 1) })).toBe(String(2 ** 21 + 1))
  })

  it('is text where it has more keys than are read', async () => {
    const json = (keys: number) =>
      `{"rows":{${Array.from({ length: keys }, (_, nth) => `"id-${nth.toString(36)}" :1`)}},"n":"7"}`
    const answer = (text: string) => () => httpAnswer(200, text)
    expect(await mapped('data.n', { answer: answer(json(35_000)) })).toBe('7')
    const tooMany = json(50_000)
    expect(await mapped('data.length', { answer: answer(tooMany) })).toBe(String(tooMany.length))
  })

  it.each([
    [
      'has more keys',
      `{${Array.from({ length: 50_000 }, (_, nth) => `"k${nth}":""`)}}`,
      'holds more than 40000 different keys',
    ],
    [
      'has more objects and lists',
      `[${'[],{},'.repeat(33_000)}0]`,
      'holds more than 40000 objects and lists',
    ],
    [
      'has more orders of keys',
      `[${Array.from({ length: 12_000 }, (_, nth) => `{"k${nth}":0}`)}]`,
      'holds more than 2500 different orders of keys',
    ],
    ['is longer', `["${'x'.repeat(2 ** 21)}"]`, 'is longer than 2097152 characters'],
  ])('says that it is read as text where it %s than is read as JSON', async (_, text, excess) => {
    const { options, variables } = mapping({ A: 'data.a' })
    const { storedLogs } = await send({
      webhook: get,
      options,
      variables,
      answer: () => httpAnswer(200, text),
    })
    expect(storedLogs).toMatchObject([
      { status: 'success' },
      {
        status: 'error',
        description: `The response ${excess}: it is read as text, and not as JSON`,
        details: expect.any(String),
      },
    ])
  })

  it('says nothing of a long text that is none', async () => {
    const { options, variables } = mapping({ A: 'data.a' })
    const answer = () => httpAnswer(200, 'x'.repeat(3_000_000))
    const { storedLogs } = await send({ webhook: get, options, variables, answer })
    expect(storedLogs.map(({ status }) => status)).toEqual(['success'])
  })

  it('is asked for once, however much code its paths hold', async () => {
    const { options, variables } = mapping({
      A: 'data.items[{{= new Date(0).getTime() =}}].n',
      B: 'data.items[{{= new Date(1).getTime() =}}].n',
      C: 'Object.keys(data.items[{{= new Date(2).getTime() =}}])[0]',
    })
    const answer = () => httpAnswer(200, JSON.stringify(data))
    const sent = await send({ webhook: get, options, variables, answer })
    expect(sent.variables).toMatchObject({ A: 'a', C: 'tags' })
    expect(sent.requests).toHaveLength(1)
  })

  it('never has a value of the flow run as code', async () => {
    const variables = { Evil: '0].n + (() => { throw 1 })() //', Zero: '0' }
    const answer = () => httpAnswer(200, JSON.stringify(data))
    expect(await mapped('data.items[{{Evil}}]', { answer, variables })).toBeNull()
    expect(await mapped('Object.keys(data).concat("{{Evil}}")[3]', { answer, variables })).toBe(
      variables.Evil,
    )
  })

  it('leaves a variable alone whose row never ends, and reports why', async () => {
    const { options, variables } = mapping({ V: '(() => { for (;;); })()', Code: 'statusCode' })
    const sent = await send({ webhook: get, options, variables, limits: impatientLimits })
    expect(sent.variables).toEqual({ V: 'before', Code: '200' })
    expect(sent.toldLogs).toEqual([
      {
        status: 'error',
        context: 'Response mapping',
        description: expect.stringMatching(/^Row 1 was not read: ./),
        details: '(() => { for (;;); })()',
      },
    ])
  })
})

describe('a request that gets no response', () => {
  const read = mapping({ Code: 'statusCode', Data: 'JSON.stringify(data)' })
  const failure = (description: string) =>
    JSON.stringify({ context: 'Unknown error while executing HTTP request', description })

  it.each<[string, Sending, Record<string, string>]>([
    [
      'in time',
      { answer: () => undefined, options: { timeout: 1 } },
      { Code: '408', Data: '{"message":"Request timed out. (1s)"}' },
    ],
    [
      'in time, all of it',
      {
        answer: () => (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
        options: { timeout: 1 },
      },
      { Code: '408', Data: '{"message":"Request timed out. (1s)"}' },
    ],
    [
      'as its address is not for flows',
      { url: 'http://10.0.0.1/' },
      { Code: '400', Data: expect.stringMatching(/^\{"message":"Security validation failed: .+"\}$/) },
    ],
    [
      'as its address is none',
      { url: 'shop.example/x' },
      { Code: '400', Data: '{"message":"Security validation failed: The address is not valid"}' },
    ],
    [
      'as its address holds nothing',
      { url: '', webhook: { url: '{{Gap}}' } },
      { Code: '400', Data: '{"message":"Security validation failed: There is no address"}' },
    ],
    [
      'as the connection is cut',
      { answer: () => (socket) => void socket.destroy() },
      { Code: '500', Data: expect.stringContaining('"[') },
    ],
    [
      'as a redirect leads where flows may not go',
      { answer: () => httpAnswer(302, '', { location: 'http://10.0.0.1/' }) },
      { Code: '500', Data: expect.stringContaining('The redirect is refused') },
    ],
    [
      'as a header cannot be sent',
      { webhook: { headers: [{ id: 'h1', key: 'X-Key', value: 'geheim→' }] } },
      { Code: '500', Data: failure('The value of the header "x-key" cannot be sent') },
    ],
    [
      'as its address names a user',
      { url: 'http://user:geheim@127.0.0.1/' },
      { Code: '500', Data: failure('The address holds a user name or a password') },
    ],
  ])('%s has one that says so', async (_why, sending, variables) => {
    const options = { ...read.options, ...sending.options }
    const sent = await send({ ...sending, options, variables: { ...read.variables, Gap: null } })
    expect(sent.variables).toEqual(variables)
    expect(sent.toldLogs).toEqual([])
    expect(JSON.stringify(sent.storedLogs)).not.toContain('geheim')
  })

  it('as its address is on this machine sends nothing at all', async () => {
    const addresses = ['127.0.0.1', 'localhost', '[::1]', '0x7f000001', '169.254.169.254', 'metadata.goog']
    for (const address of addresses) {
      const sent = await send({ ...read, url: `http://${address}/`, allowed: 'shop.example' })
      expect(sent.variables['Code']).toBe('400')
      expect(sent.requests).toEqual([])
    }
  })
})

describe('a redirect', () => {
  it('to another origin takes no keys along', async () => {
    const other = await startRawHttpServer()
    const headers = [
      { id: 'h1', key: 'Authorization', value: 'Bearer geheim' },
      { id: 'h2', key: 'X-Api-Key', value: 'geheim' },
      { id: 'h3', key: 'Accept-Language', value: 'fr' },
    ]
    await send({
      webhook: { method: 'GET', headers },
      answer: () => httpAnswer(307, '', { location: `${other.url}/next` }),
    })
    expect(other.requests.map(({ target }) => target)).toEqual(['/next'])
    expect(other.requests[0]?.text).not.toContain('geheim')
    expect(other.requests[0]?.headers.get('accept-language')).toBe('fr')
  })
})

describe('the log of a request for its author', () => {
  const headers = [{ id: 'h1', key: 'X-Key', value: 'geheim' }]
  const queryParams = [
    { id: 'q1', key: 'lang', value: 'fr' },
    { id: 'q2', key: 'api_key', value: 'geheim' },
  ]
  const webhook = { queryParams, headers, body: '{"sku":"K-9"}' }
  const options = { isCustomBody: true, timeout: 5 }
  const details = (log: { details?: string } | undefined) => JSON.parse(log?.details ?? 'null')
  const request = {
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\?lang=fr&api_key=\*\*\*$/),
    method: 'POST',
    timeout: 5000,
    json: { sku: 'K-9' },
  }

  it.each<[string, Sending, object, object]>([
    [
      'that succeeded',
      { answer: () => httpAnswer(201, '{"id":1}') },
      { status: 'success', description: 'Webhook successfuly executed.' },
      { statusCode: 201, response: '{"id":1}', request },
    ],
    [
      'that was answered with an error',
      { answer: () => httpAnswer(422, '{"errors":[{"m":"unknown sku"}]}') },
      { status: 'error', description: 'Webhook returned an error.' },
      { statusCode: 422, request, response: { statusCode: 422, data: { errors: [{ m: 'unknown sku' }] } } },
    ],
    [
      'that was not answered in time',
      { answer: () => undefined, options: { ...options, timeout: 1 } },
      { status: 'error', description: 'Webhook returned an error.' },
      {
        response: { statusCode: 408, data: { message: 'Request timed out. (1s)' } },
        request: { ...request, timeout: 1000 },
      },
    ],
    [
      'that failed',
      { answer: () => (socket) => void socket.destroy() },
      { status: 'error', description: 'Webhook returned an error.' },
      { response: { statusCode: 500, data: expect.anything() }, request },
    ],
  ])('%s', async (_what, sending, log, told) => {
    const logs = await previewLogs({ url: '/v1', webhook, options, ...sending })
    expect(logs).toEqual([{ ...log, details: expect.any(String) }])
    expect(details(logs[0])).toEqual(told)
    expect(logs[0]?.details).not.toContain('geheim')
  })

  it('that was refused', async () => {
    expect(await previewLogs({ url: 'ftp://shop.example/' })).toEqual([
      {
        status: 'error',
        description: expect.stringMatching(/^Security validation failed: ./),
      },
    ])
  })

  it('whose body is text, or a form', async () => {
    const text = { ...webhook, queryParams: [], body: 'a;b' }
    const [log] = await previewLogs({ webhook: text, options })
    expect(details(log).request).toMatchObject({ body: 'a;b' })
    const type = { id: 'h2', key: 'Content-Type', value: 'application/x-www-form-urlencoded' }
    const [formLog] = await previewLogs({ webhook: { ...webhook, headers: [type] }, options })
    expect(details(formLog).request).toMatchObject({ body: 'sku=K-9' })
  })

  it('is cut where it is long', async () => {
    const long = 'x'.repeat(20_000)
    const body = JSON.stringify({ long })
    for (const status of [200, 500]) {
      const sending = { webhook: { body }, options, answer: () => httpAnswer(status, JSON.stringify(long)) }
      const [log] = await previewLogs(sending)
      expect(log?.details?.length).toBeLessThan(25_000)
      expect(details(log).request.body).toBe(`${body.slice(0, 10_000)}...`)
    }
  })

  it('is kept from visitors, and stored', async () => {
    const sent = await send({ url: '/v1', webhook, options, answer: () => httpAnswer(500, 'no') })
    expect(sent.toldLogs).toEqual([])
    expect(sent.storedLogs).toMatchObject([{ status: 'error', description: 'Webhook returned an error.' }])
    expect(JSON.stringify(sent.storedLogs)).not.toContain('geheim')
  })

  it('is that nothing is sent from a preview of a stranger', async () => {
    const { options, variables } = mapping({ Code: 'statusCode' })
    expect(await previewLogs({ options, variables }, 'auto')).toEqual([
      { status: 'info', description: 'Requests are not sent from this preview' },
    ])
  })
})

describe('how long a request may take', () => {
  it.each([
    ['Webhook', undefined, 10_000],
    ['Webhook', 5, 5000],
    ['Webhook', 120, 120_000],
    ['Zapier', undefined, 120_000],
    ['Make.com', 10, 120_000],
    ['Pabbly', 30, 30_000],
  ])('%s with %s: %i ms', async (type, timeout, timeoutMs) => {
    const [log] = await previewLogs({ type, options: timeout === undefined ? {} : { timeout } })
    expect(JSON.parse(log?.details ?? 'null').request.timeout).toBe(timeoutMs)
  })
})
