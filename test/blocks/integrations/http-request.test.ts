import { describe, expect, it } from 'vitest'
import type { HttpRequestBlock } from '../../../schemas/blocks/integrations.ts'
import { httpRequest } from '../../../src/blocks/integrations/http-request.ts'
import type { RequestOutcome } from '../../../src/engine/model/effect-payloads.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { prepareBlock, runBlock, type Surroundings } from '../../support/run-block.ts'

type Options = NonNullable<HttpRequestBlock['options']>
type Webhook = NonNullable<Options['webhook']>

const now = Date.UTC(2026, 10, 21, 9, 17, 1, 712)
const submittedAt = '2026-11-21T09:17:01.712Z'

function block(webhook?: Webhook, options: Options = {}): HttpRequestBlock {
  return {
    id: 'b1',
    type: 'Webhook',
    options: { isExecutedOnClient: true, ...options, ...(webhook && { webhook }) },
  }
}

/** The request that the client is told to send. */
function requestOf(webhook: Webhook, given: Surroundings & { options?: Options } = {}) {
  const { options, ...surroundings } = given
  const whole = block({ url: 'https://a.example/h', ...webhook }, options)
  const step = runBlock(httpRequest, whole, { effects: { now }, ...surroundings })
  const [action] = step.actions ?? []
  return action?.type === 'httpRequestToExecute' ? action.httpRequestToExecute : step
}

const rows = (pairs: [string, string][]) =>
  pairs.map(([key, value], index) => ({ id: `r${index}`, key, value }))

describe('HTTP request on the client', () => {
  it('composes everything and waits for the reply', () => {
    const options = { isCustomBody: true, timeout: 5 }
    const webhook: Webhook = {
      method: 'POST',
      url: 'https://stock.example/v1/quote',
      queryParams: rows([
        ['lang', 'fr'],
        ['ref', '{{Ref}}'],
      ]),
      headers: rows([['Authorization', 'Basic shop:s3:cret']]),
      body: '{"sku":"{{Sku}}","qty":{{Qty}}}',
    }
    expect(runBlock(httpRequest, block(webhook, options), { variables: { Sku: 'K-9', Qty: '3' } })).toEqual({
      actions: [
        {
          type: 'httpRequestToExecute',
          httpRequestToExecute: {
            url: 'https://stock.example/v1/quote?lang=fr',
            method: 'POST',
            headers: { Authorization: 'Basic c2hvcDpzMzpjcmV0' },
            body: { sku: 'K-9', qty: 3 },
          },
          expectsDedicatedReply: true,
        },
      ],
      next: { to: 'wait' },
    })
  })

  it('posts by default, and leaves out headers when there are none', () => {
    expect(requestOf({})).toEqual({ url: 'https://a.example/h', method: 'POST', body: { submittedAt } })
  })

  it.each(['GET', 'HEAD', 'CONNECT', 'TRACE'] as const)('never gives %s a body', (method) => {
    expect(requestOf({ method, body: '{"a":1}' }, { options: { isCustomBody: true } })).toEqual({
      url: 'https://a.example/h',
      method,
    })
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('gives %s a body', (method) => {
    expect(requestOf({ method })).toEqual({ url: 'https://a.example/h', method, body: { submittedAt } })
  })
})

describe('Address of an HTTP request', () => {
  const variables = { Mix: 'a&b=c#d', Tags: ['x', 'y z'], Gap: null, Broken: '\ud800' }

  it.each([
    ['https://a.example/{{Mix}}', [], 'https://a.example/a&b=c#d'],
    ['https://a.example/?t={{Tags}}', [], 'https://a.example/?t=["x","y z"]'],
    ['https://a.example/h', [['a b', '{{Mix}}']], 'https://a.example/h?a%20b=a%26b%3Dc%23d'],
    [
      'https://a.example/h',
      [
        ['t', '1'],
        ['t', '2'],
      ],
      'https://a.example/h?t=1&t=2',
    ],
    [
      'https://a.example/h',
      [
        ['t', '1'],
        ['u', '3'],
        ['t', '2'],
      ],
      'https://a.example/h?t=1&t=2&u=3',
    ],
    ['https://a.example/h', [['e', '']], 'https://a.example/h'],
    ['https://a.example/h', [['', 'e']], 'https://a.example/h'],
    ['https://a.example/h', [['m', '{{Gap}}']], 'https://a.example/h'],
    ['https://a.example/h', [['l', '{{Tags}}']], 'https://a.example/h?l=%5B%22x%22%2C%22y%20z%22%5D'],
    ['https://a.example/h', [["(a!*')", '~-_.']], 'https://a.example/h?%28a%21%2A%27%29=~-_.'],
    ['https://a.example/h', [['b', '{{Broken}}']], 'https://a.example/h?b=%EF%BF%BD'],
    ['https://a.example/h', [['__proto__', 'p']], 'https://a.example/h?__proto__=p'],
    ['https://a.example/h?z=1', [['t', '1']], 'https://a.example/h?z=1&t=1'],
    ['https://a.example/h?z=1#f', [['t', '1']], 'https://a.example/h?z=1&t=1#f'],
    ['https://a.example/h#f?g', [['t', '1']], 'https://a.example/h?t=1#f?g'],
    ['https://a.example/h?', [['t', '1']], 'https://a.example/h?t=1'],
    ['https://a.example/h?z=1&', [['t', '1']], 'https://a.example/h?z=1&t=1'],
  ] as [string, [string, string][], string][])('joins %j and %j to %j', (url, queryParams, sent) => {
    const request = requestOf({ method: 'GET', url, queryParams: rows(queryParams) }, { variables })
    expect(request).toEqual({ url: sent, method: 'GET' })
  })

  it('passes over rows without a key or a value', () => {
    const queryParams = [{ id: 'q1' }, { id: 'q2', key: 'a' }, { id: 'q3', value: 'b' }]
    expect(requestOf({ method: 'GET', queryParams })).toEqual({ url: 'https://a.example/h', method: 'GET' })
  })
})

describe('Headers of an HTTP request', () => {
  const variables = { Login: 'u:p', Gap: null }

  it.each([
    [[['X-A', '1']], { 'X-A': '1' }],
    [
      [
        ['X-A', '1'],
        ['X-A', '2'],
      ],
      { 'X-A': '2' },
    ],
    [
      [
        ['X-A', '1'],
        ['x-a', '2'],
      ],
      { 'X-A': '1', 'x-a': '2' },
    ],
    [[['X-A', '{{Gap}}']], undefined],
    [[['Authorization', 'Bearer a:b']], { Authorization: 'Bearer a:b' }],
    [[['Authorization', 'Basic a:b:c']], { Authorization: 'Basic YTpiOmM=' }],
    [[['authorization', 'basic   {{Login}}']], { authorization: 'Basic dTpw' }],
    [[['AUTHORIZATION', 'Basic é:p']], { AUTHORIZATION: 'Basic w6k6cA==' }],
    [[['Authorization', 'Basic dTpw']], { Authorization: 'Basic dTpw' }],
    [[['Authorization', 'basica:b']], { Authorization: 'basica:b' }],
    [[['X-Authorization', 'Basic a:b']], { 'X-Authorization': 'Basic a:b' }],
    [
      [
        ['Host', 'x'],
        ['content-length', '9'],
        ['Transfer-Encoding', 'chunked'],
        ['Connection', 'close'],
        ['Upgrade', 'x'],
        ['Expect', 'x'],
        ['TE', 'x'],
        ['Trailer', 'x'],
        ['Keep-Alive', 'x'],
        ['Proxy-Authorization', 'x'],
        ['X-Host', 'kept'],
      ],
      { 'X-Host': 'kept' },
    ],
  ] as [[string, string][], Record<string, string> | undefined][])('makes of %j: %j', (headers, sent) => {
    const request = requestOf({ method: 'GET', headers: rows(headers) }, { variables })
    expect(request).toEqual({ url: 'https://a.example/h', method: 'GET', ...(sent && { headers: sent }) })
  })

  it('keeps a header of any name', () => {
    const request = requestOf({ method: 'GET', headers: rows([['__proto__', 'p']]) })
    expect(JSON.stringify(request)).toContain('"headers":{"__proto__":"p"}')
  })
})

describe('Body of an HTTP request', () => {
  const variables: Record<string, Value> = {
    Name: 'Zoé "Z"\nL2',
    Tags: ['x', 'y z'],
    Age: '42',
    Gap: null,
    Blob: '{"k":[1,2]}',
    Zero: '0',
    Mix: 'a&b=c#d',
  }

  it.each([
    ['{"n":"{{Name}}"}', { n: 'Zoé "Z"\nL2' }],
    ['{"n":{{Name}}}', '{"n":Zoé \\"Z\\"\\nL2}'],
    ['{"t":{{Tags}}}', { t: ['x', 'y z'] }],
    ['{"t":"{{Tags}}"}', '{"t":"["x","y z"]"}'],
    ['{"a":{{Age}}}', { a: 42 }],
    ['{"a":{{Gap}}}', '{"a":}'],
    ['{"a":"{{Gap}}","b":"{{Nope}}"}', { a: '', b: '' }],
    ['{{Blob}}', { k: [1, 2] }],
    ['{"x":{{Blob}}}', '{"x":{\\"k\\":[1,2]}}'],
    ['{{Name}}', 'Zoé "Z"\nL2'],
    ['{{Age}}{{Age}}', 4242],
    ['{{Age}}\n{{Name}}', '42\nZoé \\"Z\\"\\nL2'],
    ['<a>{{Name}}</a>', '<a>Zoé \\"Z\\"\\nL2</a>'],
    ['{"a":{{={{Age}}*2=}}}', { a: 84 }],
    ['{"b":"{{="q\\"z"=}}"}', '{"b":"q"z"}'],
    ['{ "a" : 1.0, "a": 2.0 }', { a: 2 }],
    ['[1]', [1]],
    ['{"n":18446744073709551616}', { n: 2 ** 64 }],
    ['"12n"', '12n'],
    ['a={{Name}}&b={{Mix}}', 'a=Zoé \\"Z\\"\\nL2&b=a&b=c#d'],
  ])('reads %j as %j', (body, sent) => {
    expect(requestOf({ body }, { variables, options: { isCustomBody: true } })).toMatchObject({ body: sent })
  })

  it.each(['{{Zero}}', '0', 'null', 'false', '""', '{{Gap}}'])('sends no body for %j', (body) => {
    expect(requestOf({ body }, { variables, options: { isCustomBody: true } })).not.toHaveProperty('body')
  })

  it.each([
    ['Content-Type', 'a={{Name}}&b={{Mix}}', 'a=Zo%C3%A9+%22Z%22%0AL2&b=a%26b%3Dc%23d'],
    ['content-type', 'l={{Tags}}', 'l=%5B%22x%22%2C%22y+z%22%5D'],
    ['Content-Type', 'c={{={{Age}}*2=}}&n={{Gap}}', 'c=84&n='],
    ['Content-Type', '{{Mix}}', 'a&b=c#d'],
    ['Content-Type', '{"m":"{{Mix}}"}', { m: 'a&b=c#d' }],
  ])('encodes values for a form announced by %s in %j', (name, body, sent) => {
    const headers = rows([[name, 'application/x-www-form-urlencoded; charset=utf-8']])
    const request = requestOf({ body, headers }, { variables, options: { isCustomBody: true } })
    expect(request).toMatchObject({ body: sent })
  })

  it('keeps the text of JSON that nests too deeply to be written again', () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000)
    const request = requestOf(
      { body: '{{Deep}}' },
      { variables: { Deep: deep }, options: { isCustomBody: true } },
    )
    expect(request).toMatchObject({ body: deep })
  })

  it('counts every value against the budget of the turn', () => {
    const long = 'x'.repeat(1000)
    const prepared = prepareBlock(
      httpRequest,
      block({ url: 'https://a.example', body: '"{{L}}{{L}}{{L}}"' }, { isCustomBody: true }),
      { variables: { L: long } },
    )
    prepared.run()
    expect(prepared.spent()).toBeGreaterThan(3 * long.length)
  })
})

describe('Automatic body of an HTTP request', () => {
  const answers = [
    ['Name', 'Ada'],
    ['Group 1', 'https://f.example/1\n\nSee there'],
    ['Evil', '{{Name}} {{=1+1=}}'],
  ] as const
  const variables = { Name: 'Ada Lovelace', Tags: ['x', null, 'y z'], None: [], Gap: null }
  const whole = {
    submittedAt,
    Name: 'Ada Lovelace',
    'Group 1': 'https://f.example/1\n\nSee there',
    Evil: '{{Name}} {{=1+1=}}',
    Tags: 'x,,y z',
    None: '',
  }

  it.each([
    [undefined, undefined],
    [false, '{"a":1}'],
    [true, undefined],
    [true, ''],
    [true, '{{state}}'],
  ])('is sent when isCustomBody is %s and the body %j', (isCustomBody, body) => {
    const options = isCustomBody === undefined ? {} : { isCustomBody }
    expect(requestOf(body === undefined ? {} : { body }, { answers, variables, options })).toEqual({
      url: 'https://a.example/h',
      method: 'POST',
      body: whole,
    })
  })

  it('puts a variable in the place of the answer of the same name', () => {
    const request = requestOf({}, { answers, variables })
    expect('body' in request && Object.keys(request.body as object).slice(0, 2)).toEqual([
      'submittedAt',
      'Name',
    ])
  })

  it('takes the first namesake that has a value, and what linked flows left behind', () => {
    const prepared = prepareBlock(httpRequest, block({ url: 'https://a.example' }), {
      variables: { Kept: 'declared' },
      effects: { now },
    })
    prepared.variables.inherited.set('Kept', 'left behind')
    prepared.variables.inherited.set('Order', 'K-9')
    expect(prepared.run().actions).toMatchObject([
      { httpRequestToExecute: { body: { submittedAt, Kept: 'declared', Order: 'K-9' } } },
    ])
  })
})

describe('HTTP request that is not sent', () => {
  const error = (description: string) => ({ logs: [{ status: 'error', description }] })
  const unparsable = error("Couldn't parse webhook attributes")

  it.each([
    { id: 'b1', type: 'Webhook' },
    { id: 'b1', type: 'Webhook', options: { isExecutedOnClient: true } },
    { id: 'b1', type: 'Webhook', webhookId: 'stored-1' },
  ])('does nothing when it is not set up: %j', (given) => {
    expect(runBlock(httpRequest, given)).toEqual({})
  })

  it.each([{}, { url: '' }])('tells that there is no address in %j', (webhook) => {
    expect(runBlock(httpRequest, block(webhook))).toEqual(unparsable)
    expect(runBlock(httpRequest, block(webhook, { isExecutedOnClient: false }))).toEqual(unparsable)
  })

  it('reports that an address holds nothing before a client is asked', () => {
    const variables = { Gap: null }
    expect(runBlock(httpRequest, block({ url: '{{Gap}}' }), { variables })).toEqual(unparsable)
  })

  it.each(['Zapier', 'Make.com', 'Pabbly'] as const)('keeps %s away from the client', (type) => {
    const relay: HttpRequestBlock = { ...block({ url: 'https://a.example' }), type }
    const request = { kind: 'off', reason: 'Nothing is sent here' } as const
    expect(runBlock(httpRequest, relay, { effects: { now, request } })).toEqual({
      logs: [{ status: 'info', description: 'Nothing is sent here' }],
    })
    expect(httpRequest.isPassThrough?.(relay)).toBe(true)
  })

  it('is not sent past a proxy that it asks for', () => {
    const proxied = block({ url: 'https://a.example' }, { proxyCredentialsId: 'p1' })
    expect(runBlock(httpRequest, proxied)).toEqual(
      error('Requests through a proxy are not available on this server'),
    )
  })

  it('passes on the server only', () => {
    expect(httpRequest.isPassThrough?.(block())).toBe(false)
    expect(httpRequest.isPassThrough?.(block(undefined, { isExecutedOnClient: false }))).toBe(true)
  })
})

describe('Reply to an HTTP request on the client', () => {
  const responseVariableMapping = [
    { id: 'm1', variableId: 'vPrice', bodyPath: 'data.unit.price' },
    { id: 'm2', variableId: 'vCode', bodyPath: 'statusCode' },
  ]
  const prepared = (options: Options = {}) =>
    prepareBlock(httpRequest, block({ url: 'https://a.example' }, { responseVariableMapping, ...options }), {
      variables: { Price: 'before', Code: null },
    })

  it('reads the parts of a response', () => {
    const given = prepared()
    const text = '{"statusCode":200,"data":{"unit":{"price":12.5}}}'
    expect(given.receive(text)).toEqual({
      assignments: [
        { variableId: 'vPrice', value: 12.5 },
        { variableId: 'vCode', value: 200 },
      ],
      logs: [],
    })
    expect(given.spent()).toBeGreaterThanOrEqual(text.length)
  })

  it('leaves alone what a failed request does not have', () => {
    expect(prepared().receive('{"statusCode":500,"data":"Failed to fetch"}')).toEqual({
      assignments: [{ variableId: 'vCode', value: 500 }],
      logs: [],
    })
  })

  it.each(['[{"statusCode":200}]', '5', '"x"', 'null', 'false'])('reads nothing of %s', (text) => {
    expect(prepared().receive(text)).toEqual({})
  })

  it.each(['', 'paid', '{"data":', `${'['.repeat(200)}${']'.repeat(200)}`])('refuses %j', (text) => {
    expect(prepared().receive(text)).toEqual({ malformed: 'Provided response is not valid JSON' })
  })

  it('reads nothing when it is not set up', () => {
    expect(prepareBlock(httpRequest, block()).receive('{"data":1}')).toEqual({})
  })

  it.each([true, false])('reports its mapping (isExecutedOnClient %s)', (isExecutedOnClient) => {
    const broken = { responseVariableMapping: [{ id: 'm1', variableId: 'vCode', bodyPath: 'data.' }] }
    expect(prepared({ ...broken, isExecutedOnClient }).findings).toMatchObject([{ code: 'invalid-code' }])
  })
})

describe('HTTP request on the server', () => {
  const webhook: Webhook = { method: 'GET', url: 'https://a.example' }
  const responseVariableMapping = [
    { id: 'm1', variableId: 'vA', bodyPath: 'data.a' },
    { id: 'm2', variableId: 'vB', bodyPath: 'statusCode' },
  ]

  function answered(request: RequestOutcome, options: Options = {}) {
    const whole = block(webhook, { isExecutedOnClient: false, responseVariableMapping, ...options })
    return runBlock(httpRequest, whole, { variables: { A: 'before', B: null }, effects: { request } })
  }

  it('goes on with the parts of the response, and its own logs come first', () => {
    const evaluate = { ok: false, message: 'too slow', reason: 'limit' } as const
    const rows = [...responseVariableMapping, { id: 'm3', variableId: 'vC', bodyPath: 'Object.keys(data)' }]
    const whole = block(webhook, { isExecutedOnClient: false, responseVariableMapping: rows })
    const request = { kind: 'response', status: 200, text: '{"a":1}' } as const
    const step = runBlock(httpRequest, whole, {
      variables: { A: null, B: null, C: null },
      effects: { request, evaluate },
    })
    expect(step).toMatchObject({
      assignments: [
        { variableId: 'vA', value: 1 },
        { variableId: 'vB', value: 200 },
      ],
      logs: [{ status: 'success' }, { status: 'error', description: 'Row 3 was not read: too slow' }],
    })
    expect(step.next).toBeUndefined()
  })

  it('reports the cause of a failure in front of it', () => {
    const { logs, assignments } = answered({ kind: 'failed', message: 'it broke', cause: 'EPIPE' })
    expect(assignments).toEqual([
      { variableId: 'vA', value: undefined },
      { variableId: 'vB', value: 500 },
    ])
    const { response } = JSON.parse(logs?.[0]?.details ?? 'null')
    expect(response.data.description).toBe('[EPIPE] it broke')
  })

  it('maps nothing when nothing is sent', () => {
    expect(answered({ kind: 'off', reason: 'Enough was sent' })).toEqual({
      logs: [{ status: 'info', description: 'Enough was sent' }],
    })
  })

  it('counts a response against the budget of the turn, far less than what is written', () => {
    const request = { kind: 'response', status: 200, text: 'x'.repeat(160_000) } as const
    const whole = block(webhook, { isExecutedOnClient: false })
    const prepared = prepareBlock(httpRequest, whole, { effects: { request, yield: true } })
    prepared.run()
    expect(prepared.spent()).toBeGreaterThanOrEqual(10_000)
    expect(prepared.spent()).toBeLessThan(20_000)
  })
})
