import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { TurnEffectExecutor } from '../../../src/conversations/effects/turn-effect-executor.ts'
import type { TurnOwner } from '../../../src/conversations/effects/turn-owner.ts'
import {
  createOutsideWorld,
  get,
  job,
  live,
  mailOf,
  ok,
  ran,
  stranger,
  trusted,
  turnIn,
} from '../../fixtures/reaching-out.ts'
import { defaultLimits } from '../../support/limits.ts'
import { nowhere } from '../../support/nowhere.ts'

type World = ReturnType<typeof createOutsideWorld>

/** The outside of one turn, in a world with the given limits. */
function open({ owner = live, ...limits }: { owner?: TurnOwner } & Partial<typeof defaultLimits> = {}) {
  const world = createOutsideWorld({ limits: { ...defaultLimits, ...limits } })
  return { ...world, outside: new TurnEffectExecutor(turnIn(world.chat, owner), owner, world.chat) }
}

const question = { blockType: 'openai', credentialsId: undefined, body: {} }

/** Everything that counts as a call, and what it comes to when there are none left. */
const calls: [
  name: string,
  make: (outside: TurnEffectExecutor, world: World) => Promise<unknown>,
  refused: object,
][] = [
  [
    'a request',
    (outside) => outside.request(get),
    { kind: 'spent', reason: 'The turn has made all the outgoing calls that it may (3)' },
  ],
  [
    'a mail',
    (outside) => outside.mail(mailOf(1)),
    { kind: 'refused', message: 'The turn has made all the outgoing calls that it may (3)' },
  ],
  [
    'a question to a model',
    (outside) => outside.complete(question),
    { kind: 'failed', message: 'The turn has made all the outgoing calls that it may (3)' },
  ],
]

describe('a request', () => {
  it('is sent as it is, and ends when the service closes', async () => {
    const { outside, sent, chat } = open()
    expect(await outside.request(get)).toEqual(ok('{}'))
    expect(sent).toEqual([{ request: get, options: { signal: chat.closing } }])
  })

  it('has no more time than the turn has left', async () => {
    const { outside, sent, pass } = open({ wholeTurnMs: 30_000 })
    pass(24_999.5)
    await outside.request(get)
    await outside.request({ ...get, timeoutMs: 10 })
    expect(sent.map(({ request }) => request.timeoutMs)).toEqual([5000, 10])
  })

  it('times out without being sent when the turn has no time left', async () => {
    const { outside, sent, pass } = open({ wholeTurnMs: 30_000 })
    pass(30_000)
    expect(await outside.request(get)).toEqual({ kind: 'timeout' })
    expect(sent).toEqual([])
  })
})

describe('the calls of a turn', () => {
  it.each(calls)('are counted, whatever they are: %s', async (_name, make, refused) => {
    const world = open({ callsPerTurn: 3 })
    for (let nth = 1; nth <= 3; nth++) expect(await world.outside.request(get)).toEqual(ok('{}'))
    expect(await make(world.outside, world)).toEqual(refused)
    expect([world.sent.length, world.posted.length]).toEqual([3, 0])
  })

  it.each(calls)('go down by one for %s', async (_name, make) => {
    const world = open({ callsPerTurn: 1 })
    await make(world.outside, world)
    expect(await world.outside.request(get)).toMatchObject({ kind: 'spent' })
  })

  it('are counted anew in the next turn', async () => {
    const { chat, sent } = createOutsideWorld({ limits: { ...defaultLimits, callsPerTurn: 1 } })
    for (let turn = 1; turn <= 2; turn++) {
      const outside = new TurnEffectExecutor(turnIn(chat), live, chat)
      await outside.request(get)
      await outside.request(get)
    }
    expect(sent.length).toBe(2)
  })

  it('include those that code makes', async () => {
    const { outside, answers, sent } = open({ callsPerTurn: 1 })
    const told: unknown[] = []
    answers.code = async (fetch) => {
      told.push(await fetch?.('https://a.example/', {}))
      told.push(await fetch?.('https://a.example/', {}).catch((error: Error) => error.message))
      return { ok: true, value: 1, assigned: [] }
    }
    await outside.evaluate([job])
    expect(told).toEqual(['{}', 'The turn has made all the outgoing calls that it may (1)'])
    expect(sent.length).toBe(1)
  })

  it('are not used up by what is not even tried', async () => {
    const { outside } = open({ owner: stranger, callsPerTurn: 1 })
    await outside.request(get)
    await outside.complete(question)
    expect(await outside.mail(mailOf(1))).toEqual({
      kind: 'refused',
      message: 'Emails are not sent in preview mode',
    })
  })
})

describe('a turn that has no time left', () => {
  it.each<[string, (outside: TurnEffectExecutor) => Promise<unknown>, object]>([
    [
      'runs no code',
      async (outside) => (await outside.evaluate([job]))[0],
      { ok: false, message: 'The turn has no time left (1000 ms)', reason: 'limit' },
    ],
    [
      'sends no mail',
      (outside) => outside.mail(mailOf(1)),
      { kind: 'refused', message: 'The turn has no time left (1000 ms)' },
    ],
    [
      'asks no model',
      (outside) => outside.complete(question),
      { kind: 'failed', message: 'The turn has no time left (1000 ms)' },
    ],
  ])('%s', async (_name, make, refused) => {
    const { outside, pass, sent, posted, jobs } = open({ wholeTurnMs: 1000 })
    pass(1000)
    expect(await make(outside)).toEqual(refused)
    expect([sent, posted, jobs]).toEqual([[], [], []])
  })

  it('gives up a mail that is under way', async () => {
    const { outside, answers, posted } = open({ wholeTurnMs: 20 })
    answers.mail = () =>
      new Promise((resolve) => {
        posted[0]?.signal?.addEventListener('abort', () => resolve({ kind: 'sent', details: {} }))
      })
    await outside.mail(mailOf(1))
    expect(posted[0]?.signal?.aborted).toBe(true)
  })
})

describe('code', () => {
  it('is handed to the sandbox as it is', async () => {
    const { outside, jobs } = open()
    expect(await outside.evaluate([job])).toEqual([{ ok: true, value: 1, assigned: [] }])
    expect(jobs).toEqual([job])
  })

  it('runs until the turn has used up its time for code', async () => {
    const { outside, answers, jobs } = open({ codeTurnMs: 3000 })
    answers.code = async () => ({ ok: false, message: 'cut off', reason: 'limit', ranMs: 1000 })
    const messages: unknown[] = []
    for (let nth = 1; nth <= 5; nth++) {
      const [result] = await outside.evaluate([job])
      messages.push(result?.ok || result?.message)
    }
    const spent = 'Code may run for 3000 ms in one turn'
    expect(messages).toEqual(['cut off', 'cut off', 'cut off', 'cut off', spent])
    expect(jobs.length).toBe(4)
  })

  it('runs the pieces of one effect in order, and no more once their time is used up', async () => {
    const { outside, answers, jobs } = open({ codeTurnMs: 1000 })
    answers.code = async () => ({ ok: true, value: jobs.length, assigned: [], ranMs: 1001 })
    const results = await outside.evaluate([job, { ...job, body: 'return 2' }])
    expect(results).toMatchObject([{ value: 1 }, { ok: false, reason: 'limit' }])
    expect(jobs).toEqual([job])
  })

  it('takes its requests along when it ends, and leaves nothing on the signal of the service', async () => {
    const { outside, answers, sent, chat } = open()
    const during: unknown[] = []
    answers.code = async (fetch) => {
      await fetch?.('https://a.example/', {})
      during.push(sent[0]?.options?.signal?.aborted)
      return ran
    }
    await outside.evaluate([job])
    expect([...during, sent[0]?.options?.signal?.aborted]).toEqual([false, true])
    expect(getEventListeners(chat.closing, 'abort')).toEqual([])
  })

  it('takes its requests along when the service closes', async () => {
    const { outside, answers, sent, close } = open()
    const during: unknown[] = []
    answers.code = async (fetch) => {
      void fetch?.('https://a.example/', {}).catch(() => undefined)
      close()
      during.push(sent[0]?.options?.signal?.aborted)
      return ran
    }
    await expect(outside.evaluate([job])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(during).toEqual([true])
  })

  it('does not pay for the time in which others keep it waiting', async () => {
    const { outside, answers, jobs, pass } = open({ codeTurnMs: 3000 })
    answers.code = async () => {
      pass(4000)
      return { ok: true, value: 1, assigned: [], ranMs: 100 }
    }
    for (let nth = 1; nth <= 5; nth++) expect(await outside.evaluate([job])).toMatchObject([{ ok: true }])
    expect(jobs.length).toBe(5)
  })

  it('does not pay for what was never run', async () => {
    const { outside, answers } = open({ codeTurnMs: 3000 })
    answers.code = async () => ({ ok: false, message: 'busy', reason: 'busy' })
    for (let nth = 1; nth <= 5; nth++)
      expect(await outside.evaluate([job])).toMatchObject([{ reason: 'busy' }])
  })
})

describe('the operator', () => {
  /** The outside of one turn, with everything that is counted. */
  function openCounted(limits: Partial<typeof defaultLimits> = {}, owner = live) {
    const counts: unknown[] = []
    const count = (what: unknown) => void counts.push(what)
    const kindOf = ({ kind }: { readonly kind: string }) => count(kind)
    const metrics = {
      ...nowhere.metrics,
      limitReached: count,
      requestDone: kindOf,
      mailDone: kindOf,
      questionDone: kindOf,
    }
    const world = createOutsideWorld({ limits: { ...defaultLimits, ...limits }, metrics })
    return { ...world, counts, outside: new TurnEffectExecutor(turnIn(world.chat, owner), owner, world.chat) }
  }

  it('receives the outcome of each call', async () => {
    const { outside, answers, counts } = openCounted()
    await outside.request(get)
    answers.request = async () => ({ kind: 'timeout' })
    await outside.request(get)
    await outside.mail(mailOf(1))
    await outside.complete(question)
    await outside.complete({ ...question, credentialsId: 'none' })
    expect(counts).toEqual(['response', 'timeout', 'sent', 'failed', 'no account'])
  })

  it('receives what code fetches', async () => {
    const { outside, answers, counts } = openCounted()
    answers.code = async (fetch) => ({
      ok: true,
      value: await fetch?.('https://a.example/', {}),
      assigned: [],
    })
    await outside.evaluate([job])
    expect(counts).toEqual(['response'])
  })

  it('receives what is not even tried', async () => {
    const { outside, counts } = openCounted({}, stranger)
    await outside.request(get)
    await outside.mail(mailOf(1))
    await outside.complete(question)
    expect(counts).toEqual(['off', 'refused', 'failed'])
  })

  it('receives the limit that a turn came up against', async () => {
    const { outside, answers, counts, pass } = openCounted({
      callsPerTurn: 0,
      codeTurnMs: 10,
      wholeTurnMs: 30,
    })
    await outside.request(get)
    expect(counts.splice(0)).toEqual(['callsPerTurn', 'spent'])
    answers.code = async () => ({ ...ran, ranMs: 11 })
    await outside.evaluate([job])
    await outside.evaluate([job])
    expect(counts.splice(0)).toEqual(['codeTurnMs'])
    pass(30)
    await outside.request(get)
    expect(counts).toEqual(['wholeTurnMs', 'timeout'])
  })
})

describe('what a preview may reach', () => {
  it.each<['on' | 'off' | 'auto', string, TurnOwner, boolean]>([
    ['on', 'a stranger', stranger, true],
    ['on', 'the holder of the token', trusted, true],
    ['auto', 'a stranger', stranger, false],
    ['auto', 'the holder of the token', trusted, true],
    ['off', 'a stranger', stranger, false],
    ['off', 'the holder of the token', trusted, false],
    ['off', 'a visitor of a published flow', live, true],
  ])('with PREVIEW_HTTP %s, for %s', async (previewHttp, _name, owner, isOn) => {
    const { chat, answers, sent } = createOutsideWorld({ previewHttp })
    const outside = new TurnEffectExecutor(turnIn(chat, owner), owner, chat)
    let fetched: unknown
    answers.code = async (fetch) => {
      fetched = await fetch?.('https://a.example/', {}).catch((error: Error) => error.message)
      return { ok: true, value: 1, assigned: [] }
    }
    const off = 'Requests are not sent from this preview'
    expect(await outside.request(get)).toEqual(isOn ? ok('{}') : { kind: 'off', reason: off })
    expect(await outside.complete(question)).toEqual(
      isOn ? { kind: 'answer', body: {} } : { kind: 'failed', message: off },
    )
    await outside.evaluate([job])
    expect(fetched).toBe(isOn ? '{}' : off)
    expect(sent.length).toBe(isOn ? 3 : 0)
  })

  it.each([
    ['a stranger', stranger],
    ['the holder of the token', trusted],
  ])('is no mail, whatever is turned on: %s', async (_name, owner) => {
    const { chat, posted, borrowed } = createOutsideWorld({ previewHttp: 'on' })
    const outside = new TurnEffectExecutor(turnIn(chat, owner), owner, chat)
    const refused = { kind: 'refused', message: 'Emails are not sent in preview mode' }
    expect(await outside.mail(mailOf(1))).toEqual(refused)
    expect([posted, borrowed]).toEqual([[], []])
  })
})

describe('a scope', () => {
  const flow = { id: 'flow-7', workspaceId: 'w1' }

  it.each([
    ['live', live, flow],
    ['trusted preview', trusted, {}],
    ['preview', stranger, {}],
  ])(
    'is told by what it is, and a draft has no name: %s',
    async (kind, owner, { id: flowId, workspaceId }: Partial<typeof flow>) => {
      const { chat, borrowed } = createOutsideWorld({ previewHttp: 'on' })
      await new TurnEffectExecutor(turnIn(chat, owner, flow), owner, chat).complete(question)
      expect(borrowed).toEqual([['openai default-openai', { flowId, workspaceId, kind }]])
    },
  )

  it('is the flow that is walked when it asks, in its own workspace', async () => {
    const { chat, borrowed } = createOutsideWorld()
    const turn = turnIn(chat, live, flow)
    const outside = new TurnEffectExecutor(turn, live, chat)
    await outside.mail(mailOf(1))
    turn.conversation.frames.push(
      ...turnIn(chat, live, { id: 'linked', workspaceId: 'w2' }).conversation.frames,
    )
    await outside.mail(mailOf(2))
    expect(borrowed.map(([, { flowId, workspaceId }]) => [flowId, workspaceId])).toEqual([
      ['flow-7', 'w1'],
      ['linked', 'w2'],
    ])
  })
})

describe('a service that closes', () => {
  it.each<[string, (outside: TurnEffectExecutor) => Promise<unknown>]>([
    ['a request', (outside) => outside.request(get)],
    ['code', (outside) => outside.evaluate([job])],
    ['a mail', (outside) => outside.mail(mailOf(1))],
    ['a question to a model', (outside) => outside.complete(question)],
  ])('ends the turn that waits for %s', async (_name, make) => {
    const world = open()
    const { answers, close } = world
    answers.request = async () => {
      close()
      return { kind: 'failed', message: 'The request was aborted' }
    }
    answers.code = async () => {
      close()
      return { ok: true, value: 1, assigned: [] }
    }
    answers.mail = async () => {
      close()
      return { kind: 'sent', details: {} }
    }
    await expect(make(world.outside)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is shutting down',
    })
  })

  it('ends a mail that is under way', async () => {
    const { outside, answers, posted, close } = open()
    answers.mail = async () => {
      close()
      return { kind: 'sent', details: {} }
    }
    await expect(outside.mail(mailOf(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(posted[0]?.signal?.aborted).toBe(true)
    await expect(outside.mail(mailOf(2))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(posted[1]?.signal?.aborted).toBe(true)
  })
})
