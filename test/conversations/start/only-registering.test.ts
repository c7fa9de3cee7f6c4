import { describe, expect, it } from 'vitest'
import { bubble, rememberingFlow, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import {
  createWatchedChat,
  earlierResult,
  keepResult,
  startDraft,
  startLive,
  type WatchedChat,
} from '../../fixtures/starting.ts'
import type { Json } from '../../support/json.ts'

const flow = rememberingFlow({
  publicId: 'welcome',
  blocks: [setVariable('b1', 'vB', { expressionToEvaluate: '1' }), bubble('b2'), textInput('b3')],
  variables: [variable('A'), variable('B'), variable('C')],
})

const body: Json = { isOnlyRegistering: true, prefilledVariables: { A: 'Ada' }, message: 'Hi' }

const register = (chat: WatchedChat, more: Json = {}) =>
  startLive(chat, { ...body, ...more }, { publicId: 'welcome' })

describe('a public start that only registers', () => {
  it('answers with ids and the look of the flow', async () => {
    const { theme, settings } = flow
    expect(await register(createWatchedChat([flow]))).toEqual({
      sessionId: 'session-1',
      resultId: 'result-1',
      flow: { id: 'flow-1', version: '6.1', theme, settings },
      messages: [],
    })
  })

  it('keeps a session in which nothing has run, with what was prefilled', async () => {
    const chat = createWatchedChat([flow])
    await register(chat, { isStreamEnabled: true })
    expect(chat.savedSessions).toMatchObject([
      {
        id: 'session-1',
        kind: 'live',
        state: 'registered',
        publicId: 'welcome',
        isStreamEnabled: true,
        answered: 0,
        queue: [{ flowId: 'flow-1', resultId: 'result-1', variables: [['vA', 'Ada']], answers: [] }],
      },
    ])
    expect(chat.savedSessions[0]?.waitingBlock).toBeUndefined()
  })

  it('writes no result', async () => {
    const chat = createWatchedChat([flow])
    await register(chat)
    expect(chat.savedResults).toEqual([])
    expect(await chat.results.get('flow-1', 'result-1')).toBeUndefined()
  })

  it('goes on with a remembered result and leaves that as it is', async () => {
    const chat = createWatchedChat([flow])
    const earlier = earlierResult({ variables: [{ id: 'vC', name: 'C', value: 'cookie' }] })
    await keepResult(chat.results, earlier)
    expect(await register(chat, { resultId: 'earlier' })).toMatchObject({ resultId: 'earlier' })
    expect(chat.savedSessions[0]?.queue).toMatchObject([
      {
        resultId: 'earlier',
        variables: [
          ['vC', 'cookie'],
          ['vA', 'Ada'],
        ],
      },
    ])
    expect(await chat.results.get('flow-1', 'earlier')).toEqual(earlier)
  })
})

describe('a preview that only registers', () => {
  it('keeps its id and its definition', async () => {
    const chat = createWatchedChat()
    const response = await startDraft(chat, { ...body, flow, sessionId: 'mine' })
    expect(response).toMatchObject({ sessionId: 'mine', messages: [] })
    expect(response).not.toHaveProperty('input')
    const [session] = chat.savedSessions as [WatchedChat['savedSessions'][0]]
    expect(session).toMatchObject({ id: 'mine', kind: 'preview', state: 'registered' })
    expect(session.queue).toMatchObject([{ variables: [['vA', 'Ada']] }])
    expect(await chat.definitions.get(session.queue[0]?.program ?? '')).toBe(
      JSON.stringify({ ...body, flow, sessionId: 'mine' }),
    )
  })

  it('still refuses a place to start from that is not there', async () => {
    const chat = createWatchedChat()
    const start = startDraft(chat, { ...body, flow, startFrom: { type: 'group', groupId: 'gone' } })
    await expect(start).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(chat.savedSessions).toEqual([])
  })
})
