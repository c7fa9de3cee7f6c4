import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Session } from '../../../src/stores/session.ts'
import type { SessionStore } from '../../../src/stores/session-store.ts'

export interface SessionStoreFixture {
  /** Holds any session of these tests, keeps each for `ttlMs`, and lets 16 turns wait. */
  readonly store: SessionStore
  readonly ttlMs: number
  /** Lets time pass for the store. */
  advance(ms: number): void | Promise<void>
}

const waiting = 16

/** A session with every field, in every shape that its values have. */
export const wholeSession: Session = {
  id: 's1',
  kind: 'live',
  state: 'waiting',
  createdAt: 1_795_252_621_712,
  queue: [
    {
      program: 'hash-2',
      flowId: 'flow-1',
      variables: [],
      answers: [],
      sharesVariables: true,
      mergesResults: true,
    },
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
      resumeAt: { blockId: 'b2' },
    },
  ],
  waitingBlock: { blockId: 'b1' },
  isStreamEnabled: true,
  answered: 2,
  isProgressTracked: true,
  returnMarks: [{ height: 0, blockId: 'b3' }],
  transcript: ['User: "hi"'],
  publicId: 'welcome',
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

/** Something that a test settles when it likes. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** Defines what a session store is: each implementation has to pass. */
export function describeSessionStore(
  name: string,
  setup: () => SessionStoreFixture | Promise<SessionStoreFixture>,
): void {
  async function open(): Promise<SessionStoreFixture> {
    const fixture = await setup()
    onTestFinished(() => fixture.store.close())
    return fixture
  }

  describe(name, () => {
    describe('keeping', () => {
      it.each([
        ['with every field', wholeSession],
        ['with the least of fields', smallSession],
      ])('gives back a session %s as it was saved', async (_, session) => {
        const { store } = await open()
        await store.save('k', session)
        expect(await store.get('k')).toEqual(session)
      })

      it('knows nothing of a key that was never saved', async () => {
        const { store } = await open()
        await store.save('live:a', smallSession)
        expect(await store.get('preview:a')).toBeUndefined()
        expect(await store.get('__proto__')).toBeUndefined()
      })

      it('puts a later session in the place of an earlier one', async () => {
        const { store } = await open()
        await store.save('k', wholeSession)
        await store.save('k', smallSession)
        expect(await store.get('k')).toEqual(smallSession)
      })

      it('keeps keys beyond ASCII apart', async () => {
        const { store } = await open()
        await store.save('k-é', { ...smallSession, id: 'one' })
        await store.save('k-日', { ...smallSession, id: 'two' })
        expect((await store.get('k-é'))?.id).toBe('one')
        expect((await store.get('k-日'))?.id).toBe('two')
      })

      it('shares nothing with who saved, and nothing with who reads', async () => {
        const { store } = await open()
        const queue = [...wholeSession.queue]
        await store.save('k', { ...wholeSession, queue })
        queue.pop()
        const read = await store.get('k')
        Object.assign(read ?? {}, { state: 'ended' })
        expect(await store.get('k')).toEqual(wholeSession)
      })

      it('forgets a deleted session, and minds no deletion of none', async () => {
        const { store } = await open()
        await store.save('k', smallSession)
        await store.delete('k')
        await store.delete('k')
        expect(await store.get('k')).toBeUndefined()
      })
    })

    describe('time to live', () => {
      it('keeps a session for its time to live', async () => {
        const { store, ttlMs, advance } = await open()
        await store.save('k', smallSession)
        await advance(ttlMs / 2)
        expect(await store.get('k')).toEqual(smallSession)
      })

      it('forgets a session that was left alone for longer', async () => {
        const { store, ttlMs, advance } = await open()
        await store.save('k', smallSession)
        await advance(ttlMs * 1.1)
        expect(await store.get('k')).toBeUndefined()
      })

      it('forgets a session whose deadline has long passed when it is first asked for', async () => {
        const { store, ttlMs, advance } = await open()
        await store.save('early', smallSession)
        await advance(ttlMs * 5)
        await store.save('late', wholeSession)
        expect(await store.get('early')).toBeUndefined()
        expect(await store.get('early')).toBeUndefined()
        expect(await store.get('late')).toEqual(wholeSession)
      })

      it.each([
        ['reading', (store: SessionStore) => store.get('k')],
        ['saving', (store: SessionStore) => store.save('k', smallSession)],
      ])('starts anew with %s', async (_, use) => {
        const { store, ttlMs, advance } = await open()
        await store.save('k', smallSession)
        for (let times = 0; times < 3; times++) {
          await advance(ttlMs * 0.7)
          await use(store)
        }
        await advance(ttlMs * 0.7)
        expect(await store.get('k')).toEqual(smallSession)
      })

      it('is not renewed by what happens to others', async () => {
        const { store, ttlMs, advance } = await open()
        await store.save('k', smallSession)
        await advance(ttlMs * 0.7)
        await store.save('other', smallSession)
        await store.get('other')
        await advance(ttlMs * 0.7)
        expect(await store.get('k')).toBeUndefined()
        expect(await store.get('other')).toEqual(smallSession)
      })

      it('starts anew for a key that is saved again after its session was forgotten', async () => {
        const { store, ttlMs, advance } = await open()
        await store.save('k', wholeSession)
        await advance(ttlMs * 1.1)
        await store.save('k', smallSession)
        await advance(ttlMs * 0.7)
        expect(await store.get('k')).toEqual(smallSession)
      })
    })

    describe('turns', () => {
      it('hands back what a turn makes, and what it fails with', async () => {
        const { store } = await open()
        const failure = new Error('broken')
        expect(await store.exclusive('k', async () => 7)).toBe(7)
        await expect(store.exclusive('k', () => Promise.reject(failure))).rejects.toBe(failure)
      })

      it('loses no change when many turns of one session read, wait and save', async () => {
        const { store } = await open()
        await store.save('k', smallSession)
        const turn = async () => {
          const session = (await store.get('k')) ?? smallSession
          await new Promise(setImmediate)
          await store.save('k', { ...session, answered: session.answered + 1 })
        }
        // One runs and as many wait as may: round after round, to a hundred and more.
        for (let rounds = 0; rounds < 6; rounds++) {
          await Promise.all(Array.from({ length: waiting + 1 }, () => store.exclusive('k', turn)))
        }
        expect((await store.get('k'))?.answered).toBe(6 * (waiting + 1))
      })

      it('runs the turns of one key in the order of the calls, whatever each takes', async () => {
        const { store } = await open()
        const order: number[] = []
        const turns = Array.from({ length: waiting + 1 }, (_, index) =>
          store.exclusive('k', async () => {
            for (let ticks = index % 3; ticks > 0; ticks--) await new Promise(setImmediate)
            order.push(index)
          }),
        )
        await Promise.all(turns)
        expect(order).toEqual(turns.map((_, index) => index))
      })

      it('holds up no other key, and nothing that does without', async () => {
        const { store } = await open()
        const { open: finish, opened } = gate()
        const slow = store.exclusive('k', () => opened)
        expect(await store.exclusive('other', async () => 'ran')).toBe('ran')
        await store.save('k', smallSession)
        expect(await store.get('k')).toEqual(smallSession)
        finish()
        await slow
      })

      it('goes on after a turn that fails, or throws before it waits for anything', async () => {
        const { store } = await open()
        const turns = [
          store.exclusive('k', () => Promise.reject(new Error('first'))),
          store.exclusive('k', () => {
            throw new Error('second')
          }),
          store.exclusive('k', async () => 'third'),
        ]
        const outcomes = await Promise.allSettled(turns)
        expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
      })

      it('refuses a turn when sixteen wait, without running it, and takes turns again later', async () => {
        const { store } = await open()
        const { open: finish, opened } = gate()
        const accepted = Array.from({ length: waiting + 1 }, () => store.exclusive('k', () => opened))
        let hasRun = false
        const refused = store.exclusive('k', async () => {
          hasRun = true
        })
        await expect(refused).rejects.toMatchObject({ name: 'ServiceError', code: 'TOO_MANY_REQUESTS' })
        expect(await store.exclusive('other', async () => 'ran')).toBe('ran')
        finish()
        await Promise.all(accepted)
        expect(hasRun).toBe(false)
        expect(await store.exclusive('k', async () => 'ran')).toBe('ran')
      })

      it('never runs two turns of a key at once, and starts them in order, for any mix of calls', async () => {
        const call = fc.record({
          key: fc.constantFrom('a', 'b', 'c'),
          ticks: fc.nat({ max: 3 }),
          fails: fc.boolean(),
        })
        await fc.assert(
          fc.asyncProperty(fc.array(call, { maxLength: waiting }), async (calls) => {
            const { store } = await setup()
            const running = new Set<string>()
            const started: number[] = []
            const turns = calls.map(({ key, ticks, fails }, index) =>
              store.exclusive(key, async () => {
                expect(running.has(key)).toBe(false)
                running.add(key)
                started.push(index)
                for (let left = ticks; left > 0; left--) await new Promise(setImmediate)
                running.delete(key)
                if (fails) throw new Error(String(index))
                return index
              }),
            )
            const outcomes = await Promise.allSettled(turns)
            await store.close()
            expect(outcomes).toEqual(
              calls.map(({ fails }, index) =>
                fails
                  ? { status: 'rejected', reason: new Error(String(index)) }
                  : { status: 'fulfilled', value: index },
              ),
            )
            for (const key of ['a', 'b', 'c']) {
              const ofKey = started.filter((index) => calls[index]?.key === key)
              expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b))
            }
          }),
          { numRuns: 60 },
        )
      })
    })
  })
}
