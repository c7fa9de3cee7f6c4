import { describe, expect, it } from 'vitest'
import { blockOf } from '../../../../schemas/common.ts'
import type { Mocks } from '../../../../schemas/mocks.ts'
import type { ChatDependencies } from '../../../../src/conversations/dependencies.ts'
import { createTurnExecutor } from '../../../../src/conversations/effects/create-turn-executor.ts'
import type { PerformedEffect } from '../../../../src/conversations/effects/effect-executor.ts'
import { type MockAnswer, MockWorld } from '../../../../src/conversations/effects/mocks/mock-world.ts'
import { defineBlock } from '../../../../src/engine/model/block-handler.ts'
import type { OutgoingRequest, RequestOutcome } from '../../../../src/engine/model/effect-payloads.ts'
import { createOutsideWorld, get, job, mailOf, ran, trusted, turnIn } from '../../../fixtures/reaching-out.ts'

const completion = { blockType: 'openai', credentialsId: 'none', body: { model: 'gpt-4o', messages: [] } }
const call = {
  vendor: 'zendesk',
  credentialsId: undefined,
  method: 'POST',
  path: '/a',
  timeoutMs: 1,
} as const
const accountless = { vendor: 'zendesk', credentialsId: undefined, claims: {} }

/** An effect of each kind, and what a dry run answers. A kind that is added does not compile until it is here. */
const effects: { readonly [Type in PerformedEffect['type']]: readonly [PerformedEffect, unknown] } = {
  now: [{ type: 'now' }, expect.any(Number)],
  random: [{ type: 'random' }, 0],
  id: [{ type: 'id' }, expect.any(String)],
  link: [{ type: 'link', flowId: 'x' }, { refusal: 'Flow "x" was not found' }],
  evaluate: [{ type: 'evaluate', jobs: [job] }, [{ ok: true, value: '{}', assigned: [] }]],
  request: [
    { type: 'request', request: get },
    { kind: 'response', status: 200, text: '{}' },
  ],
  mail: [
    { type: 'mail', mail: mailOf(1) },
    { kind: 'sent', details: {} },
  ],
  complete: [
    { type: 'complete', completion },
    { kind: 'answer', body: { choices: [{ message: { content: '[model: gpt-4o]' } }] } },
  ],
  callVendor: [
    { type: 'callVendor', call },
    { kind: 'response', status: 200, text: '{}' },
  ],
  signToken: [
    { type: 'signToken', request: accountless },
    { kind: 'token', token: 'mock-token' },
  ],
}

/** A turn of a preview with the token, in a world that keeps what gets out; code fetches. */
function open(mocks: Mocks, { previewHttp = 'on' }: Partial<Pick<ChatDependencies, 'previewHttp'>> = {}) {
  const world = createOutsideWorld({ previewHttp })
  world.answers.code = async (fetch) => ({ ...ran, value: await fetch?.('https://a.example/', {}) })
  const owner = { ...trusted, mocks: new MockWorld({ rules: mocks }) }
  const turn = turnIn(world.chat, owner)
  const executor = createTurnExecutor(turn, owner, { deps: world.chat, startedAt: 0 })
  return {
    ...world,
    executor,
    turn,
    mocks: owner.mocks,
    perform: async (e: PerformedEffect) => executor.perform(e),
  }
}

describe('a dry run', () => {
  it.each(Object.entries(effects))('lets nothing out: %s', async (_type, [effect, answer]) => {
    const { perform, sent, posted, borrowed } = open({})
    const given = await perform(effect)
    if (typeof answer === 'object') expect(given).toMatchObject(answer as object)
    else expect(given).toEqual(answer)
    expect([sent, posted, borrowed]).toEqual([[], [], []])
  })

  it('says what would have been sent, without secrets', async () => {
    const { perform, turn } = open({})
    const url = 'https://a.example/x?api_key=hush'
    await perform({ type: 'request', request: { ...get, url } })
    expect(turn.output.logs.map(({ description }) => description)).toEqual([
      'Dry run: GET https://a.example/x?api_key=*** was not sent, and no mock fits it',
    ])
  })

  it('makes no more calls than a turn may', async () => {
    const { perform, chat } = open({})
    for (let nth = 0; nth < chat.limits.callsPerTurn; nth++) await perform(effects.request[0])
    expect(await perform(effects.callVendor[0])).toMatchObject({ kind: 'spent' })
    expect(await perform(effects.complete[0])).toMatchObject({ kind: 'failed' })
  })
})

describe('a mock', () => {
  it.each<[name: string, mocks: Mocks, effect: PerformedEffect, answer: unknown]>([
    [
      'of a request, the first that fits',
      {
        http: [
          { match: { method: 'post' } },
          { match: { url: 'https://a.example/*' }, reply: { status: 201, text: 'x' } },
          {},
        ],
      },
      effects.request[0],
      { kind: 'response', status: 201, text: 'x' },
    ],
    [
      'of a request with a body',
      { http: [{ match: { json: { id: '{{any}}' } }, reply: { json: [1] } }] },
      { type: 'request', request: { ...get, method: 'POST', body: '{"id":7,"b":1}' } },
      { kind: 'response', status: 200, text: '[1]' },
    ],
    ['that fails', { http: [{ fail: 'timeout' }] }, effects.request[0], { kind: 'timeout' }],
    [
      'of a vendor',
      {
        vendors: [
          { match: { vendor: 'zendesk', path: '/*' }, reply: { json: { id: 1 } }, facts: { a: 'b' } },
        ],
      },
      effects.callVendor[0],
      { kind: 'response', status: 200, text: '{"id":1}', facts: { a: 'b' } },
    ],
    [
      'of a model that calls a function',
      { models: [{ match: { model: 'gpt-4o' }, tool: { name: 'lookup', args: { id: 1 } } }] },
      effects.complete[0],
      {
        body: {
          choices: [{ message: { tool_calls: [{ function: { name: 'lookup', arguments: '{"id":1}' } }] } }],
        },
      },
    ],
    [
      'of a model that counts tokens',
      { models: [{ reply: 'Hi', tokens: { input: 31, output: 4 } }] },
      effects.complete[0],
      { body: { usage: { prompt_tokens: 31, completion_tokens: 4, total_tokens: 35 } } },
    ],
    [
      'of a model that fails',
      { models: [{ fail: 429 }] },
      effects.complete[0],
      { kind: 'failed', message: "The model's server answered 429" },
    ],
    ['of mails', { mail: 'refuse' }, effects.mail[0], { kind: 'failed' }],
    [
      'of nothing that fits',
      { unmatched: 'fail' },
      effects.request[0],
      { kind: 'failed', message: 'No mock fits GET https://a.example/' },
    ],
  ])('answers: %s', async (_name, mocks, effect, answer) => {
    expect(await open(mocks).perform(effect)).toMatchObject(answer as object)
  })

  it('answers as often as it may, also in later turns', async () => {
    const { perform, mocks } = open({ http: [{ reply: { status: 404 }, times: 2 }] })
    const statuses = [await perform(effects.request[0])]
    const later = new MockWorld(structuredClone(mocks.kept))
    const again = () => (later.answerRequest(get, undefined) as MockAnswer<RequestOutcome>).outcome
    statuses.push(again(), again())
    expect(statuses).toMatchObject([{ status: 404 }, { status: 404 }, { status: 200 }])
  })

  it('takes its time, on a clock that stands', async () => {
    const slow = { after: '200ms', reply: { status: 201 } }
    const { perform, mocks } = open({
      clock: '2026-11-21T09:00:00Z',
      http: [slow],
      models: [{ after: '61s' }],
    })
    expect(await perform({ type: 'request', request: { ...get, timeoutMs: 200 } })).toMatchObject({
      status: 201,
    })
    expect(await perform({ type: 'request', request: { ...get, timeoutMs: 150 } })).toEqual({
      kind: 'timeout',
    })
    expect(mocks.now).toBe(Date.parse('2026-11-21T09:00:00.350Z'))
    expect(await perform(effects.complete[0])).toEqual({
      kind: 'failed',
      message: 'The model did not answer in time',
    })
  })

  it('takes no longer than is left of the turn', async () => {
    const { perform, chat } = open({ clock: '2026-11-21T09:00:00Z', http: [{ after: '9s' }] })
    const calls = Math.floor(chat.limits.wholeTurnMs / 9000)
    const kinds = []
    for (let nth = 0; nth <= calls; nth++) {
      const outcome = await perform({ type: 'request', request: { ...get, timeoutMs: 10_000 } })
      kinds.push((outcome as { kind: string }).kind)
    }
    expect(kinds).toEqual([...Array(calls).fill('response'), 'timeout'])
  })

  it('is waited for where the clock goes on, until the service ends', async () => {
    const { perform, close } = open({ http: [{ after: '1ms' }, { after: '9s' }] })
    expect(await perform(effects.request[0])).toMatchObject({ kind: 'response' })
    const waiting = open({ http: [{ after: '9s' }] })
    const answer = waiting.perform({ type: 'request', request: { ...get, timeoutMs: 10_000 } })
    waiting.close()
    expect(await answer).toMatchObject({ kind: 'response' })
    close()
  })

  it('lets calls pass into the world, as far as the preview may', async () => {
    const passing: Mocks = { http: [{ match: { method: 'GET' }, pass: true }], models: [{ pass: true }] }
    const { perform, sent, mocks } = open(passing)
    const [post] = [{ type: 'request', request: { ...get, method: 'POST' } } as const]
    for (const effect of [effects.request[0], post, effects.evaluate[0]]) await perform(effect)
    expect(sent.map(({ request }) => request.method)).toEqual(['GET', 'GET'])
    expect([mocks.hasPassed(effects.request[0]), mocks.hasPassed(post)]).toEqual([true, false])
    expect(await perform(effects.complete[0])).toEqual({ kind: 'no account' })
    const kept = open(passing, { previewHttp: 'off' })
    expect(await kept.perform(effects.request[0])).toMatchObject({ kind: 'off' })
    expect(kept.sent).toEqual([])
  })

  it('is of one block', () => {
    const rule = { match: { block: 'b1' }, reply: { status: 404 } }
    const world = new MockWorld({ rules: { http: [rule] } })
    const handler = undefined
    expect(world.answerRequest(get, { id: 'b2', handler })).toMatchObject({
      missed: 'GET https://a.example/',
    })
    expect(world.answerRequest(get, { id: 'b1', handler })).not.toHaveProperty('missed')
  })

  it('of a block type answers what the conversation has no rule for, as often for each of its blocks as it says', () => {
    const mock = { http: [{ reply: { text: 'of the type' }, times: 1 }] }
    const handler = defineBlock({
      schema: blockOf('a', {}),
      kind: 'integration',
      compile: () => 0,
      run: () => ({}),
      mock,
    })
    const rules: Mocks = { http: [{ match: { url: 'https://a.example/*' }, reply: { text: 'ours' } }] }
    const world = new MockWorld({ rules })
    const other = { ...get, url: 'https://b.example/' }
    const textOf = (mocks: MockWorld, request: OutgoingRequest, id: string) =>
      (mocks.answerRequest(request, { id, handler }) as MockAnswer<{ text: string }>).outcome.text
    expect(textOf(world, get, 'b1')).toBe('ours')
    expect(textOf(world, other, 'b1')).toBe('of the type')
    const later = new MockWorld(world.kept)
    expect([textOf(later, other, 'b1'), textOf(later, other, 'b2')]).toEqual(['{}', 'of the type'])
    expect(new MockWorld({ rules }).unused).toEqual(['/mocks/http/0'])
    expect(later.unused).toEqual([])
  })

  it('that never fitted is named', () => {
    const world = new MockWorld({ rules: { http: [{ match: { url: 'x' } }, {}], models: [{}] } })
    world.answerRequest(get, undefined)
    expect(world.unused).toEqual(['/mocks/http/0', '/mocks/models/0'])
  })
})

describe('a fixed world', () => {
  it('has its own clock, chance and ids, which go on in later turns', async () => {
    const { perform, mocks } = open({ clock: '2026-11-21T09:00:00Z', random: [0.25], ids: 'count' })
    const drawn = [await perform({ type: 'random' }), await perform({ type: 'random' })]
    expect(await perform({ type: 'now' })).toBe(Date.parse('2026-11-21T09:00:00Z'))
    expect([await perform({ type: 'id' }), new MockWorld(mocks.kept).createId()]).toEqual([
      'value-1',
      'value-2',
    ])
    expect(drawn[0]).toBe(0.25)
    expect(new MockWorld({ rules: { random: [0.25] }, drawn: 1 }).random()).toBe(drawn[1])
  })

  it('draws other numbers by each seed, evenly', () => {
    const world = new MockWorld({ rules: { seed: 7 } })
    const numbers = Array.from({ length: 2000 }, () => world.random() ?? -1)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    expect(Math.abs(numbers.reduce((sum, number) => sum + number, 0) / 2000 - 0.5)).toBeLessThan(0.03)
    expect(new MockWorld({ rules: { seed: 8 } }).random()).not.toBe(numbers[0])
  })
})
