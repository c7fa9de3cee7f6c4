import { describe, expect, it } from 'vitest'
import { readCredentials } from '../../../src/config/credentials/credentials.ts'
import type { ChatDependencies } from '../../../src/conversations/dependencies.ts'
import { calls, says, startAsking, variables } from '../../fixtures/asking-models.ts'
import { bubble } from '../../fixtures/short-flows.ts'
import { startDraft } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { startNewMcpServer, startOldMcpServer } from '../../support/mcp-servers.ts'
import { trusted } from '../../support/preview-request.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { createTestChat } from '../../support/start.ts'
import { anthropicSays, startAnthropic } from '../../vendors/anthropic.ts'
import { refuseIfWrong } from '../../vendors/chat-completions.ts'
import { functionCall, message, response, startResponses } from '../../vendors/open-ai-responses.ts'

const token = 'mcp-secret-1'

/** An account of a model, and one of a server of tools. */
function lend(model: { url: string; type?: string; apiKey?: string }, server: { url: string; data?: Json }) {
  const { url, type = 'openai', apiKey = 'k-1' } = model
  const accounts = [
    { id: 'c1', type, data: { apiKey, baseUrl: `${url}/v1` } },
    { id: 'weather', type: 'mcp', data: { url: server.url, token, ...server.data } },
  ]
  return readCredentials(JSON.stringify(accounts), {}).credentials
}

const asking = (options: Json = {}, type = 'openai'): Json => ({
  variables: variables({ Reply: 'old' }),
  blocks: [
    {
      id: 'x1',
      type,
      options: {
        action: 'Create chat completion',
        credentialsId: 'c1',
        model: 'tiny-1',
        messages: [{ role: 'user', content: 'Weather in Lyon?' }],
        message: 'Weather in Lyon?',
        responseMapping: [{ variableId: 'vReply' }],
        mcpServers: [{ credentialsId: 'weather', tools: ['weather'] }],
        ...options,
      },
    },
    bubble('on'),
  ],
})

interface Given {
  readonly data?: Json
  readonly options?: Json
  readonly answers?: readonly Buffer[]
  readonly chat?: Partial<ChatDependencies>
}

const once = [calls(['weather_weather', { city: 'Lyon' }]), says('7 degrees.')]

/** Asks a model that talks as most do. */
async function ask(url: string, { data = {}, options = {}, answers = once, chat = {} }: Given = {}) {
  const model = await startRawHttpServer((request, nth) => refuseIfWrong(request) ?? answers[nth])
  const credentials = lend(model, { url, data })
  const asked = await startAsking({ definition: asking(options), chat: { credentials, ...chat } })
  const questions = model.requests.map(({ body }) => JSON.parse(body) as Json)
  return { ...asked, questions }
}

/** The result of the tool, as the model was told it. */
const toldIn = ({ questions }: { questions: readonly Json[] }) =>
  (questions[1]!['messages'] as Json[]).at(-1)!['content']

const logged = async ({ logs }: Pick<Awaited<ReturnType<typeof ask>>, 'logs'>) =>
  (await logs())?.map(({ description }) => description)

describe.each([
  ['2026-07-28', startNewMcpServer],
  ['2025-11-25', startOldMcpServer],
] as const)('a server of %s', (protocol, start) => {
  it('has its tools called that the author allows, and is told its token', async () => {
    const server = await start()
    const asked = await ask(server.url, { data: { protocol } })
    expect(await logged(asked)).toEqual([])
    expect(
      server.received.map(({ method, params }) => [method, params['name'], params['arguments']]),
    ).toEqual([
      ['tools/list', undefined, undefined],
      ['tools/call', 'weather', { city: 'Lyon' }],
    ])
    expect(server.received.every(({ authorization }) => authorization === `Bearer ${token}`)).toBe(true)
    expect(asked.questions[0]?.['tools']).toEqual([
      {
        type: 'function',
        function: {
          name: 'weather_weather',
          description: 'The tool weather',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          strict: false,
        },
      },
    ])
    expect(toldIn(asked)).toBe('weather in Lyon: 7 degrees')
    expect(await asked.values()).toMatchObject({ Reply: '7 degrees.' })
  })

  it('that fails is told to the model, and to the author', async () => {
    const server = await start()
    const asked = await ask(server.url, {
      data: { protocol },
      options: { mcpServers: [{ credentialsId: 'weather', tools: ['fail'] }] },
      answers: [calls(['weather_fail', { city: 'Lyon' }]), says('Sorry.')],
    })
    expect(toldIn(asked)).toContain('The service is down')
    expect((await logged(asked))?.[0]).toContain('The service is down')
    expect(await asked.values()).toMatchObject({ Reply: 'Sorry.' })
  })
})

describe('tools of a server', () => {
  it('are none without an allow-list, and none but those on it', async () => {
    const server = await startNewMcpServer()
    const none = await ask(server.url, {
      options: { mcpServers: [{ credentialsId: 'weather' }] },
      answers: [says('Hm.')],
    })
    expect(none.questions[0]).not.toHaveProperty('tools')
    expect(server.received).toEqual([])
    const other = await ask(server.url, {
      answers: [calls(['weather_erase', { city: 'Lyon' }]), says('Hm.')],
    })
    expect(server.received.map(({ method }) => method)).toEqual(['tools/list'])
    expect(await logged(other)).toEqual(['weather_erase: There is no such function'])
  })

  it('that are not there, or whose server is not, are left out with a log', async () => {
    const server = await startNewMcpServer()
    const options = { mcpServers: [{ credentialsId: 'weather', tools: ['tides'] }] }
    const missing = await ask(server.url, { options, answers: [says('Hm.')] })
    expect(await logged(missing)).toEqual(['The MCP server has no tool "tides"'])
    const down = await ask('http://127.0.0.1:1/mcp', { answers: [says('Hm.')] })
    expect(await logged(down)).toEqual(['The service of mcp could not be reached'])
    const unknown = { mcpServers: [{ credentialsId: 'other', tools: ['weather'] }] }
    const noAccount = await ask(server.url, { options: unknown, answers: [says('Hm.')] })
    expect(await logged(noAccount)).toEqual(['Could not find credentials for block mcp'])
    expect(await noAccount.values()).toMatchObject({ Reply: 'Hm.' })
  })

  it.each<[string, string, string]>([
    ['no JSON', 'hello', 'The service of mcp answered what can not be read'],
    ['no message', '[]', 'The service of mcp answered what can not be read'],
    [
      'an error',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"No"}}',
      'The MCP server refuses: No',
    ],
    ['no list', '{"jsonrpc":"2.0","id":1,"result":{"tools":7}}', 'The MCP server has no tool "weather"'],
  ])('of a server that answers %s are left out with a log', async (_what, text, log) => {
    const server = await startRawHttpServer(() => httpAnswer(200, text))
    expect(await logged(await ask(server.url, { answers: [says('Hm.')] }))).toEqual([log])
  })

  it('count against the calls of a turn', async () => {
    const server = await startNewMcpServer()
    const limits = { ...defaultLimits, callsPerTurn: 2 }
    const asked = await ask(server.url, { chat: { limits } })
    expect(server.received.map(({ method }) => method)).toEqual(['tools/list'])
    expect((await logged(asked))?.[0]).toMatch(/all the outgoing calls/)
  })

  it('say nothing of the token, whatever the server repeats', async () => {
    const list = { tools: [{ name: 'weather', description: `by ${token}`, inputSchema: { type: 'object' } }] }
    const server = await startRawHttpServer(() =>
      httpAnswer(200, JSON.stringify({ jsonrpc: '2.0', id: 1, result: list })),
    )
    const { questions } = await ask(server.url, { answers: [says('Hm.')] })
    expect(JSON.stringify(questions)).not.toContain(token)
  })
})

describe('tools of a server, of a model by', () => {
  it('Anthropic', async () => {
    const server = await startNewMcpServer()
    const call = { type: 'tool_use', id: 'toolu_1', name: 'weather_weather', input: { city: 'Lyon' } }
    const model = await startAnthropic([
      anthropicSays([call], { stop_reason: 'tool_use' }),
      anthropicSays([{ type: 'text', text: '7 degrees.' }]),
    ])
    const credentials = lend({ url: model.server.url, type: 'anthropic', apiKey: 'sk-ant-1' }, server)
    const options = { action: 'Create Chat Message' }
    const { values } = await startAsking({ definition: asking(options, 'anthropic'), chat: { credentials } })
    expect(model.bodies[0]).toMatchObject({ tools: [{ name: 'weather_weather' }] })
    expect(await values()).toMatchObject({ Reply: '7 degrees.' })
    expect(server.received.map(({ method }) => method)).toEqual(['tools/list', 'tools/call'])
  })

  it('OpenAI that remembers', async () => {
    const server = await startNewMcpServer()
    const model = await startResponses([
      { json: response('resp_1', functionCall('weather_weather', { city: 'Lyon' })) },
      { json: response('resp_2', message('7 degrees.')) },
    ])
    const credentials = lend({ url: model.server.url, apiKey: 'sk-1' }, server)
    const options = { action: 'Ask Model', responseMapping: [{ item: 'Message', variableId: 'vReply' }] }
    const { values } = await startAsking({ definition: asking(options), chat: { credentials } })
    expect(model.bodies[1]).toMatchObject({
      input: [{ type: 'function_call_output', output: 'weather in Lyon: 7 degrees' }],
    })
    expect(await values()).toMatchObject({ Reply: '7 degrees.' })
  })
})

describe('a preview', () => {
  const flow = wholeDefinition(asking())
  const listed = { tools: [{ name: 'weather', description: 'Mocked', inputSchema: { type: 'object' } }] }
  const replying = (method: string, result: Json) => ({
    match: { vendor: 'mcp', json: { method } },
    reply: { json: { jsonrpc: '2.0', id: 1, result } },
  })
  const mocks = {
    vendors: [
      replying('tools/list', listed),
      replying('tools/call', { content: [{ type: 'text', text: '9 degrees' }] }),
    ],
    models: [
      { tool: { name: 'weather_weather', args: { city: 'Lyon' } }, times: 1 },
      { reply: { text: 'Nine.' } },
    ],
  }

  it('answers them by mocks, and shows each call in its trace', async () => {
    const world = createTestChat()
    const started = await startDraft(world, { flow, mocks, trace: true }, { caller: trusted })
    expect(started['logs']).toBeUndefined()
    const text = JSON.stringify(started['trace'])
    expect(text).toContain('tools/list')
    expect(text).toContain('9 degrees')
    expect(started['messages']).toMatchObject([{ id: 'on' }])
  })
})
