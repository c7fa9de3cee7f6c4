import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { runVendorBlock, streamVendorBlock, type VendorRun } from '../../vendors/run-vendor-block.ts'
import { startStrictVendor, type VendorReply } from '../../vendors/strict-vendor.ts'

const closed = { additionalProperties: false }

describe('ChatNode', () => {
  const start = () =>
    startStrictVendor({
      headers: { authorization: 'Bearer chatnode-key-1' },
      refuse: (_status, detail) => ({ detail }),
      routes: [
        {
          method: 'POST',
          path: /^\/68c052c5c3680f63$/,
          body: Type.Object(
            { message: Type.String({ minLength: 1 }), chat_session_id: Type.Optional(Type.String()) },
            closed,
          ),
          answer: ({ body }) => ({
            json: {
              message: `You said ${body['message']}`,
              chat_session_id: body['chat_session_id'] ?? 'new-thread',
            },
          }),
        },
      ],
    })

  const options = {
    action: 'Send Message',
    botId: '68c052c5c3680f63',
    message: 'Hi {{Name}}',
    responseMapping: [{ variableId: 'vReply' }, { item: 'Thread ID', variableId: 'vThread' }],
  }
  const values = { Name: 'Ada', Reply: null, Thread: null }

  it('answers, and names the conversation', async () => {
    const account = { apiKey: 'chatnode-key-1', baseUrl: (await start()).url }
    const { variables } = await runVendorBlock({ type: 'chat-node', account, options, variables: values })
    expect(variables).toMatchObject({ Reply: 'You said Hi Ada', Thread: 'new-thread' })
  })

  it('continues a conversation', async () => {
    const account = { apiKey: 'chatnode-key-1', baseUrl: (await start()).url }
    const run = { type: 'chat-node', account, options: { ...options, threadId: 't-9' }, variables: values }
    expect((await runVendorBlock(run)).variables).toMatchObject({ Thread: 't-9' })
  })
})

const type = 'text/event-stream'

/** A response that comes event by event. */
const eventStream = (...events: readonly object[]): VendorReply => ({
  text: events.map((event) => `event: ping\n\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  type,
})

describe('Dify', () => {
  const start = () =>
    startStrictVendor({
      refuse: (status, message) => ({ code: 'invalid_param', message, status }),
      routes: [
        {
          method: 'POST',
          path: /^\/v1\/chat-messages$/,
          body: Type.Object(
            {
              inputs: Type.Record(Type.String(), Type.String()),
              query: Type.String({ minLength: 1 }),
              response_mode: Type.Union([Type.Literal('blocking'), Type.Literal('streaming')]),
              user: Type.String({ minLength: 1 }),
              conversation_id: Type.Optional(Type.String({ minLength: 1 })),
            },
            closed,
          ),
          answer({ body, headers }) {
            if (headers.get('authorization') !== 'Bearer app-key-1') {
              return { status: 401, json: { code: 'unauthorized' } }
            }
            const conversation = { conversation_id: body['conversation_id'] ?? 'c-1' }
            const metadata = { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }
            return body['response_mode'] === 'blocking'
              ? { json: { event: 'message', answer: `On ${body['query']}`, ...conversation, metadata } }
              : eventStream(
                  ...['On', ` ${body['query']}`].map((answer) => ({
                    event: 'message',
                    answer,
                    ...conversation,
                  })),
                  { event: 'message_end', ...conversation, metadata },
                )
          },
        },
        {
          method: 'POST',
          path: /^\/v1\/datasets\/d-1\/retrieve$/,
          body: Type.Object({ query: Type.String() }, closed),
          answer: ({ headers }) =>
            headers.get('authorization') === 'Bearer dataset-key-1'
              ? { json: { records: [{ segment: { content: 'One' } }, { segment: { content: 'Two' } }, {}] } }
              : { status: 401, json: { code: 'unauthorized' } },
        },
      ],
    })

  const keys = { apiKey: 'app-key-1', knowledgeApiKey: 'dataset-key-1' }

  /** An answer that the bubble behind shows. */
  const asked = (url: string): VendorRun => ({
    type: 'dify-ai',
    account: { ...keys, apiEndpoint: url },
    variables: { Conversation: null, Reply: null, Tokens: null },
    shown: '{{Reply}}',
    options: {
      action: 'Create Chat Message',
      query: 'opening hours',
      conversationVariableId: 'vConversation',
      responseMapping: [{ variableId: 'vReply' }, { item: 'Total tokens', variableId: 'vTokens' }],
    },
  })

  it('answers, goes on with a conversation and returns what was used', async () => {
    const server = await start()
    const { variables, visitorLogs } = await runVendorBlock({
      type: 'dify-ai',
      account: { ...keys, apiEndpoint: `${server.url}/v1` },
      variables: { Conversation: 'c-7', Reply: null, Tokens: null },
      options: {
        action: 'Create Chat Message',
        query: 'opening hours',
        conversationVariableId: 'vConversation',
        inputs: [{ key: 'shop', value: 'Lyon' }],
        responseMapping: [
          { item: 'Message content', variableId: 'vReply' },
          { item: 'Total tokens', variableId: 'vTokens' },
        ],
      },
    })
    expect(visitorLogs).toEqual([])
    expect(variables).toMatchObject({ Reply: 'On opening hours', Tokens: '7', Conversation: 'c-7' })
  })

  it('has its answer streamed, and the rest written', async () => {
    const server = await start()
    const { clientSideActions, records, said, response, variables } = await streamVendorBlock({
      ...asked(server.url),
      variables: { Conversation: 'c-7', Reply: null, Tokens: null },
    })
    expect(clientSideActions).toEqual([{ type: 'stream', stream: true, expectsDedicatedReply: true }])
    expect(records).toBe('0:"On"\n0:" opening hours"\nd:{"finishReason":"stop"}\n')
    expect(said).toBe('On opening hours')
    expect(response['input']).toMatchObject({ id: 'end' })
    expect(variables).toMatchObject({ Reply: said, Tokens: '7', Conversation: 'c-7' })
    expect(server.requests.map(({ body }) => JSON.parse(body).response_mode)).toEqual(['streaming'])
  })

  it.each<[string, VendorReply, string]>([
    ['a refusal', { status: 429, json: { code: 'too_many' } }, 'The service of dify-ai answered 429'],
    [
      'an error in place of an answer',
      eventStream({ event: 'error', status: 400, code: 'provider_quota_exceeded', message: 'none left' }),
      'The service of dify-ai answered 400',
    ],
    [
      'what is no stream',
      { text: '<html>', type: 'text/html' },
      'The service of dify-ai could not be reached',
    ],
    ['an event that is no JSON', { text: 'data: <\n\n', type }, 'answered what can not be read'],
  ])('answers a stream by %s', async (_what, reply, message) => {
    const server = await startStrictVendor({
      refuse: () => ({}),
      routes: [{ method: 'POST', path: /chat-messages$/, body: Type.Object({}), answer: () => reply }],
    })
    await expect(streamVendorBlock(asked(server.url))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining(message),
    })
  })

  it.each<[string, readonly object[], RegExp]>([
    [
      'breaks off',
      [{ event: 'agent_message', answer: 'Ha' }],
      /^0:"Ha"\n3:.*could not be reached.*\nd:\{"finishReason":"error"/,
    ],
    [
      'repeats its key',
      [{ event: 'message', answer: 'app-key-1!' }, { event: 'message_end' }],
      /^0:"\*{6}!"\nd:\{"finishReason":"stop"/,
    ],
    [
      'says what it may not',
      [
        { event: 'message', answer: 'Bad' },
        { event: 'message_replace', answer: 'No' },
        { event: 'message_end' },
      ],
      /^0:"Bad"\nd:\{"finishReason":"stop"/,
    ],
  ])('streams what comes of an assistant that %s', async (_what, events, expected) => {
    const server = await startStrictVendor({
      refuse: () => ({}),
      routes: [
        {
          method: 'POST',
          path: /chat-messages$/,
          body: Type.Object({}),
          answer: () => eventStream(...events),
        },
      ],
    })
    expect((await streamVendorBlock(asked(server.url))).records).toMatch(expected)
  })

  it('learns a name for the visitor that is not the id of the result', async () => {
    const server = await start()
    const account = { ...keys, apiEndpoint: server.url }
    await runVendorBlock({
      type: 'dify-ai',
      account,
      options: { action: 'Create Chat Message', query: 'Hi' },
    })
    const [request] = server.requests
    const { user } = JSON.parse(request?.body ?? '{}')
    expect(user).toMatch(/^[\da-f]{32}$/)
    expect(request?.text).not.toContain('result-1')
  })

  it('returns the chunks of a knowledge base, with the key that is for it', async () => {
    const server = await start()
    const { variables } = await runVendorBlock({
      type: 'dify-ai',
      account: { ...keys, apiEndpoint: server.url },
      variables: { Chunks: null },
      options: {
        action: 'Query Knowledge Base',
        datasetId: 'd-1',
        query: 'hours',
        responseMapping: [{ variableId: 'vChunks' }],
      },
    })
    expect(variables).toMatchObject({ Chunks: ['One', 'Two'] })
  })
})

describe('An assistant that fails', () => {
  it.each([
    ['what is no JSON', { text: '<html>' }, 'answered what can not be read'],
    ['a refusal', { status: 429, json: { code: 'too_many', key: 'app-key-1' } }, 'answered 429'],
    ['a number', { text: '7' }, 'answered what can not be read'],
  ])('lets the flow go on after %s', async (_what, reply, outcome) => {
    const server = await startStrictVendor({
      refuse: () => ({}),
      routes: [
        {
          method: 'POST',
          path: /^\/v1\/chat-messages$/,
          body: Type.Object({}),
          answer: () => reply,
        },
      ],
    })
    const account = { apiKey: 'app-key-1', apiEndpoint: server.url }
    const options = { action: 'Create Chat Message', query: 'Hi' }
    const { visitorLogs, storedLogs, response } = await runVendorBlock({ type: 'dify-ai', account, options })
    expect(visitorLogs).toEqual([
      { status: 'error', context: 'dify-ai', description: `The service of dify-ai ${outcome}` },
    ])
    expect(JSON.stringify(storedLogs)).not.toContain('app-key-1')
    expect(response['messages']).toHaveLength(1)
  })
})

it('masks a secret of the account however the vendor spells it', async () => {
  const server = await startStrictVendor({
    refuse: () => ({}),
    routes: [
      {
        method: 'POST',
        path: /chat-messages/,
        body: Type.Object({}),
        answer: () => ({ text: '{"answer":"your key: \\u0061pp\\/key\\"of-us, app/key\\"of-us"}' }),
      },
    ],
  })
  const { variables, response } = await runVendorBlock({
    type: 'dify-ai',
    account: { apiKey: 'app/key"of-us', apiEndpoint: server.url },
    variables: { Reply: null },
    options: { action: 'Create Chat Message', query: 'Hi', responseMapping: [{ variableId: 'vReply' }] },
  })
  expect(variables).toEqual({ Reply: 'your key: ******, ******' })
  expect(JSON.stringify(response)).not.toContain('of-us')
})
