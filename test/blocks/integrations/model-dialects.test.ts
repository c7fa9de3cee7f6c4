import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { LLMock } from '@copilotkit/aimock'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDiskFileStorage } from '../../../src/adapters/file-storage/disk-file-storage.ts'
import { readCredentials } from '../../../src/config/credentials/credentials.ts'
import type { ChatDependencies } from '../../../src/conversations/dependencies.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import { resultOwner } from '../../../src/uploads/upload-path.ts'
import { says, soon, startAsking, variables } from '../../fixtures/asking-models.ts'
import { bubble, textInput } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { anthropicSays, anthropicStreams, startAnthropic } from '../../vendors/anthropic.ts'
import { functionCall, message, response, startResponses } from '../../vendors/open-ai-responses.ts'
import type { VendorReply } from '../../vendors/strict-vendor.ts'

interface Given {
  readonly values?: Readonly<Record<string, Value>>
  readonly isStreamed?: boolean
  readonly callsPerTurn?: number
  readonly chat?: Partial<ChatDependencies>
}

/** Asks the model at an address, with an account of the type of the block. */
function askAt(url: string, type: string, apiKey: string) {
  return (options: Json, { values, isStreamed = false, callsPerTurn, chat }: Given = {}) => {
    const account = { id: 'c1', type, data: { apiKey, baseUrl: `${url}/v1` } }
    const { credentials } = readCredentials(JSON.stringify([account]), {})
    return startAsking({
      definition: {
        variables: variables({ Reply: 'old', Tokens: 'old', Last: '', ...values }),
        blocks: [
          { id: 'x1', type, options: { credentialsId: 'c1', ...options } },
          isStreamed ? bubble('shown', '{{Reply}}') : bubble('on'),
          textInput('end'),
        ],
      },
      body: { isStreamEnabled: isStreamed },
      chat: { credentials, ...(callsPerTurn && { limits: { ...defaultLimits, callsPerTurn } }), ...chat },
    })
  }
}

type Asked = Awaited<ReturnType<ReturnType<typeof askAt>>>

async function read({ chat }: Asked): Promise<string> {
  const { signal } = new AbortController()
  let text = ''
  for await (const records of await chat.streamMessage({
    caller: anonymous,
    sessionId: 'session-1',
    origin: undefined,
    signal,
  }))
    text += records
  return text
}

const add = {
  type: 'function',
  name: 'add',
  description: 'Adds',
  parameters: [{ name: 'a', type: 'number', required: true }],
  code: 'setVariable("Tokens", a); return a + 1',
}

const addSchema = {
  type: 'object',
  properties: { a: { type: 'number' } },
  required: ['a'],
  additionalProperties: false,
}

describe('Anthropic', () => {
  const plain = {
    action: 'Create Chat Message',
    model: 'claude-1',
    messages: [{ role: 'user', content: 'Hi' }],
    responseMapping: [{ variableId: 'vReply' }],
  }

  async function ask(answers: readonly VendorReply[], options: Json = {}, given: Given = {}) {
    const vendor = await startAnthropic(answers)
    const asked = await askAt(vendor.server.url, 'anthropic', 'sk-ant-1')({ ...plain, ...options }, given)
    return { ...asked, ...vendor }
  }

  it('is asked in its own format, by turns that begin with the user', async () => {
    const { bodies, values } = await ask(
      [
        anthropicSays([
          { type: 'text', text: 'Nine ' },
          { type: 'text', text: 'to five.' },
        ]),
      ],
      {
        systemMessage: 'Be short.',
        messages: [
          { role: 'Dialogue', dialogueVariableId: 'vHistory', startsBy: 'assistant' },
          { role: 'user', content: 'Hours?' },
        ],
        temperature: 0.5,
        maxTokens: 64,
        responseMapping: [{ variableId: 'vReply' }, { item: 'Total tokens', variableId: 'vTokens' }],
      },
      { values: { History: ['Welcome', 'Thanks'] } },
    )
    expect(bodies).toEqual([
      {
        model: 'claude-1',
        max_tokens: 64,
        system: 'Be short.',
        messages: [
          { role: 'user', content: [{ type: 'text', text: '(The conversation begins.)' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'Welcome' }] },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Thanks' },
              { type: 'text', text: 'Hours?' },
            ],
          },
        ],
        temperature: 0.5,
      },
    ])
    expect(await values()).toMatchObject({ Reply: 'Nine to five.', Tokens: '16' })
  })

  it('has functions of the flow called, and is told what they gave', async () => {
    const {
      bodies,
      values,
      response: shown,
    } = await ask(
      [
        anthropicSays(
          [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } },
          ],
          { stop_reason: 'tool_use' },
        ),
        anthropicSays([{ type: 'text', text: 'It is 2.' }]),
      ],
      { tools: [add] },
    )
    expect(shown['logs']).toBeUndefined()
    expect(bodies[0]).toMatchObject({
      tools: [{ name: 'add', description: 'Adds', input_schema: addSchema }],
      tool_choice: { type: 'auto' },
    })
    expect((bodies[1] as { messages: Json[] }).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '2' }] },
    ])
    expect(await values()).toMatchObject({ Reply: 'It is 2.', Tokens: '1' })
  })

  it('is made to answer by a schema where variables are generated', async () => {
    const { bodies, values } = await ask(
      [
        anthropicSays([{ type: 'tool_use', id: 'toolu_1', name: 'answer', input: { Reply: 'Ada' } }], {
          stop_reason: 'tool_use',
        }),
      ],
      {
        action: 'Generate variables',
        prompt: 'I am Ada',
        variablesToExtract: [{ variableId: 'vReply', type: 'string' }],
      },
    )
    expect(bodies[0]).toMatchObject({
      tools: [{ name: 'answer', input_schema: { properties: { Reply: { type: 'string' } } } }],
      tool_choice: { type: 'tool', name: 'answer' },
    })
    expect(await values()).toMatchObject({ Reply: 'Ada' })
  })

  const begun = {
    type: 'message_start',
    message: { id: 'msg_1', usage: { input_tokens: 11, output_tokens: 1 } },
  }
  const textBlock = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
  const says = (text: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  })
  const ended = (reason: string) => [
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]

  it('is streamed, with its pings and its functions', async () => {
    const asked = await ask(
      [
        anthropicStreams(
          begun,
          {
            type: 'content_block_start',
            index: 0,
            content_block: { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} },
          },
          ...['{"a"', ': 1}'].map((partial_json) => ({
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'input_json_delta', partial_json },
          })),
          ...ended('tool_use'),
        ),
        anthropicStreams(
          begun,
          textBlock,
          { type: 'ping' },
          says('It '),
          says('is 2.'),
          ...ended('max_tokens'),
        ),
      ],
      {
        tools: [add],
        responseMapping: [{ variableId: 'vReply' }, { item: 'Total tokens', variableId: 'vLast' }],
      },
      { isStreamed: true },
    )
    expect(await read(asked)).toBe('0:"It "\n0:"is 2."\nd:{"finishReason":"length"}\n')
    expect(asked.bodies.map((body) => body['stream'])).toEqual([true, true])
    expect(await asked.values()).toMatchObject({ Tokens: '1', Last: '32' })
  })

  it.each<[string, readonly Json[], string]>([
    [
      'gives up',
      [
        begun,
        textBlock,
        says('It'),
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ],
      "The model's server gave up",
    ],
    ['breaks off', [begun, textBlock, says('It')], 'The answer of the model broke off'],
  ])('tells of a stream that %s', async (_how, events, description) => {
    const asked = await ask([anthropicStreams(...events)], {}, { isStreamed: true })
    expect(await read(asked)).toContain('d:{"finishReason":"error"}')
    expect(await asked.logs()).toMatchObject([{ status: 'error', description }])
  })

  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
  ])('goes on after an error of %d %s, which it tells the author', async (status, type) => {
    const refusal = { status, json: { type: 'error', error: { type, message: 'No: sk-ant-1' } } }
    const { response: shown, logs, bodies } = await ask([refusal])
    expect(bodies).toHaveLength(1)
    expect((shown['messages'] as Json[]).map(({ id }) => id)).toEqual(['on'])
    const description = `The model's server answered ${status}`
    expect(shown['logs']).toMatchObject([{ status: 'error', description }])
    expect(JSON.stringify(await logs())).toContain(type)
    expect(JSON.stringify([shown, await logs()])).not.toContain('sk-ant-1')
  })

  it.each([
    ['an answer without content', { json: { type: 'message' } }],
    ['content that is none', { json: { content: [null, 7, { type: 'text', text: {} }], stop_reason: 4 } }],
    ['a list', { json: [] }],
    ['no JSON', { text: '<html>' }],
    ['nothing', { text: '' }],
  ])('goes on after %s', async (_what, answer) => {
    const { response: shown } = await ask([answer])
    expect((shown['messages'] as Json[]).map(({ id }) => id)).toEqual(['on'])
  })

  it('is refused without its key', async () => {
    const { server } = await startAnthropic([])
    const { response: shown } = await askAt(server.url, 'anthropic', 'sk-ant-2')(plain)
    expect(shown['logs']).toMatchObject([{ description: "The model's server answered 401" }])
  })
})

describe('a model that remembers', () => {
  const plain = {
    action: 'Ask Model',
    model: 'gpt-1',
    message: 'Hi {{Name}}',
    responseMapping: [{ variableId: 'vReply' }],
  }

  async function ask(answers: readonly VendorReply[], options: Json = {}, given: Given = {}) {
    const vendor = await startResponses(answers)
    const asked = await askAt(
      vendor.server.url,
      'openai',
      'sk-1',
    )({ ...plain, ...options }, { ...given, values: { Name: 'Ada', ...given.values } })
    return { ...asked, ...vendor }
  }

  it('has functions called for at most ten answers', async () => {
    const answers = Array.from({ length: 12 }, (_, nth) => ({
      json: response(`resp_${nth}`, functionCall('add', { a: 1 })),
    }))
    const { bodies } = await ask(answers, { functions: [add] })
    expect(bodies).toHaveLength(10)
  })

  const remembering = {
    instructions: 'Be short.',
    responseIdVariableId: 'vLast',
    temperature: 0.2,
    responseMapping: [
      { item: 'Message', variableId: 'vReply' },
      { item: 'Response ID', variableId: 'vTokens' },
    ],
  }

  it('is asked with what goes before, and its answer is remembered', async () => {
    const { bodies, values } = await ask([{ json: response('resp_2', message('Hello')) }], remembering, {
      values: { Last: 'resp_1' },
    })
    expect(bodies).toEqual([
      {
        model: 'gpt-1',
        input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi Ada' }] }],
        instructions: 'Be short.',
        previous_response_id: 'resp_1',
        store: true,
        temperature: 0.2,
      },
    ])
    expect(await values()).toMatchObject({ Reply: 'Hello', Last: 'resp_2', Tokens: 'resp_2' })
  })

  it('may search, look at the web, run code and call functions', async () => {
    const { bodies, values } = await ask(
      [
        { json: response('resp_1', functionCall('add', { a: 4 })) },
        { json: response('resp_2', { type: 'web_search_call', id: 'ws_1' }, message('5')) },
      ],
      {
        ...remembering,
        fileSearchVectorStoreIds: ['vs_{{Name}}', ''],
        webSearchEnabled: true,
        codeInterpreterEnabled: true,
        functions: [add],
        responseMapping: [{ variableId: 'vReply' }],
      },
    )
    expect(bodies[0]?.['tools']).toEqual([
      { type: 'file_search', vector_store_ids: ['vs_Ada'] },
      { type: 'web_search' },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'function', name: 'add', description: 'Adds', parameters: addSchema, strict: false },
    ])
    expect(bodies[1]).toMatchObject({
      input: [{ type: 'function_call_output', call_id: 'call_1', output: '5' }],
      instructions: 'Be short.',
      previous_response_id: 'resp_1',
    })
    expect(await values()).toMatchObject({ Reply: '5', Tokens: '4', Last: 'resp_2' })
  })

  it.each<[Json, Json]>([
    [{ fileSearchMaxNumResults: 7.9 }, { max_num_results: 7 }],
    [{ fileSearchMaxNumResults: '{{Name}}' }, {}],
    [
      { fileSearchMaxNumResults: 51, fileSearchScoreThreshold: '0.4' },
      { max_num_results: 50, ranking_options: { ranker: 'auto', score_threshold: 0.4 } },
    ],
    [
      { fileSearchMaxNumResults: 0, fileSearchScoreThreshold: 2 },
      { max_num_results: 1, ranking_options: { ranker: 'auto', score_threshold: 1 } },
    ],
  ])('searches within the bounds of the maker: %j', async (options, told) => {
    const { bodies } = await ask([{ json: response('resp_1', message('5')) }], {
      fileSearchVectorStoreIds: ['vs_1'],
      ...options,
    })
    expect(bodies[0]?.['tools']).toEqual([{ type: 'file_search', vector_store_ids: ['vs_1'], ...told }])
  })

  it('is streamed', async () => {
    const delta = (text: string) => ({ type: 'response.output_text.delta', delta: text })
    const whole = response('resp_1', message('Hello'))
    const events = [
      { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
      delta('Hel'),
      delta('lo'),
      { type: 'response.completed', response: whole },
    ]
    const asked = await ask(
      [anthropicStreams(...events)],
      { responseIdVariableId: 'vLast' },
      { isStreamed: true },
    )
    expect(await read(asked)).toBe('0:"Hel"\n0:"lo"\nd:{"finishReason":"stop"}\n')
    expect(asked.bodies).toMatchObject([{ stream: true }])
    expect(await asked.values()).toMatchObject({ Last: 'resp_1' })
  })

  it.each<[string, readonly Json[], string]>([
    [
      'fails',
      [{ type: 'response.failed', response: { error: { code: 'server_error', message: 'sorry' } } }],
      "The model's server gave up",
    ],
    ['breaks', [{ type: 'error', code: 'x', message: 'sorry' }], "The model's server gave up"],
    ['ends before its end', [{ type: 'response.created' }], 'The answer of the model broke off'],
  ])('tells of a stream that %s', async (_how, events, description) => {
    const asked = await ask([anthropicStreams(...events)], {}, { isStreamed: true })
    await expect(read(asked)).rejects.toThrow(description)
  })

  it.each<[string, Json, string]>([
    ['a model', { model: ' ' }, 'Model is empty'],
    ['a message', { message: '{{None}}' }, 'Message is empty'],
  ])('is not asked without %s', async (_what, options, description) => {
    const { bodies, response: shown } = await ask([], options)
    expect(bodies).toEqual([])
    expect(shown['logs']).toEqual([{ status: 'error', description }])
  })

  it.each<[string, VendorReply]>([
    [
      'a response that failed',
      { json: { id: 'resp_1', status: 'failed', output: [], error: { message: 'no' } } },
    ],
    ['an output that is none', { json: { id: 4, output: 'text' } }],
    ['an unknown previous response', { status: 400, json: { error: { message: 'not found' } } }],
  ])('goes on after %s', async (_what, answer) => {
    const { response: shown, values } = await ask([answer], { responseIdVariableId: 'vLast' })
    expect((shown['messages'] as Json[]).map(({ id }) => id)).toEqual(['on'])
    expect(shown['logs']).toMatchObject([{ status: 'error' }])
    expect(await values()).toMatchObject({ Reply: 'old' })
  })

  it('is one of OpenAI only', async () => {
    const { server } = await startResponses([])
    const { response: shown } = await askAt(server.url, 'groq', 'sk-1')(plain)
    expect(shown['logs']).toEqual([
      { status: 'error', description: 'Ask Model is not available on this server' },
    ])
  })
})

describe('the block of older flows', () => {
  const older = {
    task: 'Create chat completion',
    messages: [
      { role: 'system', content: 'Be short.' },
      {
        role: 'Messages sequence ✨',
        content: { userMessagesVariableId: 'vAsked', assistantMessagesVariableId: 'vAnswered' },
      },
      { role: 'user', content: '{{Ask}}' },
    ],
    advancedSettings: { temperature: '0.5' },
    responseMapping: [{ variableId: 'vReply' }, { valueToExtract: 'Total tokens', variableId: 'vTokens' }],
  }

  async function ask(answers: readonly Buffer[], values: Given['values'] = {}, isStreamed = false) {
    const server = await startRawHttpServer((_, nth) => answers[nth])
    const account = { id: 'c1', type: 'openai', data: { apiKey: 'k-1', baseUrl: `${server.url}/v1` } }
    const { credentials } = readCredentials(JSON.stringify([account]), {})
    const block = { id: 'x1', type: 'OpenAI', options: { credentialsId: 'c1', ...older } }
    const asked = await startAsking({
      definition: {
        variables: variables({
          Reply: 'old',
          Tokens: '',
          Asked: ['A', 'B'],
          Answered: ['a'],
          Ask: 'C',
          ...values,
        }),
        blocks: [block, isStreamed ? bubble('shown', '{{Reply}}') : bubble('on'), textInput('end')],
      },
      body: { isStreamEnabled: isStreamed },
      chat: { credentials },
    })
    return { ...asked, server }
  }

  it('is asked as its successor is', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    const { server, values } = await ask([says('c', { usage })])
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      model: 'gpt-3.5-turbo',
      temperature: 0.5,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'A' },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 'B' },
        { role: 'user', content: 'C' },
      ],
    })
    expect(await values()).toMatchObject({ Reply: 'c', Tokens: '3' })
  })

  it('appends its answer to a list', async () => {
    const { values } = await ask([says('c')], { Reply: ['a', 'b'] })
    expect(await values()).toMatchObject({ Reply: ['a', 'b', 'c'] })
  })

  it('is streamed, and appends what the client sends back', async () => {
    const events = 'data: {"choices":[{"delta":{"content":"c"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    const stream = httpAnswer(200, events, { 'content-type': 'text/event-stream' })
    const asked = await ask([stream], { Reply: ['a'] }, true)
    expect(asked.response['clientSideActions']).toMatchObject([{ type: 'stream' }])
    expect(await read(asked)).toContain('0:"c"')
    await asked.continue('c')
    expect(await asked.values()).toMatchObject({ Reply: ['a', 'c'] })
  })
})

describe('a model that sees', () => {
  const own = `https://bot.example/uploads/private/${resultOwner('result-1')}/seen.png`

  async function show(type: string, options: Json, text: string) {
    const folder = await mkdtemp(join(tmpdir(), 'images-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const files = await createDiskFileStorage({
      ...{ folder, totalBytes: 1e6, fileBytes: 1e6, ttlMs: undefined },
      report: () => undefined,
    })
    onTestFinished(() => files.close())
    const place = { owner: resultOwner('result-1'), name: 'seen.png', isPrivate: true }
    await files.save(place, Readable.from([Buffer.from('pixels')]), 100)
    const server = await startRawHttpServer(() => says('I see'))
    const ask = askAt(server.url, type, 'k-1')
    const said = { message: '{{Said}}', messages: [{ role: 'user', content: '{{Said}}' }] }
    await ask({ model: 'm', vision: true, ...said, ...options }, { values: { Said: text }, chat: { files } })
    return JSON.parse(server.requests[0]?.body ?? '{}') as Json
  }

  const pixels = Buffer.from('pixels').toString('base64')
  const text = `What is this?\n\nTwo of them.\n\nhttps://img.example/a.JPG?w=1, ${own}\n\nWell?`

  it.each<[string, string, Json, (body: Json) => unknown, readonly Json[]]>([
    [
      'the common format',
      'openai',
      { action: 'Create chat completion' },
      (body) => body['messages'],
      [
        { type: 'text', text: 'What is this?\n\nTwo of them.' },
        { type: 'image_url', image_url: { url: 'https://img.example/a.JPG?w=1' } },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${pixels}` } },
        { type: 'text', text: 'Well?' },
      ],
    ],
    [
      'Messages',
      'anthropic',
      { action: 'Create Chat Message' },
      (body) => body['messages'],
      [
        { type: 'text', text: 'What is this?\n\nTwo of them.' },
        { type: 'image', source: { type: 'url', url: 'https://img.example/a.JPG?w=1' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixels } },
        { type: 'text', text: 'Well?' },
      ],
    ],
    [
      'Responses',
      'openai',
      { action: 'Ask Model' },
      (body) => body['input'],
      [
        { type: 'input_text', text: 'What is this?\n\nTwo of them.' },
        { type: 'input_image', image_url: 'https://img.example/a.JPG?w=1', detail: 'auto' },
        { type: 'input_image', image_url: `data:image/png;base64,${pixels}`, detail: 'auto' },
        { type: 'input_text', text: 'Well?' },
      ],
    ],
  ])('is shown images of users in %s', async (_name, type, options, messagesOf, content) => {
    expect(messagesOf(await show(type, options, text))).toEqual([{ role: 'user', content }])
  })

  const completion = { action: 'Create chat completion' }

  it.each([
    ['what is no image', 'See\n\nhttps://img.example/a.pdf'],
    ['an address inside of a sentence', 'See https://img.example/a.png there'],
    ['no list', '["https://img.example/a.png"'],
    ['another scheme', 'file:///etc/a.png'],
  ])('is told of %s', async (_what, said) => {
    const body = await show('openai', completion, said)
    expect(body['messages']).toEqual([{ role: 'user', content: said }])
  })

  it('reads a list of addresses, as lists are written', async () => {
    const body = await show('openai', completion, '["https://img.example/a.png","https://img.example/b.gif"]')
    expect(body['messages']).toMatchObject([{ content: [{ type: 'image_url' }, { type: 'image_url' }] }])
  })

  it('sends no file of somebody else', async () => {
    const other = own.replace(/[\da-f]{32}/, '0'.repeat(32))
    const body = await show('openai', completion, other)
    expect(body['messages']).toMatchObject([{ content: [{ image_url: { url: other } }] }])
  })

  it('sees nothing unless the block says so', async () => {
    const body = await show('openai', { ...completion, vision: false }, 'https://img.example/a.png')
    expect(body['messages']).toEqual([{ role: 'user', content: 'https://img.example/a.png' }])
  })
})

describe('a question that came at a bad time', () => {
  const question = {
    action: 'Create chat completion',
    model: 'tiny-1',
    messages: [{ role: 'user', content: 'Hi' }],
    responseMapping: [{ variableId: 'vReply' }],
  }

  async function ask(answers: readonly Buffer[], given: Given = {}) {
    const server = await startRawHttpServer((_, nth) => answers[nth])
    const asked = await askAt(server.url, 'openai', 'k-1')(question, given)
    return { ...asked, server }
  }

  it.each([408, 409, 429, 500, 502, 503, 529])(
    'is asked again after %d, under the same name',
    async (status) => {
      const { server, values } = await ask([httpAnswer(status, '', soon), says('Hello')])
      const [first, second] = server.requests.map(({ headers }) => headers.get('idempotency-key'))
      expect([server.requests.length, first]).toEqual([2, second])
      expect(await values()).toMatchObject({ Reply: 'Hello' })
    },
  )

  it('is asked three times at most', async () => {
    const { server, response: shown } = await ask(Array.from({ length: 5 }, () => httpAnswer(503, '', soon)))
    expect(server.requests).toHaveLength(3)
    expect(shown['logs']).toMatchObject([{ description: "The model's server answered 503" }])
  })

  it('is not asked again where the server wants more time than there is', async () => {
    const { server } = await ask([httpAnswer(429, '', { 'retry-after': '3600' }), says('Hello')])
    expect(server.requests).toHaveLength(1)
  })

  it('is asked again as long as the turn may make calls', async () => {
    const { server } = await ask([httpAnswer(503, '', soon), says('Hello')], { callsPerTurn: 1 })
    expect(server.requests).toHaveLength(1)
  })

  it('counts as a call of the turn each time that it is asked', async () => {
    const { server } = await ask([httpAnswer(503, '', soon), httpAnswer(503, '', soon), says('Hello')], {
      callsPerTurn: 2,
    })
    expect(server.requests).toHaveLength(2)
  })

  it.each([400, 401, 404])('is not asked again after %d', async (status) => {
    const { server } = await ask([httpAnswer(status), says('Hello')])
    expect(server.requests).toHaveLength(1)
  })

  it('is asked again before a stream has begun', async () => {
    const events = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    const stream = httpAnswer(200, events, { 'content-type': 'text/event-stream' })
    const asked = await ask([httpAnswer(503, '', soon), stream], { isStreamed: true })
    expect(await read(asked)).toBe('0:"Hi"\nd:{"finishReason":"stop"}\n')
    expect(asked.server.requests).toHaveLength(2)
  })
})

describe('a server that others maintain', () => {
  async function startMock() {
    const mock = new LLMock({ port: 0 })
    // It remembers nothing: what goes before a result is not there again where a server remembers it.
    mock.on({ hasToolResult: true }, { content: 'It is 2.' })
    mock.on({ userMessage: /add/ }, { toolCalls: [{ name: 'add', arguments: '{"a":1}' }] })
    mock.onMessage(/Hi/, { content: 'Hello there' })
    await mock.start()
    onTestFinished(() => mock.stop())
    return mock
  }

  const dialects: [string, string, Json][] = [
    ['the common format', 'openai', { action: 'Create chat completion' }],
    ['Messages', 'anthropic', { action: 'Create Chat Message' }],
    ['Responses', 'openai', { action: 'Ask Model' }],
  ]

  const options = (text: string, more: Json): Json => ({
    model: more['action'] === 'Create Chat Message' ? 'claude-sonnet-4-5' : 'gpt-4o',
    message: text,
    messages: [{ role: 'user', content: text }],
    tools: [add],
    functions: [add],
    responseMapping: [{ variableId: 'vReply' }],
    ...more,
  })

  it.each(dialects)('understands and is understood in %s', async (_name, type, more) => {
    const mock = await startMock()
    const asked = await askAt(mock.url, type, 'sk-1')(options('Hi', more))
    expect(asked.response['logs']).toBeUndefined()
    expect(await asked.values()).toMatchObject({ Reply: 'Hello there' })
  })

  it.each(dialects)('has functions called in %s', async (_name, type, more) => {
    const mock = await startMock()
    const asked = await askAt(mock.url, type, 'sk-1')(options('add', more))
    expect(asked.response['logs']).toBeUndefined()
    expect(await asked.values()).toMatchObject({ Reply: 'It is 2.', Tokens: '1' })
  })

  it.each(dialects)('streams in %s', async (_name, type, more) => {
    const mock = await startMock()
    const asked = await askAt(mock.url, type, 'sk-1')(options('Hi', more), { isStreamed: true })
    const streamed = await read(asked)
    const pieces = [...streamed.matchAll(/^0:(.*)$/gm)].map(([, text = '']) => JSON.parse(text))
    expect(pieces.join('')).toBe('Hello there')
    expect(streamed).toContain('d:{"finishReason":"stop"}')
  })
})
