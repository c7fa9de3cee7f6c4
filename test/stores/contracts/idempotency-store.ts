import { describe, expect, it } from 'vitest'
import type { IdempotencyStore } from '../../../src/stores/idempotency-store.ts'

/**
 * Defines what an idempotency store is: each implementation has to pass. `setup` gives an empty one that has room
 * for the answers of these tests.
 */
export function describeIdempotencyStore(
  name: string,
  setup: () => IdempotencyStore | Promise<IdempotencyStore>,
): void {
  describe(name, () => {
    it('tells how many answers it holds', async () => {
      const store = await setup()
      await store.claim('k', 'f')
      expect(await store.usage()).toEqual({ entries: 0, bytes: 0, evicted: 0 })
      await store.settle('k', 'answer')
      expect(await store.usage()).toMatchObject({ entries: 1, evicted: 0 })
    })

    it('gives a key to the first who claims it, and tells others that it is in use', async () => {
      const store = await setup()
      const claims = await Promise.all([store.claim('k', 'f'), store.claim('k', 'f'), store.claim('k', 'f')])
      expect(claims).toEqual([{ state: 'claimed' }, { state: 'running' }, { state: 'running' }])
    })

    it.each(['{"text":"Zoë Ω 🙂 \\u2028"}', '', '"f"', '\n', '{"state":"claimed"}'])(
      'gives the answer %j again, any number of times, as it was',
      async (answer) => {
        const store = await setup()
        await store.claim('k', 'f')
        await store.settle('k', answer)
        expect(await store.claim('k', 'f')).toEqual({ state: 'answered', answer })
        expect(await store.claim('k', 'f')).toEqual({ state: 'answered', answer })
      },
    )

    it('keeps keys apart, also those beyond ASCII and those that objects have anyway', async () => {
      const store = await setup()
      const keys = ['a', 'é', '日', '__proto__', 'constructor']
      for (const key of keys) expect(await store.claim(key, 'f')).toEqual({ state: 'claimed' })
      for (const key of keys) await store.settle(key, `answer to ${key}`)
      for (const key of keys) {
        expect(await store.claim(key, 'f')).toEqual({ state: 'answered', answer: `answer to ${key}` })
      }
    })

    it.each([
      ['f', 'g'],
      ['f', ''],
      ['', 'f'],
      ['f', 'f"'],
      ['f"', 'f'],
      ['f', 'f\n'],
      ['ff', 'f'],
    ])('tells a request %j from a request %j, before and after it is answered', async (first, second) => {
      const store = await setup()
      await store.claim('k', first)
      expect(await store.claim('k', second)).toEqual({ state: 'other request' })
      await store.settle('k', '"answer"')
      expect(await store.claim('k', second)).toEqual({ state: 'other request' })
      expect(await store.claim('k', first)).toEqual({ state: 'answered', answer: '"answer"' })
    })

    it('leaves a key to any request once it is given back', async () => {
      const store = await setup()
      await store.claim('k', 'f')
      await store.release('k')
      expect(await store.claim('k', 'g')).toEqual({ state: 'claimed' })
      await store.settle('k', 'answer')
      expect(await store.claim('k', 'g')).toEqual({ state: 'answered', answer: 'answer' })
    })

    it('keeps an answer when its key is given back afterwards', async () => {
      const store = await setup()
      await store.claim('k', 'f')
      await store.settle('k', 'answer')
      await store.release('k')
      expect(await store.claim('k', 'f')).toEqual({ state: 'answered', answer: 'answer' })
    })

    it('minds neither a release nor an answer of a key that nobody claimed', async () => {
      const store = await setup()
      await store.release('k')
      await store.settle('k', 'answer')
      expect(await store.claim('k', 'f')).toEqual({ state: 'claimed' })
    })
  })
}
