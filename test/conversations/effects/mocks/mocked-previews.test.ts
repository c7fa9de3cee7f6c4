import { expect, it } from 'vitest'
import type { ContinueChatBody } from '../../../../schemas/continue-chat.ts'
import type { ChatDependencies } from '../../../../src/conversations/dependencies.ts'
import { anonymous } from '../../../../src/ports/caller.ts'
import { bubble, setVariable, textInput, variable } from '../../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../../support/conformance.ts'
import type { Json } from '../../../support/json.ts'
import { nowhere } from '../../../support/nowhere.ts'
import { previewRequest, trusted } from '../../../support/preview-request.ts'
import { sandbox } from '../../../support/sandbox.ts'
import { createTestChat } from '../../../support/start.ts'
import { parseWire } from '../../../support/wire.ts'

const request = (url: string, more: Json = {}): Json => ({
  id: `r-${url.length}`,
  type: 'Webhook',
  options: {
    webhook: { url, method: 'GET' },
    responseVariableMapping: [{ id: 'm', variableId: 'vA', bodyPath: 'data.state' }],
    ...more,
  },
})

const script = (content: string): Json => ({
  id: 's',
  type: 'Code',
  options: { content, isExecutedOnClient: false },
})

async function begin(blocks: readonly Json[], body: Json, deps: Partial<ChatDependencies> = {}) {
  const world = createTestChat([], { sandbox, ...deps })
  const flow = wholeDefinition({ variables: [variable('A'), variable('B')], blocks })
  const asked = { flow, textBubbleContentFormat: 'markdown', ...body }
  const first = parseWire(await world.chat.startPreview(previewRequest(asked, trusted)))
  const goOn = async (message: string) => {
    const more = { message, textBubbleContentFormat: 'markdown' } as ContinueChatBody
    const sessionId = String(first['sessionId'])
    return parseWire(
      await world.chat.continue({ caller: anonymous, sessionId, origin: undefined, body: more }),
    )
  }
  return { ...world, first, goOn }
}

const shown = (answer: Json) =>
  (answer['messages'] as { content: { markdown: string } }[]).map(({ content }) => content.markdown)
const logs = (answer: Json) =>
  ((answer['logs'] ?? []) as { description: string }[]).map(({ description }) => description)

it('keeps its rules and what was used of them from turn to turn', async () => {
  const again = request('https://a.example/x')
  const { first, goOn } = await begin(
    [again, bubble('b1', '{{A}}'), textInput('i'), { ...again, id: 'r2' }, bubble('b2', '{{A}}')],
    {
      mocks: {
        http: [
          { reply: { json: { state: 'packed' } }, times: 1 },
          { reply: { json: { state: 'shipped' } } },
          { match: { url: 'https://b.example/*' } },
        ],
      },
      trace: true,
    },
  )
  expect(shown(first)).toEqual(['packed'])
  expect(first['trace']).toMatchObject({
    steps: [
      {
        calls: [{ type: 'request', request: { method: 'GET', url: 'https://a.example/x' }, isMocked: true }],
      },
      {},
      {},
    ],
  })
  const second = await goOn('go')
  expect(shown(second)).toEqual(['shipped'])
  expect(logs(second)).toContain(
    'The mock /mocks/http/2 never fitted: look at its "match", and at the rules before it',
  )
})

it('answers code that fetches, and writes down what it would have sent', async () => {
  const code = "setVariable('A', await fetch('https://a.example/rate', { method: 'POST', body: '7' }))"
  const { first } = await begin([script(code), bubble('b', '{{A}}')], {
    mocks: { http: [{ match: { method: 'POST', text: '7' }, reply: { text: 'answered' } }] },
    trace: true,
  })
  expect(shown(first)).toEqual(['answered'])
  const { steps } = first['trace'] as { steps: { calls?: Json[] }[] }
  expect(steps[0]?.calls).toMatchObject([
    { type: 'request', request: { method: 'POST', url: 'https://a.example/rate' }, isMocked: true },
    { type: 'evaluate', isMocked: true },
  ])
})

it('shows what it has let pass as sent, and hides what may be of the operator from strangers', async () => {
  const { first } = await begin(
    [request('https://a.example/x'), request('https://b.example/longer')],
    { mocks: { http: [{ match: { url: 'https://a.*' }, pass: true }] }, trace: true },
    { http: { ...nowhere.http, send: async () => ({ kind: 'response', status: 204, text: '' }) } },
  )
  const { steps } = first['trace'] as { steps: { calls?: Json[] }[] }
  expect(steps.flatMap(({ calls }) => calls)).toMatchObject([
    { request: { url: 'https://a.example/x' }, answer: { status: 204 } },
    { request: { url: 'https://b.example/longer' }, isMocked: true },
  ])
  expect(steps[0]?.calls?.[0]).not.toHaveProperty('isMocked')
})

it('has the clock and the chance of code stand still', async () => {
  const code =
    "setVariable('A', new Date().toISOString() + ' ' + new Date(0).getTime() + ' ' + (Date.now() === Date.parse('2026-11-21T09:00:00Z')) + ' ' + (new Date() instanceof Date)); setVariable('B', Math.random())"
  const blocks = [script(code), bubble('b', '{{A}} {{B}}')]
  const mocks = { clock: '2026-11-21T09:00:00Z', seed: 3 }
  const [one, two] = [await begin(blocks, { mocks }), await begin(blocks, { mocks })]
  expect(shown(one.first)).toEqual([expect.stringMatching(/^2026-11-21T09:00:00.000Z 0 true true 0\.\d+$/)])
  expect(shown(two.first)).toEqual(shown(one.first))
})

it('takes and refuses payments that nobody makes', async () => {
  const pay = { id: 'pay', type: 'payment input', options: { amount: '12.50', currency: 'EUR' } }
  const thanks = [pay, bubble('b', 'Thanks')]
  const paid = await begin(thanks, { dryRun: true })
  expect(paid.first['input']).toMatchObject({ type: 'payment input' })
  expect(shown(await paid.goOn('Success'))).toEqual(['Thanks'])
  const refused = await begin(thanks, { mocks: { payments: 'refuse' } })
  expect((await refused.goOn('Success'))['input']).toMatchObject({ type: 'payment input' })
})

it('sends no mail, and goes on as if it had', async () => {
  const options = { credentialsId: 'default', recipients: ['a@b.example'], subject: 'Hi', body: 'x' }
  const { first } = await begin([{ id: 'm', type: 'Email', options }, bubble('b')], {
    dryRun: true,
    trace: true,
  })
  expect(first['trace']).toMatchObject({
    steps: [{ calls: [{ type: 'mail', request: { people: 1, subject: 'Hi' }, isMocked: true }] }, {}],
  })
  expect(logs(first)).toEqual(['Email successfully sent'])
})

it('names a mock that never fitted also where models were streamed', async () => {
  const model = {
    id: 'x1',
    type: 'openai',
    options: {
      action: 'Create chat completion',
      model: 'tiny',
      messages: [{ role: 'user', content: 'Hours?' }],
      responseMapping: [{ variableId: 'vA' }],
    },
  }
  const { chat, first, goOn } = await begin([model, bubble('b', '{{A}}')], {
    isStreamEnabled: true,
    mocks: {
      models: [
        { match: { block: 'x1' }, reply: '9 to 5' },
        { match: { block: 'y1' }, reply: 'never' },
      ],
    },
  })
  const streamed = await chat.streamMessage({
    caller: anonymous,
    sessionId: String(first['sessionId']),
    origin: undefined,
    signal: new AbortController().signal,
  })
  let said = ''
  for await (const piece of streamed) said += piece
  expect(said).toContain('9 to 5')
  const last = await goOn('9 to 5')
  expect(logs(last).filter((log) => log.startsWith('The mock'))).toEqual([
    'The mock /mocks/models/1 never fitted: look at its "match", and at the rules before it',
  ])
})

it('counts ids', async () => {
  const blocks = [setVariable('s', 'vA', { type: 'Result ID' }), bubble('b', '{{A}}')]
  expect(shown((await begin(blocks, { mocks: { ids: 'count' } })).first)).toEqual(['value-1'])
})

it.each<[name: string, mocks: Json, pointer: string, message: string]>([
  [
    'two ways to answer',
    { http: [{ reply: {}, fail: 'timeout', pass: true }] },
    '/mocks/http/0',
    'must answer in one way: not by reply and fail and pass',
  ],
  [
    'two bodies',
    { vendors: [{ reply: { json: 1, text: '' } }] },
    '/mocks/vendors/0/reply',
    "must have either 'json' or 'text'",
  ],
  ['no moment', { clock: 'noon' }, '/mocks/clock', 'must be a moment like 2026-11-21T09:00:00Z'],
  [
    'too much',
    { models: [{ reply: 'x'.repeat(70_000) }] },
    '/mocks',
    'must have at most 65536 characters together, not 70025',
  ],
])('refuses %s', async (_name, mocks, pointer, message) => {
  await expect(begin([bubble('b')], { mocks })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    problems: [{ pointer, message }],
  })
})
