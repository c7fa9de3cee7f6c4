import { describe, expect, it } from 'vitest'
import { contentHash } from '../../src/definition/content-hash.ts'
import { createRecordingOutside } from '../fixtures/recording-outside.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { expectValid } from '../support/response-validators.ts'
import { sessionOf } from '../support/start.ts'

const avatar = 'https://cdn.example/{{Name}}.png'
const asking = wholeDefinition({
  variables: [variable('Name'), variable('Town')],
  blocks: [
    textInput('i1', 'vName'),
    bubble('b1', 'Hi {{Name}}'),
    {
      ...textInput('i2', 'vTown'),
      options: { variableId: 'vTown', labels: { placeholder: 'Where, {{Name}}?' } },
    },
  ],
  theme: {
    chat: { hostAvatar: { url: avatar } },
    customCss: '/* {{Name}} */',
    general: { progressBar: { isEnabled: true } },
  },
})
const waitingAt = (block: Json) =>
  wholeDefinition({ variables: asking['variables'], blocks: [block, bubble('b1', '{{Town}}')] })
const askModel = {
  id: 'w',
  type: 'openai',
  options: {
    credentialsId: 'c1',
    action: 'Create chat completion',
    model: 'm',
    responseMapping: [{ item: 'Message content', variableId: 'vTown' }],
  },
}

describe('GET /v1/sessions/{sessionId}', () => {
  it('shows the waiting input with the present values, and what is shown beside it', async () => {
    const { start, goOn, look } = await serveChat([asking])
    await start({ prefilledVariables: { Town: 'Oslo' } })
    const { input, progress, dynamicTheme } = (await goOn('Ada')).json()
    const seen = await look()
    expect(seen.statusCode).toBe(200)
    expectValid('look', seen.json())
    expect(seen.json()).toEqual({
      state: 'waiting',
      waitingFor: 'input',
      input,
      progress,
      dynamicTheme,
      flow: {
        id: 'flow-1',
        version: '6.1',
        theme: expect.objectContaining({ customCss: '/* Ada */' }),
        settings: {},
        publishedAt: '2026-11-20T08:00:00.000Z',
      },
    })
    expect(input).toMatchObject({
      prefilledValue: 'Oslo',
      options: { labels: { placeholder: 'Where, Ada?' } },
    })
    expect(dynamicTheme).toEqual({ hostAvatarUrl: 'https://cdn.example/Ada.png' })
  })

  it('changes nothing, however often it is asked', async () => {
    const { chat, start, goOn, look } = await serveChat([asking])
    await start()
    const before = await sessionOf(chat, 'session-1')
    const seen = [await look(), await look()].map((response) => response.body)
    expect(seen[0]).toBe(seen[1])
    expect(await sessionOf(chat, 'session-1')).toEqual(before)
    expect((await goOn('Ada')).json()).toMatchObject({ messages: [{ id: 'b1' }], input: { id: 'i2' } })
  })

  it('waits for no turn', async () => {
    const { chat, start, look } = await serveChat([asking])
    await start()
    const entered = await chat.conversations.enter({ id: 'session-1' })
    expect(entered.state).toBe('entered')
    expect((await look()).json()).toMatchObject({ input: { id: 'i1' } })
  })

  it.each<[string, Json, string]>([
    ['a call from another system', { id: 'w', type: 'webhook' }, 'webhook'],
    ['a pause', { id: 'w', type: 'Wait', options: { secondsToWaitFor: '5', shouldPause: true } }, 'action'],
    [
      'a script',
      setVariable('w', 'vTown', {
        type: 'Custom',
        isCode: true,
        isExecutedOnClient: true,
        expressionToEvaluate: 'return {{Name}} + {{=[1].concat(2)=}}',
      }),
      'action',
    ],
    ['a value of the device', setVariable('w', 'vTown', { type: 'Device type' }), 'action'],
    [
      'a request',
      {
        id: 'w',
        type: 'Webhook',
        options: {
          isExecutedOnClient: true,
          webhook: { url: 'https://api.example/{{Name}}', method: 'POST', body: '{"name": "{{Name}}"}' },
        },
      },
      'action',
    ],
    ['the answer of a model', askModel, 'action'],
    [
      'an embed',
      {
        id: 'w',
        type: 'embed',
        content: { url: 'https://shop.example/{{Name}}', waitForEvent: { isEnabled: true, name: 'done' } },
      },
      'action',
    ],
  ])('names %s that a session waits for, whole', async (_name, block, waitingFor) => {
    const { chat, start, look } = await serveChat([waitingAt(block)])
    const { messages, clientSideActions } = (
      await start({ isStreamEnabled: true, prefilledVariables: { Name: 'Ada' } })
    ).json()
    const [awaited] = [...(clientSideActions ?? []), ...messages]
    expect(awaited).toBeDefined()
    const before = await sessionOf(chat, 'session-1')
    const seen = (await look()).json()
    expectValid('look', seen)
    expect(seen).toMatchObject({ state: 'waiting', waitingFor })
    expect([...(seen.clientSideActions ?? []), ...(seen.messages ?? [])]).toEqual([awaited])
    expect(seen).not.toHaveProperty('input')
    expect(await sessionOf(chat, 'session-1')).toEqual(before)
  })

  it('makes no call to say what is awaited, where the flow has changed since', async () => {
    const options = { webhook: { url: 'https://api.example' } }
    const onClient = { id: 'w', type: 'Webhook', options: { ...options, isExecutedOnClient: true } }
    const { start, chat: earlier } = await serveChat([waitingAt(onClient)])
    await start()
    const { conversations, results, definitions } = earlier
    const text = JSON.stringify(waitingAt(onClient))
    await definitions.put(contentHash(text), text)
    const { outside, requests } = createRecordingOutside()
    const { chat, look } = await serveChat([waitingAt({ ...onClient, options })], {
      conversations,
      results,
      definitions,
      ...outside,
    })
    await chat.chat.updateFlow({ sessionId: 'session-1' })
    const seen = (await look()).json()
    expect(seen).toMatchObject({ state: 'waiting', waitingFor: 'action' })
    expect(seen).not.toHaveProperty('clientSideActions')
    expect(requests).toEqual([])
  })

  it('shows a registered session without having it run', async () => {
    const flow = wholeDefinition({
      variables: [variable('Name')],
      blocks: [setVariable('s', 'vName', '"set"'), textInput('i1')],
      theme: asking['theme'],
    })
    const { start, look, goOn } = await serveChat([flow])
    await start({ isOnlyRegistering: true })
    const seen = (await look()).json()
    expectValid('look', seen)
    expect(seen).toMatchObject({ state: 'registered', flow: { theme: { customCss: '/*  */' } } })
    for (const absent of ['waitingFor', 'input', 'progress']) expect(seen).not.toHaveProperty(absent)
    expect((await goOn(null)).json()).toMatchObject({ input: { id: 'i1' } })
  })

  it('shows a preview without a time of publication', async () => {
    const { preview, look } = await serveChat([])
    await preview({ flow: asking, sessionId: 'mine' })
    const { flow } = (await look({}, 'mine')).json()
    expect(flow).toMatchObject({ id: 'flow-1' })
    expect(flow).not.toHaveProperty('publishedAt')
  })

  it('is refused as a continue is', async () => {
    const closed = { ...asking, settings: { security: { allowedOrigins: ['https://shop.example'] } } }
    const { start, preview, goOn, look } = await serveChat([closed], { config: { previewToken: 'secret' } })
    await start({}, { origin: 'https://shop.example' })
    await preview({ flow: asking, sessionId: 'mine' }, { authorization: 'Bearer secret' })
    expect((await look({ origin: 'https://shop.example' })).statusCode).toBe(200)
    const foreign = { origin: 'https://other.example' }
    for (const [headers, id, status] of [
      [foreign, 'session-1', 403],
      [{}, 'mine', 401],
      [{}, 'nobody', 404],
    ] as const) {
      const [seen, gone] = [await look(headers, id), await goOn('Ada', headers, id)]
      expect([seen.statusCode, gone.statusCode]).toEqual([status, status])
      expect(seen.json().message).toBe(gone.json().message)
    }
    expect((await look({ authorization: 'Bearer secret' }, 'mine')).statusCode).toBe(200)
  })

  it('does not find a session that has ended', async () => {
    const { start, look } = await serveChat([wholeDefinition({ blocks: [bubble('b1')] })])
    await start()
    expect((await look()).statusCode).toBe(404)
  })
})
