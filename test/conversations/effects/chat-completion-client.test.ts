import { describe, expect, it } from 'vitest'
import { requestCompletion } from '../../../src/conversations/effects/models/chat-completion-client.ts'
import type { OutgoingRequest, RequestOutcome } from '../../../src/engine/model/effect-payloads.ts'
import type { CredentialScope } from '../../../src/ports/credentials-port.ts'
import { createOutsideWorld, ok } from '../../fixtures/reaching-out.ts'

const scope: CredentialScope = { flowId: 'flow-1', workspaceId: 'w1', kind: 'live' }
const mayRepeat = () => true
const body = { model: 'tiny-1', messages: [{ role: 'user', content: 'Hi "you"' }] }

/** What a question comes to in a world where models answer this, and that world. */
async function asked(
  outcome: RequestOutcome,
  { credentialsId = 'c1', leftMs = 90_000 }: { credentialsId?: string; leftMs?: number } = {},
) {
  const world = createOutsideWorld()
  world.answers.request = async () => outcome
  const terms = { scope, timeoutMs: leftMs, name, mayRepeat }
  return {
    ...world,
    answer: await requestCompletion({ blockType: 'groq', credentialsId, body }, terms, world.chat),
  }
}

/** As the calls of a turn are named. */
const name = (request: OutgoingRequest): OutgoingRequest => ({
  ...request,
  headers: [...request.headers, ['idempotency-key', 'k1']],
})

const status = (number: number, text: string): RequestOutcome => ({ kind: 'response', status: number, text })

describe('a question to a model', () => {
  it('goes to the address of the account, with its key, and nowhere that a flow could name', async () => {
    const { sent, borrowed, answer, chat } = await asked(ok('{"choices":[]}'))
    expect(answer).toEqual({ kind: 'answer', body: { choices: [] } })
    expect(borrowed).toEqual([['groq c1', scope]])
    expect(sent).toEqual([
      {
        request: {
          method: 'POST',
          url: 'https://models.example/v1/chat/completions',
          headers: [
            ['authorization', 'Bearer sk-key'],
            ['content-type', 'application/json'],
            ['idempotency-key', 'k1'],
          ],
          body: JSON.stringify(body),
          timeoutMs: 60_000,
        },
        options: { signal: chat.closing, isTrusted: true, mayRepeat },
      },
    ])
  })

  it('has no more time than the turn has left', async () => {
    const { sent } = await asked(ok('{}'), { leftMs: 1200 })
    expect(sent[0]?.request.timeoutMs).toBe(1200)
  })

  it('uses the account of its type when the block names none', async () => {
    const { chat, borrowed } = createOutsideWorld()
    const question = { blockType: 'groq', credentialsId: undefined, body }
    await requestCompletion(question, { scope, timeoutMs: 1, name, mayRepeat }, chat)
    expect(borrowed).toEqual([['groq default-groq', scope]])
  })

  it('is not asked without an account', async () => {
    const { answer, sent } = await asked(ok('{}'), { credentialsId: 'none' })
    expect(answer).toEqual({ kind: 'no account' })
    expect(sent).toEqual([])
  })

  it.each<[string, RequestOutcome, object]>([
    [
      'an error status',
      status(429, '{"error":"slow down"}'),
      {
        message: "The model's server answered 429",
        details: expect.stringMatching(/^Ask less .*\n{"error":"slow down"}$/),
      },
    ],
    [
      'a status that is no success',
      status(304, ''),
      { message: "The model's server answered 304", details: '' },
    ],
    ['no JSON', ok('<p>'), { message: "The model's server answered no JSON", details: '<p>' }],
    ['no answer in time', { kind: 'timeout' }, { message: 'The model did not answer in time' }],
    ['a failure', { kind: 'failed', message: 'No connection' }, { message: 'No connection' }],
    ['a refusal', { kind: 'refused', reason: 'Bad header' }, { message: 'Bad header' }],
  ])('fails with %s', async (_name, outcome, expected) => {
    expect((await asked(outcome)).answer).toEqual({ kind: 'failed', ...expected })
  })

  it('never shows the key, though a server repeats it', async () => {
    const { answer } = await asked(status(401, 'Wrong key: sk-key. Get one instead of sk-key.'))
    expect(answer).toMatchObject({
      details: expect.stringMatching(/\nWrong key: \*{6}\. Get one instead of \*{6}\.$/),
    })
  })

  it.each([
    ['an error', { error: { message: 'Invalid key Bearer sk-key' } }, 'Invalid key Bearer ******'],
    ['a name', { 'sk-key': 1 }, '"******":1'],
    ['what the model says', { choices: [{ message: { content: 'It is sk-key.' } }] }, 'It is ******.'],
  ])('never passes the key on in %s', async (_, body, told) => {
    const { answer } = await asked(ok(JSON.stringify(body)))
    expect(JSON.stringify(answer)).toContain(told)
    expect(JSON.stringify(answer)).not.toContain('sk-key')
  })

  it('finds the key however JSON spells it', async () => {
    const apiKey = 'sk/long"key+1234'
    const credentials = {
      mailAccount: () => undefined,
      vendor: () => undefined,
      webhook: () => undefined,
      channel: () => undefined,
      model: () => ({ apiKey, baseUrl: 'https://models.example/v1' }),
    }
    const world = createOutsideWorld({ credentials })
    const question = { blockType: 'groq', credentialsId: 'c1', body }
    const told = async (outcome: RequestOutcome) => {
      world.answers.request = async () => outcome
      return requestCompletion(question, { scope, timeoutMs: 1, name, mayRepeat }, world.chat)
    }
    const text = '{"error":"of x\\u0073k\\/long\\"key+1234x"}'
    expect(await told(ok(text))).toEqual({ kind: 'answer', body: { error: 'of x******x' } })
    expect(await told(status(401, text))).toMatchObject({
      details: expect.stringMatching(/\n{"error":"of x\*{6}x"}$/),
    })
  })

  it('leaves words alone that a short key is a part of', async () => {
    const text = '{"choices":[{"message":{"content":"sk-keys, task-key and ask-key"}}]}'
    expect((await asked(ok(text))).answer).toEqual({ kind: 'answer', body: JSON.parse(text) })
  })

  it('fails with JSON that is nested beyond all bounds', async () => {
    const { answer } = await asked(ok('['.repeat(200_000) + ']'.repeat(200_000)))
    expect(answer).toMatchObject({ kind: 'failed', message: "The model's server answered no JSON" })
  })

  it('shows the beginning of a long error', async () => {
    const { answer } = await asked(status(500, 'x'.repeat(5000)))
    expect(answer).toMatchObject({ details: expect.stringMatching(/[^x]x{1000}$/) })
  })
})
