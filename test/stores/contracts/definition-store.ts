import { describe, expect, it } from 'vitest'
import type { DefinitionStore } from '../../../src/stores/definition-store.ts'

/** Defines what a definition store is: each implementation has to pass. `setup` gives an empty, roomy one. */
export function describeDefinitionStore(
  name: string,
  setup: () => DefinitionStore | Promise<DefinitionStore>,
): void {
  describe(name, () => {
    it('gives back a text under its hash', async () => {
      const store = await setup()
      const text = '{"id":"flow-1","name":"Zoë Ω 🙂"}'
      await store.put('h1', text)
      expect(await store.get('h1')).toBe(text)
    })

    it('knows nothing of a hash that was never put', async () => {
      const store = await setup()
      expect(await store.get('h1')).toBeUndefined()
      expect(await store.get('__proto__')).toBeUndefined()
    })

    it('gives out many at once, those that are there', async () => {
      const store = await setup()
      const texts = Array.from({ length: 250 }, (_, nth) => [`of ${nth}`, `${nth}`] as const)
      await store.retain(texts.map(([hash, text]) => ({ hash, text })))
      await store.put('h1', 'one')
      const found = await store.getAll(['h1', 'none', '__proto__', ...texts.map(([hash]) => hash)])
      expect([...found].sort()).toEqual([['h1', 'one'], ...texts].sort())
      expect(await store.getAll([])).toEqual(new Map())
    })

    it('takes the same definition any number of times', async () => {
      const store = await setup()
      await Promise.all([store.put('h1', 'one'), store.put('h1', 'one')])
      await store.put('h1', 'one')
      expect(await store.get('h1')).toBe('one')
    })

    it('gives out what is retained, before and after', async () => {
      const store = await setup()
      await store.put('h1', 'one')
      await store.retain([{ hash: 'h1', text: 'one' }])
      await store.put('h1', 'one')
      expect(await store.get('h1')).toBe('one')
      await store.release(['h1'])
      expect(await store.get('h1')).toBe('one')
    })

    it('retains many at once, also those that are the same, and none', async () => {
      const store = await setup()
      await store.retain([])
      await store.retain(['one', 'two', 'one'].map((text) => ({ hash: `of ${text}`, text })))
      for (const text of ['one', 'two']) expect(await store.get(`of ${text}`)).toBe(text)
      await store.release(['of one', 'of two', 'of one'])
      for (const text of ['one', 'two']) expect(await store.get(`of ${text}`)).toBe(text)
    })

    it('minds no release of what is not retained', async () => {
      const store = await setup()
      await store.release(['h1'])
      await store.put('h1', 'one')
      await store.release(['h1'])
      expect(await store.get('h1')).toBe('one')
    })
  })
}
