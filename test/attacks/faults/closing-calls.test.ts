import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCodeSandbox } from '../../../src/adapters/code-sandbox/code-sandbox.ts'
import { parseAllowList } from '../../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../../src/adapters/http-client/http-client.ts'
import { createSystemPorts } from '../../../src/adapters/system/system-ports.ts'
import type { ChatDependencies } from '../../../src/conversations/dependencies.ts'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { buildTestApp } from '../../support/build-test-app.ts'
import { startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { createTestChat, sessionOf } from '../../support/start.ts'

type Limits = Partial<typeof defaultLimits>

/** Everything that the outside is made of, but for the post. */
function createAdapters() {
  const http = createHttpClient({ allow: parseAllowList('127.0.0.1') })
  const sandbox = createCodeSandbox({ limitMs: 200 })
  onTestFinished(async () => {
    await Promise.all([http.close(), sandbox.close()])
  })
  return { http, sandbox, ports: createSystemPorts() }
}

/** The service at work, with the given flows published, as a client reaches it. */
async function serve(
  definitions: readonly Json[],
  {
    limits,
    previewToken,
    ...options
  }: { limits?: Limits; previewToken?: string | undefined } & Partial<Omit<ChatDependencies, 'limits'>> = {},
) {
  const closing = new AbortController()
  const world = createTestChat(definitions, {
    ...createAdapters(),
    limits: { ...defaultLimits, ...limits },
    closing: closing.signal,
    ...options,
  })
  const { app } = await buildTestApp({ chat: world.chat, config: { previewToken } })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { ...world, ...clientOf(address), close: () => closing.abort() }
}

function clientOf(address: string) {
  async function post(path: string, body: Json, headers: Json = {}) {
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ textBubbleContentFormat: 'markdown', ...body }),
    })
    return { status: response.status, body: (await response.json()) as Json }
  }
  return {
    start: (body: Json = {}) => post('/v1/flows/flow-1/startChat', body),
    preview: (flow: Json, headers?: Json) =>
      post('/v1/flows/flow-1/preview/startChat', { flow, sessionId: 'p1' }, headers),
    say: (sessionId: unknown, message: unknown, headers?: Json) =>
      post(`/v1/sessions/${String(sessionId)}/continueChat`, { message }, headers),
    health: async () => (await fetch(`${address}/health`)).status,
  }
}

/** A block that asks for an address, and keeps the status that comes back in a variable. */
function request(id: string, url: string, variableId: string): Json {
  const responseVariableMapping = [{ id: 'm1', variableId, bodyPath: 'statusCode' }]
  return { id, type: 'Webhook', options: { webhook: { url, method: 'GET' }, responseVariableMapping } }
}

const script = (id: string, content: string): Json => ({
  id,
  type: 'Code',
  options: { content, isExecutedOnClient: false },
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** A flow that sends requests one after the other, and then shows what came back for each. */
function sendingFlow(url: string, count: number): Json {
  const all = numbers(count)
  return wholeDefinition({
    blocks: [
      ...all.map((nth) => request(`r${nth}`, `${url}/${nth}`, `vS${nth}`)),
      bubble('shown', all.map((nth) => `{{S${nth}}}`).join(' ')),
    ],
    variables: all.map((nth) => variable(`S${nth}`, { value: 'none' })),
  })
}

const shown = ({ body }: { body: Json }) =>
  (body['messages'] as { content: { markdown: string } }[]).map(({ content }) => content.markdown)

const logsOf = ({ body }: { body: Json }) => (body['logs'] ?? []) as Json[]

const shuttingDown = { code: 'SERVICE_UNAVAILABLE', message: 'The service is shutting down' }

describe('a turn with many requests', () => {
  it('ends within the time of a whole turn when no server answers', async () => {
    const server = await startRawHttpServer(() => undefined)
    const { start } = await serve([sendingFlow(server.url, 10)], { limits: { wholeTurnMs: 4_000 } })
    const answer = await start()
    expect(answer.status).toBe(200)
    expect(shown(answer)).toEqual([numbers(10).fill(408).join(' ')])
    expect(server.requests.length).toBe(1)
  })

  it('ends within the time of a whole turn when everybody takes long', async () => {
    const server = await startRawHttpServer(
      () => new Promise((resolve) => setTimeout(() => resolve(httpAnswer(200, '{}')), 100)),
    )
    const { start } = await serve([sendingFlow(server.url, 100)], {
      limits: { wholeTurnMs: 500, callsPerTurn: 1000 },
    })
    const [line = ''] = shown(await start())
    const statuses = line.split(' ')
    expect(statuses[0]).toBe('200')
    expect(statuses.at(-1)).toBe('408')
    expect(server.requests.length).toBeLessThan(10)
  })

  it('sends twenty, and reports what it did not send', async () => {
    const server = await startRawHttpServer(() => httpAnswer(204))
    const flow = sendingFlow(server.url, 23)
    const { preview } = await serve([], { previewToken: 't0ken' })
    const answer = await preview(flow, { authorization: 'Bearer t0ken' })
    expect(shown(answer)).toEqual([[...numbers(20).fill(204), 'none', 'none', 'none'].join(' ')])
    expect(server.requests.map(({ target }) => target)).toEqual(numbers(20).map((nth) => `/${nth}`))
    expect(logsOf(answer).slice(20)).toEqual(
      [21, 22, 23].map((nth) => ({
        status: 'error',
        description: 'The turn has made all the outgoing calls that it may (20)',
        details: expect.stringMatching(`^Block ".*${nth}" \\(Webhook\\) in group "Group 1" \\(g1\\)$`),
      })),
    )
  })
})

describe('a turn with much code', () => {
  it('ends when its time for code is used up, while others are served', async () => {
    const endless = numbers(20).map((nth) => script(`c${nth}`, `while (true) {} // ${nth}`))
    const flow = wholeDefinition({ blocks: [...endless, bubble('shown', 'done')] })
    const { start, health } = await serve([flow], { limits: { codeTurnMs: 300 } })
    const answering = start()
    expect(await health()).toBe(200)
    const answer = await answering
    expect(shown(answer)).toEqual(['done'])
    const descriptions = logsOf(answer).map(({ description }) => description)
    expect(descriptions.length).toBe(20)
    expect(descriptions.at(-1)).toContain('Code may run for 300 ms in one turn')
  })
})

describe('a preview', () => {
  it.each([
    ['auto', undefined, 0],
    ['on', undefined, 1],
    ['auto', 't0ken', 1],
    ['off', 't0ken', 0],
  ] as const)(
    'with PREVIEW_HTTP %s and the token %s sends %d requests',
    async (previewHttp, previewToken, sent) => {
      const server = await startRawHttpServer(() => httpAnswer(200, '{}'))
      const { preview } = await serve([], { previewHttp, previewToken })
      const answer = await preview(sendingFlow(server.url, 1), { authorization: `Bearer ${previewToken}` })
      expect([server.connections, server.requests.length]).toEqual([sent, sent])
      expect(shown(answer)).toEqual([sent ? '200' : 'none'])
      const skipped = { status: 'info', description: 'Requests are not sent from this preview' }
      if (!sent) expect(logsOf(answer)).toEqual([skipped])
    },
  )

  it('decides it when it starts, for all that follows', async () => {
    const server = await startRawHttpServer(() => httpAnswer(200, '{}'))
    const { groups, ...flow } = sendingFlow(server.url, 1)
    const [group] = groups as { blocks: Json[] }[]
    const asking = { ...flow, groups: [{ ...group, blocks: [textInput('i1'), ...(group?.blocks ?? [])] }] }
    const { preview, say } = await serve([], { previewToken: 't0ken' })
    const token = { authorization: 'Bearer t0ken' }
    const { body } = await preview(asking, token)
    expect(shown(await say(body['sessionId'], 'Hi', token))).toEqual(['200'])
  })
})

describe('a service that closes', () => {
  /** Asks for a name, then waits for a server, then greets. */
  const greeting = (...slow: Json[]) =>
    wholeDefinition({
      blocks: [textInput('i1', 'vName'), ...slow, bubble('b1', 'Hi {{Name}} {{S1}}'), textInput('i2')],
      variables: [variable('Name'), variable('S1')],
    })

  it.each<[string, (url: string) => Json]>([
    ['a request', (url) => request('r1', url, 'vS1')],
    [
      'a request of code',
      (url) => script('c1', `await fetch(${JSON.stringify(url)}); setVariable('S1', 200)`),
    ],
  ])('drops a turn that waits for %s, and leaves the session as it was', async (_name, slow) => {
    const answers: (() => Buffer | undefined)[] = []
    const server = await startRawHttpServer(() => answers.shift()?.())
    const flow = greeting(slow(server.url))
    const service = await serve([flow])
    const { body } = await service.start()
    const id = String(body['sessionId'])
    const before = await sessionOf(service, `${id}`)
    const result = await service.results.get('flow-1', String(body['resultId']))
    answers.push(() => {
      service.close()
      return undefined
    })
    expect(await service.say(id, 'Ada')).toMatchObject({ status: 503, body: shuttingDown })
    expect(await sessionOf(service, `${id}`)).toEqual(before)
    expect(await service.results.get('flow-1', String(body['resultId']))).toEqual(result)

    const { conversations, results } = service
    const next = await serve([flow], { conversations, results })
    answers.push(() => httpAnswer(200, '{}'))
    const answer = await next.say(id, 'Bo')
    expect([answer.status, shown(answer), answer.body['input']]).toMatchObject([
      200,
      ['Hi Bo 200'],
      { id: 'i2' },
    ])
  })

  it('begins no session that it has to drop', async () => {
    const service = await serve([])
    const server = await startRawHttpServer(() => {
      service.close()
      return undefined
    })
    const trusting = {
      previewHttp: 'on' as const,
      closing: service.closing,
      conversations: service.conversations,
    }
    const { preview } = await serve([], trusting)
    const answer = await preview(sendingFlow(server.url, 3))
    expect(answer).toMatchObject({ status: 503, body: shuttingDown })
    expect(await sessionOf(service, 'p1')).toBeUndefined()
    expect(server.requests.length).toBe(1)
  })

  it('still answers what needs nobody else', async () => {
    const { start, close } = await serve([greeting()])
    close()
    expect(await start()).toMatchObject({ status: 200, body: { input: { id: 'i1' } } })
  })
})

describe('the process', () => {
  /** Runs a flow, made for a server that never answers. `arrived` resolves once it is called. */
  async function serveCalling(flowFor: (url: string) => Json) {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const server = await startRawHttpServer(() => {
      arrive()
      return undefined
    })
    const folder = mkdtempSync(join(tmpdir(), 'flows-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'flow-1.json'), JSON.stringify(flowFor(server.url)))
    const service = await startBuiltService({
      FLOWS_DIR: folder,
      OUTBOUND_ALLOW: `127.0.0.1:${server.port}`,
    })
    onTestFinished(() => void service.child.kill('SIGKILL'))
    return { ...service, arrived }
  }

  const patient = (url: string): Json => {
    const call = request('r1', url, 'vS1')
    return { ...call, options: { ...(call['options'] as Json), timeout: 60 } }
  }
  const variables = [variable('S1')]

  it('aborts its requests when it is signalled to end, answers 503, and ends in peace', {
    timeout: 600_000,
  }, async () => {
    const service = await serveCalling((url) => wholeDefinition({ blocks: [patient(url)], variables }))
    const answering = clientOf(service.address).start()
    await service.arrived
    const [code, answer] = await Promise.all([service.stop(), answering])
    expect(answer).toMatchObject({ status: 503, body: shuttingDown })
    expect(code).toBe(0)
  })

  it('aborts those of a turn that a session takes by itself as well', { timeout: 600_000 }, async () => {
    const service = await serveCalling((url) =>
      wholeDefinition({
        events: [
          { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
          { id: 'idle', type: 'idle', outgoingEdgeId: 'eR', options: { after: 'PT1S' } },
        ],
        groups: { a: [textInput('i1')], r: [patient(url)] },
        edges: { eR: 'r' },
        variables,
      }),
    )
    await clientOf(service.address).start()
    await service.arrived
    expect(await service.stop()).toBe(0)
  })
})
