import { describe, expect, it } from 'vitest'
import { createCallNames } from '../../../src/conversations/effects/call-key.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { type Sending, type Sent, send } from './sending.ts'

const submittedAt = '2026-11-21T09:17:01.712Z'

/** The headers that name the first such call of the first turn of the session of the tests. */
function nameOf(line: string, port: number, body: string | undefined): string[] {
  const [method = '', path = ''] = line.split(' ')
  const url = `http://127.0.0.1:${port}${path}`
  const request = { method, url, headers: [], ...(body !== undefined && { body }), timeoutMs: 0 }
  return createCallNames({ sessionId: 'session-1' })(request).headers.map(
    ([name, value]) => `${name}: ${value}`,
  )
}

/** Every byte of a request: what the service always says, what the block adds, and the body. */
function bytesOf(line: string, { port }: Sent, headers: readonly string[], body?: string): string {
  const lines = [
    `${line} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'connection: keep-alive',
    'accept: */*',
    'user-agent: flow-runtime',
    'accept-encoding: gzip, deflate, br',
    ...headers,
    ...nameOf(line, port, body),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** The only request that a block sends. */
async function sentBy(sending: Sending) {
  const sent = await send(sending)
  expect(sent.requests).toHaveLength(1)
  const [request] = sent.requests
  if (!request) throw new Error('nothing was sent')
  return { sent, request, type: request.headers.get('content-type') }
}

const rows = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([key, value], index) => ({ id: `r${index}`, key, value }))

describe('the bytes of a request', () => {
  it('are those of a quote that is asked for', async () => {
    const { sent, request } = await sentBy({
      url: '/v1/quote',
      webhook: {
        method: 'POST',
        queryParams: rows([
          ['lang', 'fr'],
          ['ref', '{{Ref}}'],
        ]),
        headers: rows([['Authorization', 'Basic shop:s3:cret']]),
        body: '{"sku":"{{Sku}}","qty":{{Qty}}}',
      },
      options: { isCustomBody: true, timeout: 5 },
      variables: { Sku: 'K-9', Qty: '3' },
    })
    expect(request.text).toBe(
      bytesOf(
        'POST /v1/quote?lang=fr',
        sent,
        ['authorization: Basic c2hvcDpzMzpjcmV0', 'content-type: application/json'],
        '{"sku":"K-9","qty":3}',
      ),
    )
  })

  it('are everything that is known, unless the block says otherwise', async () => {
    const variables = { Name: 'Zoé', Tags: ['x', 'y z'], Gap: null }
    const { sent, request } = await sentBy({ variables })
    const body = `{"submittedAt":"${submittedAt}","Name":"Zoé","Tags":"x,y z"}`
    expect(request.text).toBe(bytesOf('POST /', sent, ['content-type: application/json'], body))
  })

  it.each(['Zapier', 'Make.com', 'Pabbly'])(
    'are the same of %s, which never waits for a client',
    async (type) => {
      const { sent, request } = await sentBy({ type, options: { isExecutedOnClient: true } })
      const body = `{"submittedAt":"${submittedAt}"}`
      expect(request.text).toBe(bytesOf('POST /', sent, ['content-type: application/json'], body))
    },
  )

  it.each(['GET', 'HEAD'])('hold no body for %s', async (method) => {
    const webhook = { method, body: '{"a":1}' }
    const { sent, request } = await sentBy({ webhook, options: { isCustomBody: true } })
    // What answers HEAD with a body would be taken for the next response, so its connection is not kept.
    const bytes =
      method === 'HEAD' ? request.text.replace('connection: close', 'connection: keep-alive') : request.text
    expect(bytes).toBe(bytesOf(`${method} /`, sent, []))
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('hold a body for %s', async (method) => {
    const { sent, request } = await sentBy({
      webhook: { method, body: '{"a":1}' },
      options: { isCustomBody: true },
    })
    expect(request.text).toBe(bytesOf(`${method} /`, sent, ['content-type: application/json'], '{"a":1}'))
  })

  it.each(['CONNECT', 'TRACE'])(
    'are none at all for %s, and the flow learns of a failure',
    async (method) => {
      const options = { responseVariableMapping: [{ id: 'm1', variableId: 'vCode', bodyPath: 'statusCode' }] }
      const sent = await send({ webhook: { method }, options, variables: { Code: null } })
      expect(sent.requests).toEqual([])
      expect(sent.variables).toEqual({ Code: '500' })
    },
  )
})

describe('the address of a request', () => {
  const variables = { Mix: 'a&b=c#d', Tags: ['x', 'y z'], Gap: null }

  it.each<[string, [string, string][], string]>([
    ['/h', [['a b', '{{Mix}}']], '/h?a%20b=a%26b%3Dc%23d'],
    ['/h', rowsOf('t', '1', '2'), '/h?t=1&t=2'],
    ['/h', [['e', '']], '/h'],
    ['/h', [['m', '{{Gap}}']], '/h'],
    ['/h', [['l', '{{Tags}}']], '/h?l=%5B%22x%22%2C%22y%20z%22%5D'],
    ['/h?z=1#f', [['t', '1']], '/h?z=1&t=1'],
    ['/h?z=1', [['t', '1']], '/h?z=1&t=1'],
    ['/{{Mix}}', [], '/a&b=c'],
    ['/h?t={{Tags}}', [], '/h?t=[%22x%22,%22y%20z%22]'],
    ['/ü b', [], '/%C3%BC%20b'],
  ])('joins %j and %j to %j', async (url, pairs, target) => {
    const { request } = await sentBy({ url, webhook: { method: 'GET', queryParams: rows(pairs) }, variables })
    expect(request.target).toBe(target)
  })
})

function rowsOf(key: string, ...values: string[]): [string, string][] {
  return values.map((value) => [key, value])
}

describe('the headers of a request', () => {
  const variables = { Login: 'u:p', Key: 'k-1', Gap: null, Evil: '{{Key}} {{=1+1=}}' }

  it.each<[string, [string, string][], string[]]>([
    ['encodes a password with colons', [['Authorization', 'Basic a:b:c']], ['authorization: Basic YTpiOmM=']],
    ['leaves alone what is encoded', [['Authorization', 'Basic dTpw']], ['authorization: Basic dTpw']],
    ['resolves placeholders first', [['authorization', 'basic {{Login}}']], ['authorization: Basic dTpw']],
    ['leaves other schemes alone', [['Authorization', 'Bearer {{Key}}']], ['authorization: Bearer k-1']],
    ['takes the last of a name', rowsOf('X-A', '1', '2'), ['x-a: 2']],
    [
      'joins names that differ in case',
      [
        ['X-A', '1'],
        ['x-a', '2'],
      ],
      ['x-a: 1, 2'],
    ],
    ['drops what is empty', [['X-A', '{{Gap}}']], []],
    [
      'drops those of the connection',
      [
        ['Host', 'x.example'],
        ['Content-Length', '99'],
        ['Transfer-Encoding', 'chunked'],
        ['Connection', 'close'],
        ['Proxy-Authorization', 'x'],
      ],
      [],
    ],
    ['never expands a value', [['X-A', '{{Evil}}']], ['x-a: {{Key}} {{=1+1=}}']],
  ])('%s', async (_what, pairs, lines) => {
    const { sent, request } = await sentBy({ webhook: { method: 'GET', headers: rows(pairs) }, variables })
    expect(request.text).toBe(bytesOf('GET /', sent, lines))
  })

  it.each([
    ['another agent', 'User-Agent', 'shop/1'],
    ['a type of its own', 'Accept', 'text/csv'],
  ])('may name %s', async (_what, name, value) => {
    const { request } = await sentBy({ webhook: { method: 'GET', headers: rows([[name, value]]) } })
    expect(request.headers.get(name.toLowerCase())).toBe(value)
  })
})

describe('the body of a request', () => {
  const variables: Record<string, Value> = {
    Name: 'Zoé "Z"\nL2',
    Tags: ['x', 'y z'],
    Age: '42',
    Gap: null,
    Blob: '{"k":[1,2]}',
    Zero: '0',
    Mix: 'a&b=c#d',
    Evil: '{{Age}} {{=1+1=}}',
    Long: '12345678901234567890',
  }
  const json = 'application/json'
  const text = 'text/plain;charset=UTF-8'
  const form = 'application/x-www-form-urlencoded'

  function bodyBy(body: string, headers: readonly (readonly [string, string])[] = []) {
    const webhook = { body, headers: rows(headers) }
    return sentBy({ webhook, options: { isCustomBody: true }, variables })
  }

  it.each<[string, string, string]>([
    ['{"n":"{{Name}}"}', '{"n":"Zoé \\"Z\\"\\nL2"}', json],
    ['{"n":{{Name}}}', '{"n":Zoé \\"Z\\"\\nL2}', text],
    ['{"t":{{Tags}}}', '{"t":["x","y z"]}', json],
    ['{"t":"{{Tags}}"}', '{"t":"["x","y z"]"}', text],
    ['{"a":{{Age}}}', '{"a":42}', json],
    ['{"a":{{Gap}}}', '{"a":}', text],
    ['{"a":"{{Gap}}","b":"{{Nope}}"}', '{"a":"","b":""}', json],
    ['{{Blob}}', '{"k":[1,2]}', json],
    ['{"x":{{Blob}}}', '{"x":{\\"k\\":[1,2]}}', text],
    ['{{Name}}', 'Zoé "Z"\nL2', text],
    ['{{Age}}{{Age}}', '4242', json],
    ['<a>{{Name}}</a>', '<a>Zoé \\"Z\\"\\nL2</a>', text],
    ['{"a":{{={{Age}}*2=}}}', '{"a":84}', json],
    ['{"b":"{{="q\\"z"=}}"}', '{"b":"q"z"}', text],
    ['{ "a" : 1.0, "a": 2.0 }', '{"a":2}', json],
    ['"12n"', '"12n"', json],
    ['{"id":12345678901234567890}', '{"id":12345678901234567890}', json],
    [
      '{ "id" : {{Long}}, "a b" : "12345678901234567890 \\" \\\\", "n" : [ 1.0,\n -98765432109876543210 ] }',
      '{"id":12345678901234567890,"a b":"12345678901234567890 \\" \\\\","n":[1.0,-98765432109876543210]}',
      json,
    ],
    ['{"e":"{{Evil}}"}', '{"e":"{{Age}} {{=1+1=}}"}', json],
    ['a={{Name}}&b={{Mix}}', 'a=Zoé \\"Z\\"\\nL2&b=a&b=c#d', text],
  ])('%j goes out as %j', async (body, sent, contentType) => {
    const { request, type } = await bodyBy(body)
    expect([request.body, type]).toEqual([sent, contentType])
  })

  it.each(['{{Zero}}', '0', 'null', 'false', '""', '{{Gap}}'])('is none for %j', async (body) => {
    const { request, type } = await bodyBy(body)
    expect([request.body, type]).toEqual(['', undefined])
  })

  it.each([
    [undefined, undefined],
    [false, '{"a":1}'],
    [true, ''],
    [true, '{{state}}'],
  ])('is everything when isCustomBody is %s and the body %j', async (isCustomBody, body) => {
    const options = isCustomBody === undefined ? {} : { isCustomBody }
    const { request } = await sentBy({ webhook: body === undefined ? {} : { body }, options })
    expect(request.body).toBe(`{"submittedAt":"${submittedAt}"}`)
  })

  it('holds what was answered, under the name of its variable, else under the title of its group', async () => {
    const replies = [
      { text: '12n', variableId: 'vAge' },
      { text: '{{Key}} {{=1+1=}}' },
      { text: 'C:\\data "x"' },
    ]
    const { request, type } = await sentBy({ replies, variables: { Key: 'secret', Age: null } })
    expect(type).toBe(json)
    expect(request.body).toBe(
      `{"submittedAt":"${submittedAt}","Age":"12n","Group 1 (1)":"{{Key}} {{=1+1=}}",` +
        `"Group 1 (2)":"C:\\\\data \\"x\\"","Key":"secret"}`,
    )
  })

  it('never expands what variables hold, in everything', async () => {
    const { request } = await sentBy({ variables: { Evil: '{{Key}} {{=1+1=}}', Key: 'secret', Big: '12n' } })
    expect(JSON.parse(request.body)).toEqual({
      submittedAt,
      Evil: '{{Key}} {{=1+1=}}',
      Key: 'secret',
      Big: '12n',
    })
  })

  it.each<[string, string, string]>([
    ['Content-Type', '{"a":"x y"}', 'a=x+y'],
    ['content-type', '{"a":"x y"}', 'a=x+y'],
    [
      'Content-Type',
      '{"l":[1,"2"],"o":{"k":1},"n":null,"b":true}',
      'l=1&l=2&o=%7B%22k%22%3A1%7D&n=null&b=true',
    ],
    ['Content-Type', '{"n":"{{Name}}"}', 'n=Zo%C3%A9+%22Z%22%0AL2'],
    ['Content-Type', 'a={{Name}}&b={{Mix}}', 'a=Zo%C3%A9+%22Z%22%0AL2&b=a%26b%3Dc%23d'],
    ['Content-Type', '[1,2]', '[1,2]'],
    ['Content-Type', '42', '42'],
    ['Content-Type', '"a=b"', 'a=b'],
  ])('becomes a form by %s: %j goes out as %j', async (name, body, sent) => {
    const { request, type } = await bodyBy(body, [[name, form]])
    expect([request.body, type]).toEqual([sent, form])
  })

  it('becomes a form by a type in capitals, with all digits of an integer', async () => {
    const type = 'Application/X-WWW-Form-Urlencoded'
    const sent = await bodyBy('{"id":12345678901234567890}', [['Content-Type', type]])
    expect([sent.request.body, sent.type]).toEqual(['id=12345678901234567890', type])
  })

  it('becomes a form of everything', async () => {
    const webhook = { headers: rows([['Content-Type', form]]) }
    const { request } = await sentBy({ webhook, variables: { Name: 'Zoé Z' } })
    expect(request.body).toBe('submittedAt=2026-11-21T09%3A17%3A01.712Z&Name=Zo%C3%A9+Z')
  })

  it.each([
    ['Content-Type', 'application/ld+json', '{"a":1}'],
    ['content-type', 'text/csv', 'a;b'],
    ['CONTENT-TYPE', 'multipart/form-data', '{"a":1}'],
  ])('keeps the type that %s names: %s', async (name, value, body) => {
    const { request, type } = await bodyBy(body, [[name, value]])
    expect([request.body, type]).toEqual([body, value])
  })

  it('keeps the type that is named for no body', async () => {
    const { request, type } = await bodyBy('null', [['Content-Type', 'text/csv']])
    expect([request.body, type]).toEqual(['', 'text/csv'])
  })
})
