import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/lib/errors.ts'
import { rememberingFlow, textInput } from '../fixtures/short-flows.ts'
import { createWatchedChat, startDraft, startLive } from '../fixtures/starting.ts'
import { trusted } from '../support/preview-request.ts'
import { createTestChat } from '../support/start.ts'

const flow = rememberingFlow({ blocks: [textInput('b1')] })
const away = new Error('the store is away')

const fail = (): never => {
  throw away
}

function chatWithout(store: 'conversations' | 'results' | 'definitions' | 'published', method: string) {
  const working = createTestChat([flow])
  return createTestChat([flow], { [store]: { ...working[store], [method]: fail } })
}

describe('a public start rejects when a store fails', () => {
  it.each([
    ['published', 'byPublicId'],
    ['results', 'get'],
    ['results', 'apply'],
    ['conversations', 'start'],
  ] as const)('%s.%s', async (store, method) => {
    await expect(startLive(chatWithout(store, method), { resultId: 'earlier' })).rejects.toBe(away)
  })

  it('links included', async () => {
    const linking = rememberingFlow({
      blocks: [{ id: 'b1', type: 'Flow link', options: { flowId: 'other' } }],
    })
    const working = createTestChat([linking])
    const chat = createTestChat([linking], { published: { ...working.published, byFlowId: fail } })
    await expect(startLive(chat)).rejects.toBe(away)
  })
})

describe('a preview start rejects when a store fails', () => {
  it.each([
    ['definitions', 'put', {}],
    ['conversations', 'start', {}],
    ['conversations', 'enterStart', { sessionId: 'mine' }],
    ['conversations', 'commit', { sessionId: 'mine' }],
  ] as const)('%s.%s', async (store, method, body) => {
    const start = startDraft(chatWithout(store, method), { flow, ...body }, { caller: trusted })
    await expect(start).rejects.toBe(away)
  })

  it('published.byFlowId', async () => {
    const start = startDraft(chatWithout('published', 'byFlowId'), {}, { caller: trusted })
    await expect(start).rejects.toBe(away)
  })

  it('and leaves no session whose definition was not kept', async () => {
    const definitions = { ...createTestChat().definitions, put: fail }
    const chat = createWatchedChat()
    const broken = createTestChat([], { definitions, conversations: chat.conversations })
    await expect(startDraft(broken, { flow })).rejects.toBe(away)
    expect(chat.savedSessions).toEqual([])
  })
})

describe('a store that is too small', () => {
  it('is reported to the caller', async () => {
    const tooLarge = new ServiceError('PAYLOAD_TOO_LARGE', 'This can not be kept')
    const start = () => Promise.reject(tooLarge)
    const chat = createTestChat([flow], { conversations: { ...createTestChat().conversations, start } })
    await expect(startLive(chat)).rejects.toBe(tooLarge)
    await expect(startDraft(chat, { flow })).rejects.toBe(tooLarge)
  })
})
