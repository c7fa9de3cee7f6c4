import { describe, expect, it } from 'vitest'
import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import type { StartChatBody } from '../../schemas/start-chat.ts'
import { anonymous } from '../../src/ports/caller.ts'
import { bubble, textInput } from '../fixtures/short-flows.ts'
import { startLive } from '../fixtures/starting.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { previewRequest } from '../support/preview-request.ts'
import { createTestChat, sessionOf, type TestChat } from '../support/start.ts'

const flow = wholeDefinition({ blocks: [bubble('b1'), textInput('i1'), textInput('i2')] })

/** A key, and whether its request was answered as one before. */
function keyed(fingerprint = 'f', key = 'k') {
  const idempotency = {
    key,
    fingerprint,
    isReplay: false,
    replayed() {
      idempotency.isReplay = true
    },
  }
  return idempotency
}

type Idempotency = ReturnType<typeof keyed>

const live = ({ chat }: TestChat, idempotency: Idempotency, publicId = 'flow-1') =>
  chat.startPublished({ publicId, origin: undefined, body: {} as StartChatBody, idempotency })
const preview =
  (body: Json) =>
  ({ chat }: TestChat, idempotency: Idempotency) =>
    chat.startPreview({ ...previewRequest(body), idempotency })
const goOn = ({ chat }: TestChat, idempotency: Idempotency) =>
  chat.continue({
    caller: anonymous,
    sessionId: 'session-1',
    origin: undefined,
    body: { message: { type: 'text', text: 'Ada' } } as ContinueChatBody,
    idempotency,
  })

describe.each([
  ['a public start', live],
  ['a preview start', preview({ flow })],
  ['a preview start on a given id', preview({ flow, sessionId: 'mine' })],
  ['a continue', goOn],
])('%s that is repeated by its key', (name, request) => {
  async function begin() {
    const { published } = createTestChat([flow])
    // Else a turn that waits for nothing is answered before it can be repeated.
    const byFlowId = async (id: string) => published.byFlowId(id)
    const world = createTestChat([flow], { published: { ...published, byFlowId } })
    if (name === 'a continue') await startLive(world)
    return world
  }

  it('is answered as before, and done once', async () => {
    const world = await begin()
    const [first, second] = [keyed(), keyed()]
    const answer = await request(world, first)
    const usage = await world.conversations.usage()
    const before = await world.results.list('flow-1', { limit: 10 })
    expect(await request(world, second)).toBe(answer)
    expect([first.isReplay, second.isReplay]).toEqual([false, true])
    expect(await world.conversations.usage()).toEqual(usage)
    expect(await world.results.list('flow-1', { limit: 10 })).toEqual(before)
  })

  it('is refused while it is being answered, and for another body', async () => {
    const world = await begin()
    const outcomes = await Promise.allSettled([
      request(world, keyed()),
      request(world, keyed()),
      request(world, keyed('g')),
    ])
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'CONFLICT', retryAfter: 1 } },
      { reason: { code: 'UNPROCESSABLE_CONTENT' } },
    ])
  })
})

describe('a start that is refused', () => {
  it('leaves its key free', async () => {
    const world = createTestChat([flow])
    await expect(live(world, keyed(), 'nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const idempotency = keyed('g')
    await live(world, idempotency)
    expect(idempotency.isReplay).toBe(false)
  })
})

it('a preview whose definition is wrong leaves its key and its session as they were', async () => {
  const world = createTestChat()
  await preview({ flow, sessionId: 'mine' })(world, keyed())
  const before = await sessionOf(world, 'mine')
  const wrong = preview({ flow: {}, sessionId: 'mine' })(world, keyed('f', 'other'))
  await expect(wrong).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(await sessionOf(world, 'mine')).toEqual(before)
  await preview({ flow, sessionId: 'mine' })(world, keyed('g', 'other'))
})
