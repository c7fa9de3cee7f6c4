import { describe, expect, it } from 'vitest'
import type { Repeatable } from '../../src/conversations/request.ts'
import { commitTurn, repeatAnswer } from '../../src/conversations/session/enter-session.ts'
import { toByteString } from '../../src/lib/byte-string.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { droppedAnswer } from '../../src/stores/conversation-store.ts'
import { liveSession } from '../stores/contracts/conversation-store.ts'
import { buildTestApp, recordingChat } from '../support/build-test-app.ts'
import { createTestChat } from '../support/start.ts'
import type { UseCases } from '../support/use-cases.ts'

const publicStart = '/v1/flows/welcome/startChat'
const previewStart = '/v1/flows/flow-1/preview/startChat'
const goingOn = '/v1/sessions/session-1/continueChat'
const key = 'key-00000000-0000-4000-8000-000000000000'

/** A chat that answers each request with another number; requests wait, or fail, as told. */
function numberingChat() {
  const chat = {
    calls: 0,
    gate: Promise.resolve(),
    failure: undefined as unknown,
  }
  const { conversations } = createTestChat()
  const make = async () => {
    const number = ++chat.calls
    await chat.gate
    if (chat.failure !== undefined) throw chat.failure
    return toByteString(`{"number":${number},"text":"Grüße 🎈 \\ud83d"}`)
  }
  const answer = async (repeatable: Repeatable) => {
    const { idempotency } = repeatable
    if (!idempotency) return make()
    const newId = `session-${chat.calls + 1}`
    const entered = await conversations.enterStart({ newId, idempotency })
    if (entered.state !== 'entered') {
      return repeatAnswer(entered, { ...repeatable, id: newId }, { conversations })
    }
    const { lease } = entered
    try {
      const answer = await make()
      await commitTurn(lease, { session: liveSession(lease.id), results: [], answer }, { conversations })
      return answer
    } finally {
      await conversations.release(lease)
    }
  }
  const whole: UseCases = {
    ...recordingChat().chat,
    startPublished: answer,
    startPreview: answer,
    continue: answer,
  }
  return Object.assign(chat, { whole })
}

async function setup() {
  const chat = numberingChat()
  const { app, logLines } = await buildTestApp({ chat: chat.whole })
  // A request of `inject` is sent when it is first awaited.
  const send = async (
    url: string,
    request: { payload?: object | string; headers?: Record<string, string> } = {},
  ) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...request.headers }
    return app.inject({ method: 'POST', url, payload: request.payload ?? {}, headers })
  }
  return { app, chat, send, logLines }
}

describe.each([publicStart, previewStart, goingOn])('Idempotency-Key on POST %s', (url) => {
  it('gives the first answer again, byte for byte, and says so', async () => {
    const { chat, send } = await setup()
    const first = await send(url, { payload: { message: 'Hi' } })
    const second = await send(url, { payload: { message: 'Hi' } })
    expect(chat.calls).toBe(1)
    expect(first.statusCode).toBe(200)
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect(second.statusCode).toBe(200)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(second.headers['content-length']).toBe(first.headers['content-length'])
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true)
  })

  it('refuses a request while the first is being answered, and says when to come back', async () => {
    const { chat, send } = await setup()
    let open = () => {}
    chat.gate = new Promise((resolve) => {
      open = resolve
    })
    const first = send(url)
    const second = await send(url)
    expect(second.statusCode).toBe(409)
    expect(second.headers['retry-after']).toBe('1')
    expect(second.json()).toMatchObject({
      code: 'CONFLICT',
      message: 'A request with this Idempotency-Key is still being answered',
    })
    open()
    expect((await first).statusCode).toBe(200)
    expect((await send(url)).headers['idempotent-replayed']).toBe('true')
    expect(chat.calls).toBe(1)
  })

  it('refuses another body, before and after the first is answered', async () => {
    const { chat, send } = await setup()
    const first = send(url, { payload: { message: 'Hi' } })
    const meanwhile = await send(url, { payload: { message: 'Ho' } })
    await first
    const afterwards = await send(url, { payload: { message: 'Ho' } })
    for (const refused of [meanwhile, afterwards]) {
      expect(refused.statusCode).toBe(422)
      expect(refused.headers).not.toHaveProperty('retry-after')
      expect(refused.json()).toMatchObject({ code: 'UNPROCESSABLE_CONTENT', status: 422 })
    }
    expect(chat.calls).toBe(1)
  })

  it.each([
    ['a refusal', new ServiceError('NOT_FOUND', 'Session not found.'), 404],
    ['a defect', new Error('broken'), 500],
  ])('lets a request be tried again after %s, with any body', async (_name, failure, status) => {
    const { chat, send } = await setup()
    chat.failure = failure
    expect((await send(url)).statusCode).toBe(status)
    expect((await send(url)).statusCode).toBe(status)
    chat.failure = undefined
    const third = await send(url, { payload: { message: 'Hi' } })
    expect(third.json()).toMatchObject({ number: 3 })
    expect(third.headers).not.toHaveProperty('idempotent-replayed')
  })

  it('documents the header and the answers', async () => {
    const { app } = await setup()
    const { paths } = (await app.inject('/openapi.json')).json()
    const path = url
      .replace('welcome', '{publicId}')
      .replace('session-1', '{sessionId}')
      .replace('flow-1', '{flowId}')
    const { parameters, responses } = paths[path].post
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: 'idempotency-key', in: 'header', required: false }),
    )
    expect(responses['200'].headers).toHaveProperty('idempotent-replayed')
    expect(responses).toMatchObject({ 409: {}, 422: {} })
  })
})

describe('an Idempotency-Key', () => {
  it.each(['x'.repeat(20), 'x'.repeat(255), '!'.repeat(20), '~'.repeat(20), `"${'x'.repeat(36)}"`])(
    'may be %s',
    async (given) => {
      const { send } = await setup()
      expect((await send(goingOn, { headers: { 'idempotency-key': given } })).statusCode).toBe(200)
    },
  )

  it.each([
    ['shorter than 20 characters', 'x'.repeat(19)],
    ['longer than 255 characters', 'x'.repeat(256)],
    ['empty', ''],
    ['of two words', `${'x'.repeat(20)} ${'x'.repeat(20)}`],
    ['of a list', `${'x'.repeat(20)},\t${'x'.repeat(20)}`],
    ['beyond ASCII', 'é'.repeat(20)],
  ])('is refused when it is %s', async (_name, given) => {
    const { chat, send } = await setup()
    const refused = await send(goingOn, { headers: { 'idempotency-key': given } })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({
      code: 'BAD_REQUEST',
      errors: [
        { pointer: '/idempotency-key', message: expect.stringMatching(/^must match pattern .+, such as "/) },
      ],
    })
    expect(chat.calls).toBe(0)
  })

  it('changes nothing when there is none', async () => {
    const { app, chat } = await setup()
    for (const number of [1, 2]) {
      const response = await app.inject({ method: 'POST', url: goingOn })
      expect(response.json()).toMatchObject({ number })
      expect(response.headers).not.toHaveProperty('idempotent-replayed')
    }
    expect(chat.calls).toBe(2)
  })

  it.each<[string, string, Record<string, string>]>([
    ['another session', '/v1/sessions/session-2/continueChat', {}],
    ['another operation on something of that name', '/v1/flows/session-1/startChat', {}],
    ['another caller', goingOn, { authorization: 'Bearer other' }],
    ['another site', goingOn, { origin: 'https://other.example' }],
    ['another key', goingOn, { 'idempotency-key': key.toUpperCase() }],
  ])('means another request for %s', async (_name, url, headers) => {
    const { chat, send } = await setup()
    await send(goingOn)
    const response = await send(url, { headers })
    expect(response.json()).toMatchObject({ number: 2 })
    expect(response.headers).not.toHaveProperty('idempotent-replayed')
    expect(chat.calls).toBe(2)
  })

  it('takes bodies for the same that differ in spacing, and none for an empty object', async () => {
    const { chat, send } = await setup()
    await send(goingOn, { payload: '{"message":"Hi"}' })
    const spaced = await send(goingOn, { payload: '{ "message" :\n"Hi" }' })
    expect(spaced.headers['idempotent-replayed']).toBe('true')
    const other = { 'idempotency-key': `${key}-2` }
    await send(goingOn, { payload: '', headers: other })
    expect((await send(goingOn, { payload: '{}', headers: other })).headers['idempotent-replayed']).toBe(
      'true',
    )
    expect(chat.calls).toBe(2)
  })

  it('is not claimed by a request that is not valid', async () => {
    const { send } = await setup()
    expect((await send(goingOn, { payload: { message: 5 } })).statusCode).toBe(400)
    expect((await send(goingOn, { payload: { message: '5' } })).json()).toMatchObject({ number: 1 })
  })

  it('is refused with a body that nests as deep as it can be sent', async () => {
    const { chat, send } = await setup()
    const payload = `{"prefilledVariables":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`
    const refused = await send(publicStart, { payload })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({ code: 'BAD_REQUEST' })
    expect(chat.calls).toBe(0)
  })

  it('is written into no log', async () => {
    const { send, logLines } = await setup()
    await send(goingOn)
    await send(goingOn)
    expect(JSON.stringify(logLines)).not.toContain(key)
  })
})

it('says of a request whose answer is not kept any more that it was answered, for good', async () => {
  const dropped = { state: 'answered', answer: droppedAnswer } as const
  const idempotency = {
    key: 'k',
    fingerprint: 'f',
    replayed: () => expect.unreachable('nothing is replayed'),
  }
  const answer = repeatAnswer(dropped, { id: 's1', idempotency }, createTestChat())
  await expect(answer).rejects.toMatchObject({ code: 'CONFLICT', retryAfter: undefined })
})
