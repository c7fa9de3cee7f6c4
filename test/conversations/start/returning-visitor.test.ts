import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/stores/result-store.ts'
import { bubble, rememberingFlow, textInput, variable } from '../../fixtures/short-flows.ts'
import {
  createWatchedChat,
  earlierResult,
  keepResult,
  startLive,
  type WatchedChat,
} from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'

const blocks = [bubble('b1', 'Hi {{Name}}'), textInput('b2', 'vName')]
const name = variable('Name')
const remembered = [{ id: 'vName', name: 'Name', value: 'Ada' }]

async function startAgain(
  flow: Json,
  earlier: Partial<Result> = {},
  body: Json = {},
): Promise<{ response: Json; chat: WatchedChat; record: Result | undefined }> {
  const chat = createWatchedChat([flow])
  await keepResult(chat.results, earlierResult({ variables: remembered, ...earlier }))
  chat.savedResults.length = 0
  const response = await startLive(chat, { resultId: 'earlier', ...body })
  return { response, chat, record: chat.savedResults[0] }
}

const shownName = ({ messages }: Json) => {
  const [{ content }] = messages as [{ content: { richText: [{ children: { text: string }[] }] } }]
  return content.richText[0].children.map(({ text }) => text).join('')
}

describe('whether a flow remembers its visitors', () => {
  it.each<[string, Json, 'remembers' | 'forgets']>([
    ['says nothing', {}, 'forgets'],
    ['says so', { rememberUser: { isEnabled: true } }, 'remembers'],
    ['says no', { rememberUser: { isEnabled: false } }, 'forgets'],
    ['names only a storage', { rememberUser: { storage: 'local' } }, 'forgets'],
    ['says so in the old way', { isNewResultOnRefreshEnabled: false }, 'remembers'],
    ['says no in the old way', { isNewResultOnRefreshEnabled: true }, 'forgets'],
    [
      'says so in the old way and names a storage',
      { isNewResultOnRefreshEnabled: false, rememberUser: { storage: 'session' } },
      'remembers',
    ],
    [
      'says so, and no in the old way',
      { isNewResultOnRefreshEnabled: true, rememberUser: { isEnabled: true } },
      'remembers',
    ],
    [
      'says no, and so in the old way',
      { isNewResultOnRefreshEnabled: false, rememberUser: { isEnabled: false } },
      'forgets',
    ],
  ])('one that %s: %j %s', async (_name, general, verdict) => {
    const flow = wholeDefinition({ blocks, variables: [name], settings: { general } })
    const { response } = await startAgain(flow)
    expect(response['resultId']).toBe(verdict === 'remembers' ? 'earlier' : 'result-1')
    expect(shownName(response)).toBe(verdict === 'remembers' ? 'Hi Ada' : 'Hi ')
  })
})

describe('a result that is brought along', () => {
  const flow = rememberingFlow({ blocks, variables: [name] })

  it.each<[string, Partial<Result>, Json]>([
    ['is of another flow', { flowId: 'flow-2' }, {}],
    ["is named by the flow's public id", { flowId: 'welcome' }, {}],
    ['nobody knows', {}, { resultId: 'unknown' }],
    ['is empty text', {}, { resultId: '' }],
  ])('counts as none when it %s', async (_name, earlier, body) => {
    const { response, chat } = await startAgain({ ...flow, publicId: 'flow-1' }, earlier, body)
    expect(response['resultId']).toBe('result-1')
    expect(shownName(response)).toBe('Hi ')
    expect(chat.savedResults.map(({ id }) => id)).toEqual(['result-1'])
  })

  it('counts as none when it was erased', async () => {
    const chat = createWatchedChat([flow])
    await keepResult(chat.results, earlierResult({ variables: remembered }))
    await chat.results.delete('flow-1', ['earlier'])
    const response = await startLive(chat, { resultId: 'earlier' })
    expect(response['resultId']).toBe('result-1')
    expect(shownName(response)).toBe('Hi ')
    expect(await chat.results.get('flow-1', 'earlier')).toBeUndefined()
  })

  it('is written again under its id and its birthday', async () => {
    const { record, chat } = await startAgain(flow)
    expect(chat.savedResults).toHaveLength(1)
    expect(record).toMatchObject({
      id: 'earlier',
      createdAt: 1000,
      updatedAt: fixedNow,
      lastChatSessionId: 'session-1',
    })
    expect(chat.savedSessions[0]?.queue).toMatchObject([{ resultId: 'earlier' }])
  })

  it('keeps its answers, puts new ones behind them, and has started', async () => {
    const answers = [
      { blockId: 'b2', content: 'Ada', attachedFileUrls: ['https://a.example/1'] },
      { blockId: 'gone', content: 'x' },
    ]
    const silent = rememberingFlow({ blocks: [textInput('b2', 'vName')], variables: [name] })
    const asked = await startAgain(silent, { answers })
    expect(asked.record).toMatchObject({ answers, hasStarted: true, isCompleted: false })
    const answered = await startAgain(silent, { answers }, { message: 'Grace' })
    expect(answered.record).toMatchObject({
      answers: [...answers, { blockId: 'b2', content: 'Grace' }],
      isCompleted: true,
    })
  })

  it('stays completed', async () => {
    const answers = [{ blockId: 'b2', content: 'Ada' }]
    const { record } = await startAgain(flow, { answers, hasStarted: true, isCompleted: true })
    expect(record).toMatchObject({ isCompleted: true })
  })

  it('leaves the progress at the start', async () => {
    const theme = { general: { progressBar: { isEnabled: true } } }
    const answers = [{ blockId: 'b2', content: 'Ada' }]
    const { response } = await startAgain({ ...flow, theme }, { answers })
    expect(response['progress']).toBe(50)
  })

  it('keeps its answers in the session by variable, by group, or as unknown', async () => {
    const whole = rememberingFlow({
      groups: [{ id: 'g1', title: 'Questions', blocks: [textInput('b1', 'vName'), textInput('b2')] }],
      variables: [name],
    })
    const answers = ['b1', 'b2', 'gone'].map((blockId) => ({ blockId, content: `to ${blockId}` }))
    const { chat } = await startAgain(whole, { answers })
    expect(chat.savedSessions[0]?.queue[0]?.answers).toEqual([
      ['Name', 'to b1'],
      ['Questions', 'to b2'],
      ['unknown', 'to gone'],
    ])
  })
})

describe('remembered values', () => {
  const start = (declared: Json, body: Json = {}) =>
    startAgain(rememberingFlow({ blocks, variables: [variable('Name', declared)] }), {}, body)

  it.each<[string, Json]>([
    ['without a value', {}],
    ['of null', { value: null }],
    ['of empty text', { value: '' }],
    ['of an empty list', { value: [] }],
  ])('fill a variable %s', async (_name, declared) => {
    expect(shownName((await start(declared)).response)).toBe('Hi Ada')
  })

  it('lose against declared ones, and those against prefilled ones', async () => {
    expect(shownName((await start({ value: 'Declared' })).response)).toBe('Hi Declared')
    const prefilledVariables = { Name: 'Prefilled' }
    expect(shownName((await start({}, { prefilledVariables })).response)).toBe('Hi Prefilled')
    expect(shownName((await start({ value: 'Declared' }, { prefilledVariables })).response)).toBe(
      'Hi Prefilled',
    )
  })

  it.each([null, ''])('are cleared by %j', async (value) => {
    const { response, record } = await start({}, { prefilledVariables: { Name: value } })
    expect(shownName(response)).toBe('Hi ')
    expect(record?.variables).toEqual([])
  })

  it('are found by name in a flow that was rebuilt', async () => {
    const rebuilt = rememberingFlow({
      blocks: [bubble('b1', 'Hi {{Name}}')],
      variables: [variable('vName'), { id: 'new', name: 'Name' }],
    })
    const { response, record } = await startAgain(rebuilt)
    expect(shownName(response)).toBe('Hi Ada')
    expect(record?.variables).toEqual([{ id: 'new', name: 'Name', value: 'Ada' }])
  })

  it('are left alone where the flow has no such name any more', async () => {
    const { record } = await startAgain(rememberingFlow({ blocks: [bubble('b1')] }))
    expect(record).toMatchObject({ id: 'earlier', variables: [] })
  })

  it('come from the run before, session variables left out', async () => {
    const flow = rememberingFlow({
      blocks: [bubble('b0', '{{Name}}{{Code}}'), textInput('b2', 'vName')],
      variables: [name, variable('Code', { isSessionVariable: true })],
    })
    const chat = createWatchedChat([flow])
    const first = await startLive(chat, { prefilledVariables: { Name: 'Ada', Code: '42' } })
    expect(shownName(first)).toBe('Ada42')
    const second = await startLive(chat, { resultId: first['resultId'] })
    expect(second['resultId']).toBe(first['resultId'])
    expect(shownName(second)).toBe('Ada')
  })
})
