import { describe, expect, it } from 'vitest'
import type { ResultBody } from '../../schemas/result.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import type { Rights } from '../../src/ports/caller.ts'
import type { Results } from '../../src/results/results-service.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { shareTestApp } from '../support/build-test-app.ts'

const url = '/v1/flows/welcome/results'
const authorization = 'Bearer t0ken'

const shown: ResultBody = {
  id: 'r1',
  flowId: 'flow-1',
  conversation: 'i6ykSVn53bcla4VTYSGxh5',
  createdAt: '2026-11-21T09:17:01.712Z',
  updatedAt: '2026-11-21T09:17:01.712Z',
  variables: [{ name: 'Tags', value: ['a', null] }],
  answers: [{ blockId: 'b1', content: 'Grüße 🎈', attachedFileUrls: ['https://a.example/1'] }],
  transcript: [{ role: 'user', text: 'Grüße' }],
  logs: [
    { status: 'info', description: 'Sent', details: '{}', context: 'Mail', time: '2026-11-21T09:17:01.712Z' },
  ],
  hasStarted: true,
  isCompleted: false,
}

async function* pieces(): AsyncGenerator<string | Uint8Array> {
  yield 'Grüße'
  yield Buffer.from(' 🎈')
}

interface Answers {
  readonly nextCursor?: string
  readonly error?: unknown
}

let asked: unknown[]
let answers: Answers

const answer =
  <Answer extends object | number | undefined>(whole: () => Answer) =>
  async (request: unknown) => {
    asked.push(request)
    const { error, ...next } = answers
    if (error) throw error
    const said = whole()
    return typeof said === 'object' ? { ...said, ...next } : said
  }

/** Results that remember what they were asked. */
const results: Pick<Results, keyof Results> = {
  list: answer(() => ({ results: [shown] })),
  table: answer(() => ({ csv: '\uFEFFid\r\nGrüße 🎈\r\n' })),
  get: answer(() => shown),
  export: answer(() => ({ mediaType: 'text/csv', extension: 'csv' as const, pieces: pieces() })),
  import: answer(() => ({ imported: 1, known: 0, outlived: 0, unmatched: [] })),
  delete: answer(() => undefined),
  count: answer(() => 12),
  deleteAll: answer(() => 7),
}

/** A server over results, with a token of these rights. */
async function setup(given: Answers = {}, rights?: Rights) {
  asked = []
  answers = given
  const tokens = adminTokens('t0ken').map((token) => ({ ...token, ...(rights && { rights }) }))
  const { app, logLines } = await shareTestApp({
    results: results as Results,
    config: { adminTokens: tokens },
  })
  const send = (method: 'GET' | 'DELETE' | 'HEAD', address = url) =>
    app.inject({ method, url: address, headers: { authorization } })
  return { app, send, asked, logLines }
}

describe('GET /v1/flows/{publicId}/results', () => {
  it('hands on what is asked for, and answers with a page', async () => {
    const { send, asked } = await setup({ nextCursor: 'next' })
    const response = await send('GET', '/v1/flows/we%20lcome/results?limit=7&cursor=abc&format=json')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.headers['link']).toBe('<?format=json&limit=7&cursor=next>; rel="next"')
    expect(response.json()).toEqual({ results: [shown], nextCursor: 'next' })
    expect(asked).toEqual([{ publicId: 'we lcome', limit: 7, cursor: 'abc', isUnmasked: true }])
  })

  it('hands on days and answers, with the next page too, and refuses a day that there is not', async () => {
    const { send, asked } = await setup({ nextCursor: 'next' })
    const response = await send('GET', `${url}?from=2026-11-01&answer=a%40b.example`)
    expect(response.headers['link']).toBe(
      '<?from=2026-11-01&answer=a%40b.example&limit=50&cursor=next>; rel="next"',
    )
    const selection = { from: Date.parse('2026-11-01'), until: undefined, answer: 'a@b.example' }
    expect(asked).toMatchObject([{ selection }])
    for (const wrong of ['from=2026-13-01', 'from=2026-02-31', 'until=yesterday', 'answer=']) {
      const refusal = await send('GET', `${url}?${wrong}`)
      expect(refusal.statusCode).toBe(400)
      expect(refusal.json().errors).toMatchObject([{ pointer: `/${wrong.split('=')[0]}` }])
    }
    expect(asked).toHaveLength(1)
  })

  it('hands on how far conversations have come, with the next page too', async () => {
    const { send, asked } = await setup({ nextCursor: 'next' })
    const query =
      'visited=b1%2Cb2&leftAt=b3&atFlow=f2&version=3&locale=fr&channel=telegram&text=Ada&started=true&completed=false&handedOver=true&waiting=false&order=earliest'
    const response = await send('GET', `${url}?${query}`)
    expect(response.headers['link']).toBe(`<?${query}&limit=50&cursor=next>; rel="next"`)
    expect(asked).toMatchObject([
      {
        order: 'earliest',
        selection: {
          visited: ['b1', 'b2'],
          leftAt: 'b3',
          atFlow: 'f2',
          version: '3',
          locale: 'fr',
          channel: 'telegram',
          text: 'Ada',
          started: true,
          completed: false,
          handedOver: true,
          waiting: false,
        },
      },
    ])
    for (const wrong of ['visited=', 'visited=b1,,b2', 'leftAt=', 'waiting=yes', 'order=random', 'text='])
      expect((await send('GET', `${url}?${wrong}`)).json().errors).toMatchObject([
        { pointer: `/${wrong.split('=')[0]}` },
      ])
    for (const wrong of ['funnel=', 'funnel=b1,', 'funnel=,b1', 'version='])
      expect(
        (await send('GET', `${url.replace('/results', '/analytics')}?${wrong}`)).json().errors,
      ).toMatchObject([{ pointer: `/${wrong.split('=')[0]}` }])
  })

  it.each([
    ['atFlow=f2', '/atFlow', 'needs leftAt or waitingAt'],
    ['answeredAt=b1', '/answeredAt', 'needs answer'],
    ['leftAt=b1&waitingAt=b2', '/waitingAt', 'contradicts leftAt'],
    ['leftAt=b1&waiting=true', '/waiting', 'contradicts leftAt'],
    ['waitingAt=b1&waiting=false', '/waiting', 'contradicts waitingAt'],
  ])(
    'refuses %s, which narrows nothing as it stands, rather than leave it out',
    async (query, pointer, message) => {
      const { send, asked } = await setup()
      for (const [method, path] of [
        ['GET', url],
        ['GET', `${url}/count`],
        ['GET', `${url}/export`],
        ['DELETE', url],
      ] as const) {
        const response = await send(method, `${path}?${query}${path.endsWith('export') ? '&format=csv' : ''}`)
        expect([response.statusCode, response.json().errors]).toEqual([400, [{ pointer, message }]])
      }
      expect(asked).toEqual([])
    },
  )

  it('asks for the first 50 when nothing is said', async () => {
    const { send, asked } = await setup()
    const response = await send('GET')
    expect(response.json()).toEqual({ results: [shown] })
    expect(response.headers).not.toHaveProperty('link')
    expect(asked).toEqual([{ publicId: 'welcome', limit: 50, cursor: undefined, isUnmasked: true }])
  })

  it.each([
    ['1', 1],
    ['500', 500],
    ['007', 7],
  ])('takes a limit of %s', async (text, limit) => {
    const { send, asked } = await setup()
    expect((await send('GET', `${url}?limit=${text}`)).statusCode).toBe(200)
    expect(asked).toMatchObject([{ limit }])
  })

  it.each([
    ['limit=0', '/limit', 'must be >= 1'],
    ['limit=501', '/limit', 'must be <= 500'],
    ['limit=-1', '/limit', 'must be integer'],
    ['limit=', '/limit', 'must be integer'],
    ['limit=5.5', '/limit', 'must be integer'],
    ['limit=ten', '/limit', 'must be integer'],
    ['limit=1e2', '/limit', 'must be integer'],
    ['limit=99999999999999999999', '/limit', 'must be integer'],
    ['limit=1&limit=2', '/limit', 'must be integer'],
    ['format=xml', '/format', 'must be one of: json, csv'],
    ['cursor=a&cursor=b', '/cursor', 'must be string'],
  ])('refuses %s by its place', async (query, pointer, message) => {
    const { send, asked } = await setup()
    const response = await send('GET', `${url}?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'BAD_REQUEST', errors: [{ pointer, message }] })
    expect(asked).toEqual([])
  })

  it.each([
    ['UNAUTHORIZED', 401],
    ['FORBIDDEN', 403],
    ['NOT_FOUND', 404],
    ['BAD_REQUEST', 400],
  ] as const)('answers %s with %i', async (code, status) => {
    const { send } = await setup({ error: new ServiceError(code, 'No') })
    const response = await send('GET')
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.json()).toMatchObject({ code, status, instance: url })
  })

  it('puts neither flow nor token into the log', async () => {
    const { send, logLines } = await setup()
    await send('GET', '/v1/flows/hush/results?cursor=hush')
    expect(logLines).toMatchObject([{ route: '/v1/flows/:publicId/results', status: 200 }])
    expect(JSON.stringify(logLines)).not.toMatch(/hush|t0ken/)
  })
})

describe('GET /v1/flows/{publicId}/results?format=csv', () => {
  it('answers with a file', async () => {
    const { send, asked } = await setup()
    const response = await send('GET', `${url}?format=csv&limit=3&cursor=abc`)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="results-welcome.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers).not.toHaveProperty('link')
    expect(response.rawPayload).toEqual(Buffer.from('\uFEFFid\r\nGrüße 🎈\r\n'))
    expect(asked).toEqual([
      { publicId: 'welcome', limit: 3, cursor: 'abc', actor: 'admin', isUnmasked: true },
    ])
  })

  it.each(['csv', 'json'])('leads to the next page by an address relative to its own: %s', async (format) => {
    const { send, asked } = await setup({ nextCursor: 'a b&c>' })
    const address = `${url}?format=${format}&limit=3`
    const { link } = (await send('GET', address)).headers
    const [, target = ''] = /^<([^<>]*)>; rel="next"$/.exec(String(link)) ?? []
    const next = new URL(target, `https://runtime.example/behind${address}`)
    expect(next.pathname).toBe(`/behind${url}`)
    const { headers } = await send('GET', url + next.search)
    expect(headers['content-type']).toContain(format)
    expect(asked[1]).toMatchObject({ publicId: 'welcome', limit: 3, cursor: 'a b&c>', isUnmasked: true })
  })

  it.each([
    ['../../etc/passwd', 'results-______etc_passwd.csv'],
    ['a"; filename="x.exe', 'results-a___filename__x_exe.csv'],
    ['Grüße\r\n', 'results-Gr__e__.csv'],
    ['x'.repeat(300), `results-${'x'.repeat(100)}.csv`],
  ])('names the file harmlessly for the flow %.30j', async (publicId, name) => {
    const { send } = await setup()
    const response = await send('GET', `/v1/flows/${encodeURIComponent(publicId)}/results?format=csv`)
    expect(response.headers['content-disposition']).toBe(`attachment; filename="${name}"`)
  })

  it('reports what is wrong as any route does', async () => {
    const { send } = await setup({ error: new ServiceError('NOT_FOUND', 'Flow not found') })
    const response = await send('GET', `${url}?format=csv`)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ message: 'Flow not found' })
    expect(response.headers).not.toHaveProperty('content-disposition')
  })
})

describe('GET /v1/flows/{publicId}/results/{resultId}', () => {
  it('answers with the result', async () => {
    const { send, asked } = await setup()
    const response = await send('GET', `${url}/r%2F1`)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual(shown)
    expect(asked).toEqual([{ publicId: 'welcome', resultId: 'r/1', mayLead: true, isUnmasked: true }])
  })

  it.each([
    [{ scopes: ['results'] }, true],
    [{ scopes: ['results'], isReadOnly: true }, false],
    [{ isReadOnly: true }, false],
  ] as const)('tells a token with the rights %j the session: %s', async (rights, mayLead) => {
    const { send, asked } = await setup({}, rights)
    await send('GET', `${url}/r1`)
    expect(asked).toEqual([
      { publicId: 'welcome', resultId: 'r1', mayLead, isUnmasked: !('scopes' in rights) },
    ])
  })

  it('reports when there is none', async () => {
    const { send } = await setup({ error: new ServiceError('NOT_FOUND', 'Result not found.') })
    const response = await send('GET', `${url}/r1`)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'NOT_FOUND', message: 'Result not found.' })
  })
})

describe('GET /v1/flows/{publicId}/results/export', () => {
  it('answers with a file that is written as it is read', async () => {
    const { send, asked } = await setup()
    const response = await send(
      'GET',
      '/v1/flows/..%2Fwel"come/results/export?format=csv&leftAt=b1&completed=false',
    )
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="results-___wel_come.csv"',
      'cache-control': 'no-store',
    })
    expect(response.body).toBe('Grüße 🎈')
    expect(asked).toMatchObject([
      {
        publicId: '../wel"come',
        format: 'csv',
        actor: 'admin',
        selection: { leftAt: 'b1', completed: false },
      },
    ])
  })

  it.each([
    ['limit=5', '/limit'],
    ['format=json', '/format'],
  ])('refuses %s', async (query, pointer) => {
    const { send } = await setup()
    const response = await send('GET', `${url}/export?${query}`)
    expect([response.statusCode, response.json().errors]).toMatchObject([400, [{ pointer }]])
  })
})

describe('GET /v1/flows/{publicId}/results/count', () => {
  it('answers with how many match', async () => {
    const { send, asked } = await setup()
    const response = await send('GET', `${url}/count?leftAt=b1`)
    expect([response.statusCode, response.json()]).toEqual([200, { count: 12 }])
    await send('GET', `${url}/count`)
    const common = { publicId: 'welcome', isUnmasked: true, signal: expect.any(AbortSignal) }
    expect(asked).toEqual([{ ...common, selection: { leftAt: 'b1' } }, common])
  })

  it.each([
    ['limit=5', '/limit'],
    ['all=true', '/all'],
    ['until=yesterday', '/until'],
  ])('refuses %s', async (query, pointer) => {
    const { send, asked } = await setup()
    const response = await send('GET', `${url}/count?${query}`)
    expect([response.statusCode, response.json().errors, asked]).toMatchObject([400, [{ pointer }], []])
  })
})

describe('DELETE', () => {
  it('/v1/flows/{publicId}/results/{resultId} answers with nothing', async () => {
    const { send, asked } = await setup()
    const response = await send('DELETE', `${url}/r1`)
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(asked).toEqual([{ publicId: 'welcome', resultId: 'r1', actor: 'admin' }])
  })

  it.each([
    ['all=true', undefined],
    ['from=2026-01-01', { from: Date.UTC(2026, 0, 1), until: undefined, answer: undefined }],
    ['until=1970-01-02&answer=Ada', { from: undefined, until: 86_400_000, answer: 'Ada' }],
  ])('/v1/flows/{publicId}/results?%s answers with how many were erased', async (query, selection) => {
    const { send, asked } = await setup()
    const response = await send('DELETE', `${url}?${query}`)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ deleted: 7 })
    expect(asked).toEqual([
      {
        publicId: 'welcome',
        actor: 'admin',
        isUnmasked: true,
        signal: expect.any(AbortSignal),
        ...(selection && { selection }),
      },
    ])
  })

  it('/v1/flows/{publicId}/results takes how many somebody has confirmed', async () => {
    const { send, asked } = await setup()
    expect((await send('DELETE', `${url}?all=true&count=7`)).statusCode).toBe(200)
    expect(asked).toMatchObject([{ publicId: 'welcome', confirmed: 7 }])
    const message = '8 results match now, more than the 7 that were confirmed: none is erased'
    const refused = await setup({ error: new ServiceError('CONFLICT', message) })
    const response = await refused.send('DELETE', `${url}?answer=Ada&count=7`)
    expect([response.statusCode, response.json().message]).toEqual([409, message])
  })

  it.each([
    ['', ''],
    ['?all=false', '/all'],
    ['?all=true&answer=Ada', ''],
    ['?answr=Ada', '/answr'],
    ['?until=2020-01-01&limit=5', '/limit'],
    ['?count=5', ''],
    ['?all=true&count=-1', '/count'],
    ['?all=true&count=many', '/count'],
    ['?all=true&count=1&count=2', '/count'],
    ['?until=yesterday', '/until'],
    ['?until=2026-13-01', '/until'],
    ['?from=2026-02-31', '/from'],
    ['?until=2026-02-31T10:00:00Z', '/until'],
  ])('/v1/flows/{publicId}/results%s erases nothing', async (query, pointer) => {
    const { send, asked } = await setup()
    const response = await send('DELETE', url + query)
    expect(response.statusCode).toBe(400)
    expect(response.json().errors).toMatchObject([{ pointer }])
    expect(asked).toEqual([])
  })

  it.each([
    ['application/json', '{"really":'],
    ['application/json', '{}'],
    ['text/plain', 'x'],
    ['foo', 'x'],
    ['application/json', 'x'.repeat(2 * 1024 * 1024)],
  ])('does not look at a body: %s %.20s', async (contentType, payload) => {
    const { app } = await setup()
    const request = {
      method: 'DELETE',
      headers: { authorization, 'content-type': contentType },
      payload,
    } as const
    expect((await app.inject({ ...request, url: `${url}?all=true` })).json()).toEqual({ deleted: 7 })
    expect((await app.inject({ ...request, url: `${url}/r1` })).statusCode).toBe(204)
  })

  it.each([`${url}?all=true`, `${url}/r1`])('%s reports when a session is too busy', async (address) => {
    const { send } = await setup({ error: new ServiceError('TOO_MANY_REQUESTS', 'busy') })
    const response = await send('DELETE', address)
    expect(response.statusCode).toBe(429)
    expect(response.headers['retry-after']).toBe('1')
  })
})
