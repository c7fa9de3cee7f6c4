import { describe, expect, it, onTestFinished } from 'vitest'
import type { Session } from '../../../src/sessions/session.ts'
import type {
  ConversationStore,
  Entered,
  EnteredStart,
  EnterRequest,
  EnterStartRequest,
  IdempotencyKey,
  TurnCommit,
} from '../../../src/stores/conversation-store.ts'
import type { ResultStore, ResultUpdate } from '../../../src/stores/result-store.ts'
import { defaultLimits } from '../../support/limits.ts'

/**
 * A back end that is empty, roomy for what these tests keep, and lets 16 turns of a process wait for one session. Sessions live for
 * `ttlMs`, answers for `answerMs`, which is less. A lease that is not renewed is lost after `leaseMs`; a turn waits for those of other processes for `waitMs`.
 */
export interface ConversationStoreFixture {
  /** Opens one more process on the back end. */
  open(): ConversationStore | Promise<ConversationStore>
  /** Ends a process as `kill -9` does: it gives nothing back, and renews no lease. Its handle can still be called. */
  kill(process: ConversationStore): void | Promise<void>
  /** Results as any process reads them. */
  readonly results: ResultStore
  readonly ttlMs: number
  readonly answerMs: number
  readonly leaseMs: number
  readonly waitMs: number
  /** Lets time pass for the back end. */
  advance(ms: number): void | Promise<void>
  /** Whether the back end works on nothing; a back end that does not know is taken to be quick. */
  isIdle?(): boolean | Promise<boolean>
  /** Lets go of what `open` did not open. */
  close?(): void | Promise<void>
}

export const waitingTurns = 16

/** A session with every field, in every shape that its values have. */
export const wholeSession: Required<Session> = {
  id: 's1',
  kind: 'live',
  state: 'waiting',
  createdAt: 1_795_252_621_712,
  queue: [
    { program: 'hash-2', flowId: 'flow-2', variables: [], answers: [], sharesVariables: true, isAside: true },
    {
      program: 'hash-1',
      flowId: 'flow-1',
      variables: [
        ['v1', 'Zoë "Ω" 🙂 \u2028'],
        ['v2', ['a', null, '']],
        ['__proto__', null],
      ],
      inherited: [['Name', 'x']],
      sessionOnly: ['v1'],
      resultId: 'r1',
      answers: [['Name', 'Zoë']],
      resumeAt: { blockId: 'b2', groupId: 'g1' },
      mergesResults: true,
    },
  ],
  waitingBlock: { blockId: 'b1' },
  locale: 'pt-BR',
  isStreamEnabled: true,
  answered: 2,
  mails: 1,
  isProgressTracked: false,
  returnMarks: [{ height: 0, blockId: 'b3', reply: { type: 'text', text: '' } }],
  transcript: ['User: "hi"'],
  publicId: 'welcome',
  result: { flowId: 'flow-1', id: 'r1' },
  isTrusted: true,
  needsToken: true,
  payment: {
    blockId: 'pay',
    intentId: 'pi_1',
    clientSecret: 'pi_1_secret',
    publicKey: 'pk_1',
    amount: 1250,
    currency: 'eur',
    success: 'Thank you',
    resultId: 'r1',
    isPaid: true,
  },
  trace: {
    turns: 7,
    kept: [
      {
        turn: 7,
        entry: 'continue',
        flow: { id: 'flow-1', hash: 'hash-1' },
        startedAt: '2026-11-21T09:17:01.712Z',
        engineMs: 0.5,
        wallMs: 12,
        came: [],
        steps: [],
      },
    ],
  },
  channel: {
    name: 'support',
    messenger: 'whatsapp',
    to: '33612345678',
    heard: 'wamid.1',
    asked: { turn: 3, hash: 'a', isNumbered: true },
    referral: { sourceId: 'ad', clickId: 'click' },
  },
  counted: [1_795_252_621_712, 'AQ', [['locale', 'pt-BR']]],
  pause: {
    since: 1_795_252_621_712,
    reason: 'asked for it',
    who: 'Support',
    until: 1_795_252_921_712,
    isByFlow: true,
    isAwaited: true,
    isMarkdown: true,
    sleep: { until: 1_795_252_921_712, replies: [{ type: 'text', text: 'hm' }] },
  },
  mocks: {
    rules: {
      http: [{ match: { url: 'https://a.example/*' }, reply: { json: { a: 1 } } }],
      clock: '2026-11-21',
    },
    used: [['http/0', 2]],
    drawn: 3,
    ids: 1,
    advancedMs: 60_000,
  },
  recording: {
    start: {
      program: 'hash-1',
      flowId: 'flow-1',
      isProgressTracked: false,
      areResultsRead: true,
      limits: defaultLimits,
    },
    turns: [
      {
        entry: 'start',
        request: { message: 'hi' },
        effects: [{ type: 'now', key: 'k', answer: 5, blocks: 0 }],
        blocks: ['b1'],
        response: '{"messages":[]}',
        left: 'hash-of-state',
      },
    ],
    isCut: true,
  },
  timers: [{ type: 'idle', due: 1_795_252_681_712, eventId: 'e1', fired: 1, isMarkdown: true }],
  contact: {
    id: 'user-1',
    name: 'Zoë',
    email: 'zoe@a.example',
    phone: '+33612345678',
    timeZone: 'Europe/Paris',
    isVerified: true,
    readAt: 1_795_252_621_700,
    memory: [['Likes', ['tea', null]]],
  },
  said: [
    { revision: 3, messages: [{ id: 'b1', type: 'text', content: { type: 'markdown', markdown: '“Hi”' } }] },
  ],
}

/** The least that a session can be. */
export const smallSession: Session = {
  id: 's2',
  kind: 'preview',
  state: 'ended',
  createdAt: 0,
  queue: [],
  answered: 0,
}

export const liveSession = (id: string, more: Partial<Session> = {}): Session => ({
  ...smallSession,
  id,
  kind: 'live',
  state: 'waiting',
  ...more,
})

/** A change that adds one answer to a result. */
export const answering = (id: string, content: string, more: Partial<ResultUpdate> = {}): ResultUpdate => ({
  id,
  flowId: 'flow-1',
  now: 1_795_252_621_712,
  answers: [{ blockId: 'b1', content }],
  hasStarted: true,
  lastChatSessionId: 's1',
  ...more,
})

/** Enters, and expects to be let in. */
export async function enter(store: ConversationStore, id: string, idempotency?: IdempotencyKey) {
  const entered = await store.enter({ id, idempotency } satisfies EnterRequest)
  expect(entered.state).toBe('entered')
  return entered as Entered
}

async function enterStart(store: ConversationStore, request: EnterStartRequest): Promise<EnteredStart> {
  const entered = await store.enterStart(request)
  expect(entered.state).toBe('entered')
  return entered as EnteredStart
}

/** One more turn of a live session, which counts its turns. */
async function countTurn(store: ConversationStore, id: string): Promise<void> {
  const { lease, conversation } = await enter(store, id)
  await new Promise(setImmediate)
  const session = { ...conversation.session, answered: conversation.session.answered + 1 }
  expect(await store.commit(lease, { session, results: [] })).toBe(conversation.revision + 1)
}

const answeredOf = async (store: ConversationStore, id: string) => (await store.look(id))?.session.answered

const contentsOf = async (results: ResultStore, id: string) =>
  (await results.get('flow-1', id))?.answers.map(({ content }) => content)

type Setup = () => ConversationStoreFixture | Promise<ConversationStoreFixture>

/** Defines what a conversation store is: each implementation has to pass. */
export function describeConversationStore(name: string, setup: Setup): void {
  async function open() {
    const fixture = await setup()
    const store = await fixture.open()
    const other = await fixture.open()
    onTestFinished(async () => {
      await store.close()
      await other.close()
      await fixture.close?.()
    })
    /** Lets whatever is on its way arrive. */
    const settle = async () => {
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setTimeout(resolve, 10))
      await expect.poll(() => fixture.isIdle?.() ?? true, { interval: 5 }).toBe(true)
    }
    return { ...fixture, store, other, settle }
  }

  /** A back end that holds one live session. */
  async function holding(more: Partial<Session> = {}) {
    const opened = await open()
    await opened.store.start({ session: liveSession('s1', more), results: [] })
    return opened
  }

  describe(name, () => {
    describe('looking', () => {
      it.each([
        ['with every field', wholeSession],
        ['with the least of fields', smallSession],
      ])('gives back a session %s as it was kept, with its revision', async (_, session) => {
        const { store, other } = await open()
        await store.start({ session, results: [] })
        expect(await store.look(session.id)).toEqual({ session, revision: 1 })
        expect(await other.look(session.id)).toEqual({ session, revision: 1 })
      })

      it('knows nothing of an id that was never kept', async () => {
        const { store } = await holding()
        for (const id of ['s', 's10', '__proto__', 'constructor', ''])
          expect(await store.look(id)).toBeUndefined()
      })

      it('keeps ids beyond ASCII apart', async () => {
        const { store } = await open()
        await store.start({ session: liveSession('é', { answered: 1 }), results: [] })
        await store.start({ session: liveSession('日', { answered: 2 }), results: [] })
        expect([await answeredOf(store, 'é'), await answeredOf(store, '日')]).toEqual([1, 2])
      })

      it('finds the live session of an id before the preview, and the preview where there is none', async () => {
        const { store } = await open()
        await store.start({ session: { ...smallSession, id: 'a', answered: 1 }, results: [] })
        expect(await answeredOf(store, 'a')).toBe(1)
        await store.start({ session: liveSession('a', { answered: 2 }), results: [] })
        expect(await answeredOf(store, 'a')).toBe(2)
        expect((await enter(store, 'a')).conversation.session.answered).toBe(2)
      })

      it('waits for no turn, and shows nothing of one that has not been committed', async () => {
        const { store, other } = await holding()
        await enter(store, 's1')
        expect(await other.look('s1')).toMatchObject({ revision: 1, session: { answered: 0 } })
      })

      it('returns sessions that were kept at once, whatever their texts hold', async () => {
        const { store } = await open()
        const texts = ['', '"\\"', '\u0001', '\u0000\n', '{a,"b"}', 'NULL']
        const start = (text: string, index: number) =>
          store.start({ session: liveSession(`t${index}`, { transcript: [text] }), results: [] })
        await Promise.all(texts.map(start))
        for (const [index, text] of texts.entries())
          expect((await store.look(`t${index}`))?.session.transcript).toEqual([text])
      })

      it('shares nothing with who kept, and nothing with who reads', async () => {
        const { store } = await open()
        const transcript = ['a']
        await store.start({ session: liveSession('s1', { transcript }), results: [] })
        transcript.push('b')
        Object.assign((await store.look('s1'))?.session ?? {}, { answered: 7 })
        expect((await store.look('s1'))?.session).toEqual(liveSession('s1', { transcript: ['a'] }))
      })
    })

    describe('time to live', () => {
      it('keeps a session for its time to live, and forgets one that was left alone for longer', async () => {
        const { store, ttlMs, advance } = await holding()
        await advance(ttlMs / 2)
        expect(await store.look('s1')).toBeDefined()
        await advance(ttlMs * 1.1)
        expect(await store.look('s1')).toBeUndefined()
        expect(await store.enter({ id: 's1' })).toEqual({ state: 'not found' })
      })

      it('is why a session is missing for one more, and nothing is known of others', async () => {
        const { store, ttlMs, advance } = await holding()
        expect(await store.whyMissing('never')).toBe('unknown')
        await advance(ttlMs * 1.1)
        expect(await store.look('s1')).toBeUndefined()
        expect(await store.whyMissing('s1')).toBe('expired')
        await advance(ttlMs * 1.1)
        expect(await store.whyMissing('s1')).toBe('unknown')
      })

      it('is no matter of an id that no session can have', async () => {
        const { store } = await open()
        for (const id of ['', '\0', 'a\0b', '\ud800', 'x'.repeat(20_000)]) {
          expect(await store.enter({ id })).toEqual({ state: 'not found' })
          expect(await store.look(id)).toBeUndefined()
          expect(await store.whyMissing(id)).toBe('unknown')
        }
      })

      it('is not why a session is missing that was erased', async () => {
        const { store, ttlMs, advance } = await holding()
        await advance(ttlMs * 1.1)
        await store.look('s1')
        await store.erase('s1')
        expect(await store.whyMissing('s1')).toBe('unknown')
      })

      it('starts anew with each turn', async () => {
        const { store, ttlMs, advance } = await holding()
        for (let turns = 0; turns < 3; turns++) {
          await advance(ttlMs * 0.7)
          await countTurn(store, 's1')
        }
        await advance(ttlMs * 0.7)
        expect(await answeredOf(store, 's1')).toBe(3)
      })

      it('is not renewed by what happens to others', async () => {
        const { store, ttlMs, advance } = await holding()
        await advance(ttlMs * 0.7)
        await store.start({ session: liveSession('s3'), results: [] })
        await countTurn(store, 's3')
        await advance(ttlMs * 0.7)
        expect(await store.look('s1')).toBeUndefined()
        expect(await store.look('s3')).toBeDefined()
      })
    })

    describe('timers', () => {
      const dueIn = (ms: number) => [{ type: 'idle' as const, eventId: 'e1', due: Date.now() + ms }]
      const idsDue = async (store: ConversationStore, limit = 10) =>
        (await store.due(limit)).map(({ id }) => id)

      it('come due at their time, the earliest first, and at most so many', async () => {
        const { store, other, advance } = await open()
        for (const [id, ms] of [
          ['c', 6000],
          ['a', 2000],
          ['never', undefined],
          ['d', 90_000],
          ['b', 4000],
        ] as const)
          await store.start({ session: liveSession(id, { timers: ms && dueIn(ms) }), results: [] })
        const preview = { ...smallSession, id: 'p', state: 'waiting' as const, timers: dueIn(3000) }
        await other.start({ session: preview, results: [] })
        expect(await idsDue(store)).toEqual([])
        await advance(10_000)
        expect(await idsDue(other)).toEqual(['a', 'p', 'b', 'c'])
        expect(await idsDue(other, 2)).toEqual(['a', 'p'])
        expect(await idsDue(store, 1)).toEqual(['a'])
      })

      it('belong to a revision: a turn that moves or drops them leaves nothing due', async () => {
        const { store, other, advance } = await open()
        for (const id of ['moved', 'dropped', 'left'])
          await store.start({ session: liveSession(id, { timers: dueIn(1000) }), results: [] })
        await advance(2000)
        for (const [id, timers] of [
          ['moved', dueIn(5000)],
          ['dropped', undefined],
        ] as const) {
          const { lease } = await enter(other, id)
          await other.commit(lease, { session: liveSession(id, { timers }), results: [] })
        }
        expect(await store.due(10)).toEqual([{ id: 'left', revision: 1 }])
        await advance(6000)
        expect(await store.due(10)).toEqual([
          { id: 'left', revision: 1 },
          { id: 'moved', revision: 2 },
        ])
      })

      it('are not due while a turn of the session is under way, nor once it is erased', async () => {
        const { store, other, advance } = await holding({ timers: dueIn(1000) })
        await advance(2000)
        const { lease } = await enter(other, 's1')
        expect(await store.due(10)).toEqual([])
        expect(await store.enter({ id: 's1', isIdleOnly: true })).toEqual({ state: 'too many waiting' })
        await other.release(lease)
        expect(await idsDue(store)).toEqual(['s1'])
        await store.erase('s1')
        expect(await idsDue(store)).toEqual([])
      })

      it('keep a session until they are due, and for its time to live from then on', async () => {
        const { store, ttlMs, advance } = await holding({ timers: dueIn(5 * 120_000) })
        await advance(4.5 * 120_000)
        expect(await idsDue(store)).toEqual([])
        await advance(60_000 + ttlMs / 2)
        expect(await idsDue(store)).toEqual(['s1'])
        expect((await enter(store, 's1')).conversation.revision).toBe(1)
        await advance(ttlMs * 1.1)
        expect(await idsDue(store)).toEqual([])
      })

      it('stay where a payload comes in', async () => {
        const { store, advance } = await holding({ timers: dueIn(1000) })
        await store.receiveWebhook({ id: 's1', revision: 1, text: '{}' })
        await advance(2000)
        expect(await store.due(10)).toEqual([{ id: 's1', revision: 1 }])
      })
    })

    describe('turns', () => {
      it('enter with the session and the revision of the last commit', async () => {
        const { store, other } = await holding()
        await countTurn(store, 's1')
        await countTurn(other, 's1')
        const { conversation, lease } = await enter(store, 's1')
        expect(conversation).toEqual({ session: liveSession('s1', { answered: 2 }), revision: 3 })
        expect(lease.id).toBe('s1')
      })

      it('do not enter what is not there', async () => {
        const { store } = await holding()
        expect(await store.enter({ id: 's2' })).toEqual({ state: 'not found' })
      })

      it('lose no change when many of one session read, wait and commit in several processes', async () => {
        const { store, other } = await holding()
        for (let rounds = 0; rounds < 3; rounds++) {
          const turns = Array.from({ length: waitingTurns + 1 }, (_, nth) =>
            countTurn(nth % 2 === 0 ? store : other, 's1'),
          )
          await Promise.all(turns)
        }
        expect(await store.look('s1')).toMatchObject({
          revision: 1 + 3 * (waitingTurns + 1),
          session: { answered: 3 * (waitingTurns + 1) },
        })
      })

      it('enter in order of arrival inside a process, whatever each takes and whoever comes between them', async () => {
        const { store, other, settle } = await holding()
        const order: number[] = []
        const turns: Promise<void>[] = []
        for (let nth = 0; nth < 9; nth++) {
          const process = nth % 2 === 0 ? store : other
          turns.push(
            enter(process, 's1').then(async ({ lease, conversation }) => {
              order.push(nth)
              for (let ticks = nth % 3; ticks > 0; ticks--) await new Promise(setImmediate)
              await process.commit(lease, { ...conversation, results: [] })
            }),
          )
          // What is sent later may arrive earlier, when it is sent from elsewhere.
          await settle()
          await Promise.all([store.look('s1'), other.look('s1')])
        }
        await Promise.all(turns)
        expect(order.filter((nth) => nth % 2 === 0)).toEqual([0, 2, 4, 6, 8])
        expect(order.filter((nth) => nth % 2 === 1)).toEqual([1, 3, 5, 7])
      })

      it('hold up no other session', async () => {
        const { store, other } = await holding()
        await store.start({ session: liveSession('s3'), results: [] })
        await enter(store, 's1')
        await countTurn(other, 's3')
        expect(await answeredOf(store, 's3')).toBe(1)
      })

      it('leave everything as it was when they are released, and let the next one enter', async () => {
        const { store, other } = await holding()
        const { lease } = await enter(store, 's1')
        const next = enter(other, 's1')
        await store.release(lease)
        await store.release(lease)
        const { conversation, lease: second } = await next
        expect(conversation).toEqual({ session: liveSession('s1'), revision: 1 })
        expect(await store.isHeld(lease)).toBe(false)
        expect(await other.isHeld(second)).toBe(true)
      })

      it('commit once, and never after their release', async () => {
        const { store } = await holding()
        const turn = { session: liveSession('s1', { answered: 1 }), results: [] }
        const first = await enter(store, 's1')
        expect(await store.commit(first.lease, turn)).toBe(2)
        expect(await store.commit(first.lease, { ...turn, session: liveSession('s1') })).toBeUndefined()
        const second = await enter(store, 's1')
        await store.release(second.lease)
        expect(await store.commit(second.lease, turn)).toBeUndefined()
        expect(await store.look('s1')).toMatchObject({ revision: 2, session: { answered: 1 } })
      })

      it('are refused when sixteen wait, and are taken again later', async () => {
        const { store, settle } = await holding()
        const first = await enter(store, 's1')
        const waiting = Array.from({ length: waitingTurns }, () => countTurn(store, 's1'))
        await settle()
        expect(await store.enter({ id: 's1' })).toEqual({ state: 'too many waiting' })
        expect(await store.enter({ id: 's1', idempotency: { key: 'k', fingerprint: 'f' } })).toEqual({
          state: 'too many waiting',
        })
        await store.release(first.lease)
        await Promise.all(waiting)
        expect(await answeredOf(store, 's1')).toBe(waitingTurns)
        await enter(store, 's1', { key: 'k', fingerprint: 'f' })
      })

      it('wait for another process until the end of their time, whoever was before them, and are taken again later', async () => {
        const { store, other, waitMs, advance, settle } = await holding()
        const idempotency = { key: 'k', fingerprint: 'f' }
        const { lease } = await enter(store, 's1')
        const waiting = [other.enter({ id: 's1', idempotency }), other.enter({ id: 's1' })]
        await settle()
        await advance(waitMs * 0.8)
        const late = enter(other, 's1')
        expect(await other.enter({ id: 's1', idempotency })).toEqual({ state: 'running' })
        await advance(waitMs * 0.4)
        expect(await Promise.all(waiting)).toEqual([
          { state: 'too many waiting' },
          { state: 'too many waiting' },
        ])
        await store.release(lease)
        await other.release((await late).lease)
        await enter(other, 's1', idempotency)
      })

      it('find nothing any more when the one before has ended in an erasure', async () => {
        const { store, settle } = await holding()
        const { lease } = await enter(store, 's1')
        const erased = store.erase('s1')
        await settle()
        const late = store.enter({ id: 's1' })
        await store.release(lease)
        await erased
        expect(await late).toEqual({ state: 'not found' })
      })
    })

    describe('a lease', () => {
      it('is lost with its process: its commit is refused, and the next turn enters', async () => {
        const { store, other, kill, leaseMs, advance, results, settle } = await holding()
        const { lease } = await enter(store, 's1')
        const next = enter(other, 's1')
        await settle()
        await kill(store)
        await advance(leaseMs * 1.5)
        const { conversation } = await next
        expect(conversation).toEqual({ session: liveSession('s1'), revision: 1 })
        const late = { session: liveSession('s1', { answered: 9 }), results: [answering('r1', 'late')] }
        expect(await store.isHeld(lease)).toBe(false)
        expect(await store.commit(lease, late)).toBeUndefined()
        expect(await answeredOf(other, 's1')).toBe(0)
        expect(await results.get('flow-1', 'r1')).toBeUndefined()
      })

      it('is lost though no turn waits for it', async () => {
        const { store, other, kill, leaseMs, advance } = await holding()
        await enter(store, 's1')
        await kill(store)
        await advance(leaseMs * 1.5)
        await countTurn(other, 's1')
        expect(await answeredOf(other, 's1')).toBe(1)
      })

      it('renews itself for as long as a turn takes', async () => {
        const { store, leaseMs, advance } = await holding()
        const { lease, conversation } = await enter(store, 's1')
        for (let times = 0; times < 4; times++) await advance(leaseMs / 2)
        expect(await store.isHeld(lease)).toBe(true)
        expect(await store.commit(lease, { ...conversation, results: [] })).toBe(2)
      })

      it('of a process that waits and ends holds no other up', async () => {
        const { store, other, kill, open: more, leaseMs, advance, settle } = await holding()
        const { lease } = await enter(store, 's1')
        void Promise.resolve(other.enter({ id: 's1' })).catch(() => undefined)
        await settle()
        const third = await more()
        onTestFinished(() => third.close())
        const last = enter(third, 's1')
        await settle()
        await kill(other)
        await store.release(lease)
        await advance(leaseMs * 1.5)
        expect((await last).conversation.revision).toBe(1)
      })
    })

    describe('a commit', () => {
      it('keeps the session, every result and the answer as one', async () => {
        const { store, other, results } = await holding()
        const idempotency = { key: 'k', fingerprint: 'f' }
        const { lease } = await enter(store, 's1', idempotency)
        const session = liveSession('s1', { answered: 1 })
        const changes = [answering('r1', 'a'), answering('r2', 'b', { flowId: 'flow-2' })]
        await store.commit(lease, { session, results: changes, answer: 'done' })
        expect(await other.look('s1')).toEqual({ session, revision: 2 })
        expect(await contentsOf(results, 'r1')).toEqual(['a'])
        expect(await results.get('flow-2', 'r2')).toMatchObject({ answers: [{ content: 'b' }] })
        expect(await other.enter({ id: 's1', idempotency })).toEqual({ state: 'answered', answer: 'done' })
      })

      it('keeps a session that has ended', async () => {
        const { store } = await holding()
        const { lease } = await enter(store, 's1')
        const session = liveSession('s1', { state: 'ended', result: { flowId: 'flow-1', id: 'r1' } })
        await store.commit(lease, { session, results: [] })
        expect(await store.look('s1')).toEqual({ session, revision: 2 })
      })

      it('appends to a result what two sessions answer, and never takes its completion back', async () => {
        const { store, other, results } = await open()
        const variables = (value: string) => [{ id: 'v1', name: 'Name', value }]
        const first = answering('r1', 'a', { variables: variables('A'), isCompleted: true })
        await store.start({ session: liveSession('s1'), results: [first] })
        await other.start({
          session: liveSession('s2'),
          results: [answering('r1', 'b', { variables: variables('B'), lastChatSessionId: 's2' })],
        })
        const { lease } = await enter(store, 's1')
        const third = answering('r1', 'c', { variables: variables('C'), isCompleted: false })
        await store.commit(lease, { session: liveSession('s1'), results: [third] })
        expect(await contentsOf(results, 'r1')).toEqual(['a', 'b', 'c'])
        expect(await results.get('flow-1', 'r1')).toMatchObject({
          variables: variables('C'),
          isCompleted: true,
          hasStarted: true,
          lastChatSessionId: 's1',
        })
      })

      it('leaves out the result that was erased, and keeps the rest', async () => {
        const { store, results } = await open()
        await store.start({ session: liveSession('s1'), results: [answering('r1', 'a')] })
        const { lease } = await enter(store, 's1')
        await results.delete('flow-1', ['r1'])
        const session = liveSession('s1', { answered: 1 })
        const changes = [answering('r1', 'b'), answering('r2', 'c')]
        expect(await store.commit(lease, { session, results: changes })).toBe(2)
        expect(await results.get('flow-1', 'r1')).toBeUndefined()
        expect(await contentsOf(results, 'r2')).toEqual(['c'])
        await store.start({ session: liveSession('s3'), results: [answering('r1', 'd')] })
        expect(await results.get('flow-1', 'r1')).toBeUndefined()
      })
    })

    describe('a key', () => {
      const idempotency = { key: 'k', fingerprint: 'f' }
      const turn: TurnCommit = { session: liveSession('s1', { answered: 1 }), results: [], answer: '{"a":1}' }

      it('is running until its turn is committed, also while that waits, and answered afterwards', async () => {
        const { store, other, settle } = await holding()
        const first = await enter(store, 's1')
        const waiting = enter(store, 's1', idempotency)
        await settle()
        expect(await other.enter({ id: 's1', idempotency })).toEqual({ state: 'running' })
        await store.release(first.lease)
        const { lease } = await waiting
        expect(await other.enter({ id: 's1', idempotency })).toEqual({ state: 'running' })
        await store.commit(lease, turn)
        for (const process of [store, other, store]) {
          expect(await process.enter({ id: 's1', idempotency })).toEqual({
            state: 'answered',
            answer: '{"a":1}',
          })
        }
        expect((await store.look('s1'))?.revision).toBe(2)
      })

      it.each(['{"text":"Zoë Ω 🙂 \\u2028"}', '', '"f"', '\n', '{"state":"claimed"}'])(
        'gives the answer %j as it was',
        async (answer) => {
          const { store, other } = await holding()
          const { lease } = await enter(store, 's1', idempotency)
          await store.commit(lease, { ...turn, answer })
          expect(await other.enter({ id: 's1', idempotency })).toEqual({ state: 'answered', answer })
        },
      )

      it('is answered while another turn is under way', async () => {
        const { store, other } = await holding()
        await store.commit((await enter(store, 's1', idempotency)).lease, turn)
        await enter(store, 's1')
        expect(await other.enter({ id: 's1', idempotency })).toMatchObject({ state: 'answered' })
      })

      it.each([
        ['f', 'g'],
        ['f', ''],
        ['', 'f'],
        ['f', 'f"'],
        ['ff', 'f'],
      ])('tells a request %j from a request %j, before and after it is answered', async (one, two) => {
        const { store, other } = await holding()
        const { lease } = await enter(store, 's1', { key: 'k', fingerprint: one })
        const second = { id: 's1', idempotency: { key: 'k', fingerprint: two } }
        expect(await other.enter(second)).toEqual({ state: 'other request' })
        await store.commit(lease, turn)
        expect(await other.enter(second)).toEqual({ state: 'other request' })
      })

      it('is free again after a release, and where nothing was found', async () => {
        const { store, other } = await holding()
        await store.release((await enter(store, 's1', idempotency)).lease)
        const other2 = { key: 'k', fingerprint: 'g' }
        await other.commit((await enter(other, 's1', other2)).lease, turn)
        expect(await store.enter({ id: 's9', idempotency })).toEqual({ state: 'not found' })
        await store.start({ session: liveSession('s9'), results: [] })
        await enter(store, 's9', other2)
      })

      it('counts for one session', async () => {
        const { store } = await holding()
        await store.start({ session: liveSession('s3'), results: [] })
        await store.commit((await enter(store, 's1', idempotency)).lease, turn)
        await enter(store, 's3', { key: 'k', fingerprint: 'g' })
      })

      it('is free for a repetition when its process has ended', async () => {
        const { store, other, kill, leaseMs, advance } = await holding()
        await enter(store, 's1', idempotency)
        await kill(store)
        await advance(leaseMs * 1.5)
        expect((await enter(other, 's1', idempotency)).conversation.revision).toBe(1)
      })

      it('is answered for a fixed time, however often it is repeated', async () => {
        const { store, answerMs, advance } = await holding()
        await store.commit((await enter(store, 's1', idempotency)).lease, turn)
        for (let times = 0; times < 3; times++) {
          await advance(answerMs * 0.3)
          expect(await store.enter({ id: 's1', idempotency })).toMatchObject({ state: 'answered' })
        }
        await advance(answerMs * 0.2)
        await enter(store, 's1', { key: 'k', fingerprint: 'g' })
      })

      it('is free after a commit without an answer', async () => {
        const { store } = await holding()
        await store.commit((await enter(store, 's1', idempotency)).lease, { ...turn, answer: undefined })
        await enter(store, 's1', { key: 'k', fingerprint: 'g' })
      })
    })

    describe('a start with a key', () => {
      const idempotency = { key: 'k', fingerprint: 'f' }

      it('is given the id, runs once, and is answered afterwards', async () => {
        const { store, other, results } = await open()
        const { lease } = await enterStart(store, { newId: 's1', idempotency })
        expect(lease.id).toBe('s1')
        expect(await other.enterStart({ newId: 's2', idempotency })).toEqual({ state: 'running' })
        expect(await other.look('s1')).toBeUndefined()
        const first = { session: liveSession('s1'), results: [answering('r1', 'a')], answer: 'hello' }
        expect(await store.commit(lease, first)).toBe(1)
        expect(await other.look('s1')).toEqual({ session: liveSession('s1'), revision: 1 })
        expect(await contentsOf(results, 'r1')).toEqual(['a'])
        expect(await other.enterStart({ newId: 's2', idempotency })).toEqual({
          state: 'answered',
          answer: 'hello',
        })
        const different = { key: 'k', fingerprint: 'g' }
        expect(await other.enterStart({ newId: 's2', idempotency: different })).toEqual({
          state: 'other request',
        })
      })

      it('keeps its id when its process ends on the way', async () => {
        const { store, other, kill, leaseMs, advance } = await open()
        await enterStart(store, { newId: 's1', idempotency })
        await kill(store)
        await advance(leaseMs * 1.5)
        const { lease } = await enterStart(other, { newId: 's2', idempotency })
        expect(lease.id).toBe('s1')
        expect(await other.commit(lease, { session: liveSession('s1'), results: [] })).toBe(1)
      })

      it('has a new id after a release, which leaves nothing behind', async () => {
        const { store, other } = await open()
        const { lease } = await enterStart(store, { newId: 's1', idempotency })
        await store.release(lease)
        expect(await store.look('s1')).toBeUndefined()
        const again = await enterStart(other, { newId: 's2', idempotency: { key: 'k', fingerprint: 'g' } })
        expect(again.lease.id).toBe('s2')
      })

      it('lets its session go on, whose turns share no keys with starts', async () => {
        const { store, other } = await open()
        const { lease } = await enterStart(store, { newId: 's1', idempotency })
        await store.commit(lease, { session: liveSession('s1'), results: [], answer: 'hello' })
        await enter(other, 's1', idempotency)
      })

      it('may be one of a preview', async () => {
        const { store, other } = await open()
        const { lease } = await enterStart(store, { newId: 's2', idempotency })
        await store.commit(lease, { session: smallSession, results: [], answer: 'hello' })
        expect(await other.look('s2')).toEqual({ session: smallSession, revision: 1 })
        expect(await other.enterStart({ newId: 's3', idempotency })).toMatchObject({ state: 'answered' })
      })
    })

    describe('a preview start on a given id', () => {
      it('enters where nothing is, after whoever came before', async () => {
        const { store, other, settle } = await open()
        const { lease } = await enterStart(store, { previewId: 's2' })
        const second = enterStart(other, { previewId: 's2' })
        await settle()
        expect(await store.commit(lease, { session: smallSession, results: [] })).toBe(1)
        const session = { ...smallSession, answered: 1 }
        expect(await other.commit((await second).lease, { session, results: [] })).toBe(2)
        expect(await store.look('s2')).toEqual({ session, revision: 2 })
      })

      it('keeps turns of the session before it apart from its own', async () => {
        const { store, other, settle } = await open()
        await store.start({ session: smallSession, results: [] })
        const { lease, conversation } = await enter(store, 's2')
        const start = enterStart(other, { previewId: 's2' })
        await settle()
        await store.commit(lease, { ...conversation, results: [] })
        const session = { ...smallSession, createdAt: 7 }
        expect(await other.commit((await start).lease, { session, results: [] })).toBe(3)
      })

      it('leaves nothing behind when it is released', async () => {
        const { store } = await open()
        await store.release((await enterStart(store, { previewId: 's2' })).lease)
        expect(await store.look('s2')).toBeUndefined()
      })

      it('leaves a live session of the id alone', async () => {
        const { store } = await holding()
        const { lease } = await enterStart(store, { previewId: 's1' })
        await store.commit(lease, { session: { ...smallSession, id: 's1' }, results: [] })
        expect(await store.look('s1')).toEqual({ session: liveSession('s1'), revision: 1 })
      })

      it('may have a key, which counts for the id', async () => {
        const { store, other } = await open()
        const idempotency = { key: 'k', fingerprint: 'f' }
        const { lease } = await enterStart(store, { previewId: 's2', idempotency })
        expect(await other.enterStart({ previewId: 's2', idempotency })).toEqual({ state: 'running' })
        await store.commit(lease, { session: smallSession, results: [], answer: 'hello' })
        expect(await other.enterStart({ previewId: 's2', idempotency })).toEqual({
          state: 'answered',
          answer: 'hello',
        })
        await enterStart(other, { previewId: 's3', idempotency })
      })

      it('is refused when sixteen wait', async () => {
        const { store, settle } = await open()
        await enterStart(store, { previewId: 's2' })
        const starts = Array.from({ length: waitingTurns }, () => store.enterStart({ previewId: 's2' }))
        for (const start of starts) void Promise.resolve(start).catch(() => undefined)
        await settle()
        expect(await store.enterStart({ previewId: 's2' })).toEqual({ state: 'too many waiting' })
      })
    })

    describe('erasing', () => {
      it('takes the session and the answers kept with it, and minds no erasure of none', async () => {
        const { store, other } = await open()
        const idempotency = { key: 'k', fingerprint: 'f' }
        const { lease } = await enterStart(store, { newId: 's1', idempotency })
        await store.commit(lease, { session: liveSession('s1'), results: [], answer: 'secret' })
        const turn = { session: liveSession('s1'), results: [], answer: 'secret' }
        await store.commit((await enter(store, 's1', idempotency)).lease, turn)
        await other.erase('s1')
        await other.erase('s1')
        expect(await store.look('s1')).toBeUndefined()
        expect(await store.enter({ id: 's1', idempotency })).toEqual({ state: 'not found' })
        expect((await enterStart(store, { newId: 's3', idempotency })).lease.id).toBe('s3')
      })

      it('waits for the turn that is under way', async () => {
        const { store, other, settle } = await holding()
        const { lease, conversation } = await enter(store, 's1')
        let isErased = false
        const erased = Promise.resolve(other.erase('s1')).then(() => {
          isErased = true
        })
        await settle()
        expect(isErased).toBe(false)
        expect(await store.commit(lease, { ...conversation, results: [] })).toBe(2)
        await erased
        expect(await store.look('s1')).toBeUndefined()
      })

      it('is never undone by a start', async () => {
        const { store, other } = await holding()
        await store.erase('s1')
        await other.start({ session: liveSession('s1'), results: [] })
        expect(await store.look('s1')).toBeUndefined()
      })

      it('is never undone by who lost the lease before it', async () => {
        const { store, other, kill, leaseMs, advance } = await holding()
        const { lease, conversation } = await enter(store, 's1')
        await kill(store)
        await advance(leaseMs * 1.5)
        await other.erase('s1')
        expect(await store.commit(lease, { ...conversation, results: [] })).toBeUndefined()
        expect(await other.look('s1')).toBeUndefined()
      })

      it('leaves a preview of the id alone', async () => {
        const { store } = await open()
        await store.start({ session: smallSession, results: [] })
        await store.erase('s2')
        expect(await store.look('s2')).toBeDefined()
      })

      it('takes many at once, and leaves those that a turn is in or waits for', async () => {
        const { store, other, settle } = await holding()
        for (const id of ['s2', 's3']) await store.start({ session: liveSession(id), results: [] })
        const { lease, conversation } = await enter(store, 's1')
        expect(await other.eraseIdle(['s3', 's1', 'no', 's2'])).toEqual(['s1'])
        const waiting = countTurn(other, 's1')
        await settle()
        expect(await store.eraseIdle(['s1'])).toEqual(['s1'])
        expect(await store.commit(lease, { ...conversation, results: [] })).toBe(2)
        await waiting
        for (const id of ['s2', 's3', 'no']) {
          await store.start({ session: liveSession(id), results: [] })
          expect(await store.look(id)).toBeUndefined()
        }
        expect(await store.look('s1')).toBeDefined()
        expect(await store.eraseIdle(['s1'])).toEqual([])
        expect(await other.look('s1')).toBeUndefined()
      })

      it('takes the answers of many, and what a process left that ended', async () => {
        const { store, other, kill, leaseMs, advance } = await holding()
        const idempotency = { key: 'k', fingerprint: 'f' }
        const { lease, conversation } = await enter(store, 's1', idempotency)
        await store.commit(lease, { ...conversation, results: [], answer: 'secret' })
        await enter(store, 's1')
        await kill(store)
        await advance(leaseMs * 1.5)
        expect(await other.eraseIdle(['s1'])).toEqual([])
        expect(await other.enter({ id: 's1', idempotency })).toEqual({ state: 'not found' })
      })

      it('is refused when sixteen turns wait', async () => {
        const { store, settle } = await holding()
        const { lease } = await enter(store, 's1')
        const waiting = Array.from({ length: waitingTurns }, () => countTurn(store, 's1'))
        await settle()
        await expect(Promise.resolve().then(() => store.erase('s1'))).rejects.toMatchObject({
          name: 'ServiceError',
          code: 'TOO_MANY_REQUESTS',
        })
        await store.release(lease)
        await Promise.all(waiting)
      })
    })

    describe('logs of a client', () => {
      const report = {
        flowId: 'flow-1',
        resultId: 'r1',
        key: 'k1',
        logs: [{ status: 'error' as const, description: 'broken' }],
        requestId: 'q1',
        now: 1_795_252_621_800,
      }

      it('are appended once for each key, also while a turn is under way', async () => {
        const { store, other, results } = await open()
        await store.start({ session: liveSession('s1'), results: [answering('r1', 'a')] })
        const { lease, conversation } = await enter(store, 's1')
        expect(await other.appendClientLogs(report)).toBe(true)
        expect(await store.appendClientLogs(report)).toBe(true)
        expect(await other.appendClientLogs({ ...report, key: 'k2' })).toBe(true)
        await store.commit(lease, { ...conversation, results: [answering('r1', 'b')] })
        const result = await results.get('flow-1', 'r1')
        const kept = { ...report.logs[0], time: report.now, requestId: 'q1' }
        expect(result?.logs).toEqual([kept, kept])
        expect(result?.answers.map(({ content }) => content)).toEqual(['a', 'b'])
      })

      it('make no result, and bring none back', async () => {
        const { store, results } = await open()
        expect(await store.appendClientLogs(report)).toBe(false)
        await store.start({ session: liveSession('s1'), results: [answering('r1', 'a')] })
        await results.delete('flow-1', ['r1'])
        expect(await store.appendClientLogs(report)).toBe(false)
        expect(await results.get('flow-1', 'r1')).toBeUndefined()
      })
    })

    describe('a webhook payload', () => {
      it('is there for the next turn, and changes no revision', async () => {
        const { store, other } = await holding()
        expect(await other.receiveWebhook({ id: 's1', revision: 1, text: '{"a":1}' })).toBe(true)
        const payload = { number: 1, text: '{"a":1}' }
        expect(await store.look('s1')).toEqual({ session: liveSession('s1'), revision: 1, payload })
        expect((await enter(store, 's1')).conversation).toMatchObject({ revision: 1, payload })
      })

      it('takes the place of the one before, under a number of its own', async () => {
        const { store } = await holding()
        await store.receiveWebhook({ id: 's1', revision: 1, text: '1' })
        const first = (await store.look('s1'))?.payload
        await store.receiveWebhook({ id: 's1', revision: 1, text: '2' })
        const second = (await store.look('s1'))?.payload
        expect(second?.text).toBe('2')
        expect(second?.number).toBeGreaterThan(first?.number ?? Infinity)
      })

      it.each([
        ['for a revision that has passed', 's1', 1],
        ['for a session that is not there', 's3', 1],
        ['for a preview', 's2', 1],
      ])('is refused %s', async (_, id, revision) => {
        const { store, other } = await holding()
        await store.start({ session: smallSession, results: [] })
        await countTurn(store, 's1')
        expect(await other.receiveWebhook({ id, revision, text: '1' })).toBe(false)
        expect((await store.look(id))?.payload).toBeUndefined()
      })

      it.each([
        ['keep', undefined, '1'],
        ['keep', '2', '2'],
        ['take', undefined, undefined],
        ['take', '2', '2'],
        ['drop', undefined, undefined],
        ['drop', '2', undefined],
        [undefined, '2', undefined],
      ] as const)(
        'refuses no turn that is under way: where that says %s and %s came meanwhile, %s is left',
        async (payloads, meanwhile, left) => {
          const { store, other } = await holding()
          await store.receiveWebhook({ id: 's1', revision: 1, text: '1' })
          const { lease, conversation } = await enter(store, 's1')
          if (meanwhile) await other.receiveWebhook({ id: 's1', revision: 1, text: meanwhile })
          expect(await store.commit(lease, { ...conversation, results: [], payloads })).toBe(2)
          expect((await other.look('s1'))?.payload?.text).toBe(left)
        },
      )

      it('stays when it came during a turn that is released', async () => {
        const { store, other } = await holding()
        const { lease } = await enter(store, 's1')
        await other.receiveWebhook({ id: 's1', revision: 1, text: '1' })
        await store.release(lease)
        expect((await enter(other, 's1')).conversation.payload?.text).toBe('1')
      })
    })

    describe('waiting for updates', () => {
      /** Counts the wakes of an id. */
      async function watch(store: ConversationStore, id: string) {
        const woken = { times: 0 }
        const end = await store.subscribe(id, () => {
          woken.times += 1
        })
        onTestFinished(() => end())
        return { woken, end }
      }

      it('is woken in every process by a commit, a payload and an erasure', async () => {
        const { store, other, settle } = await holding()
        const watches = [await watch(store, 's1'), await watch(other, 's1')]
        const expectWakes = async () => {
          await settle()
          for (const { woken } of watches) {
            expect(woken.times).toBeGreaterThan(0)
            woken.times = 0
          }
        }
        await countTurn(store, 's1')
        await expectWakes()
        await other.receiveWebhook({ id: 's1', revision: 2, text: '1' })
        await expectWakes()
        await store.erase('s1')
        await expectWakes()
      })

      it('holds no other up, and hears nothing of others, nor after its end', async () => {
        const { store, other, settle } = await holding()
        await store.start({ session: liveSession('s3'), results: [] })
        const one = await watch(other, 's1')
        const two = await watch(other, 's1')
        await countTurn(store, 's3')
        await settle()
        expect(one.woken.times).toBe(0)
        one.end()
        await settle()
        await countTurn(store, 's1')
        await settle()
        expect(one.woken.times).toBe(0)
        expect(two.woken.times).toBeGreaterThan(0)
      })
    })

    describe('usage', () => {
      it('counts live sessions, previews and answers by themselves', async () => {
        const { store } = await open()
        const none = { entries: 0, bytes: 0, evicted: 0 }
        expect(await store.usage()).toEqual({ live: none, previews: none, answers: none })
        await store.start({ session: wholeSession, results: [] })
        await store.start({ session: smallSession, results: [] })
        await store.start({ session: { ...smallSession, id: 's3' }, results: [] })
        const { lease } = await enter(store, 's1', { key: 'k', fingerprint: 'f' })
        await store.commit(lease, { session: wholeSession, results: [], answer: 'x' })
        const { live, previews, answers } = await store.usage()
        expect([live.entries, previews.entries, answers.entries]).toEqual([1, 2, 1])
        expect(Math.min(live.bytes, previews.bytes, answers.bytes)).toBeGreaterThan(0)
      })
    })

    it('loses what it holds when it is closed, for the others to go on', async () => {
      const { store, other, settle } = await holding()
      const { lease, conversation } = await enter(store, 's1')
      const next = enter(other, 's1')
      await settle()
      await store.close()
      expect((await next).conversation.revision).toBe(1)
      expect(
        await Promise.resolve()
          .then(() => store.commit(lease, { ...conversation, results: [] }))
          .catch(() => undefined),
      ).toBeUndefined()
      expect((await other.look('s1'))?.revision).toBe(1)
    })
  })
}
