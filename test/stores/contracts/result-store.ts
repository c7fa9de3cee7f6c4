import { describe, expect, it } from 'vitest'
import type { Result, ResultStore } from '../../../src/stores/result-store.ts'

/** A result with every field, in every shape that its values have. */
export const wholeResult: Result = {
  id: 'r1',
  flowId: 'flow-1',
  createdAt: 1_795_252_621_712,
  updatedAt: 1_795_252_621_999,
  variables: [
    { id: 'v1', name: 'Name', value: 'Zoë "Ω" 🙂' },
    { id: 'v2', name: '__proto__', value: ['a', null] },
  ],
  answers: [
    { blockId: 'b1', content: 'Zoë' },
    { blockId: 'b1', content: 'again', attachedFileUrls: ['https://files.example/1'] },
  ],
  hasStarted: true,
  isCompleted: false,
  isArchived: false,
  lastChatSessionId: 's1',
}

/** Defines what a result store is: each implementation has to pass. `setup` gives an empty, roomy one. */
export function describeResultStore(name: string, setup: () => ResultStore | Promise<ResultStore>): void {
  describe(name, () => {
    it('gives back a result as it was saved', async () => {
      const store = await setup()
      await store.save(wholeResult)
      expect(await store.get('flow-1', 'r1')).toStrictEqual(wholeResult)
    })

    it.each([
      ['a result that was never saved', 'flow-1', 'r2'],
      ['the result of another flow', 'flow-2', 'r1'],
      ['a name that every object has', 'flow-1', 'constructor'],
    ])('does not find %s', async (_, flowId, resultId) => {
      const store = await setup()
      await store.save(wholeResult)
      expect(await store.get(flowId, resultId)).toBeUndefined()
    })

    it('does not find a result that was archived', async () => {
      const store = await setup()
      await store.save(wholeResult)
      await store.save({ ...wholeResult, isArchived: true })
      expect(await store.get('flow-1', 'r1')).toBeUndefined()
    })

    it('puts a later result in the place of an earlier one', async () => {
      const store = await setup()
      await store.save(wholeResult)
      const later = { ...wholeResult, isCompleted: true, answers: [] }
      await store.save(later)
      expect(await store.get('flow-1', 'r1')).toStrictEqual(later)
    })

    it('shares nothing with who saved, and nothing with who reads', async () => {
      const store = await setup()
      const answers = [...wholeResult.answers]
      await store.save({ ...wholeResult, answers })
      answers.pop()
      const read = await store.get('flow-1', 'r1')
      Object.assign(read ?? {}, { isCompleted: true })
      expect(await store.get('flow-1', 'r1')).toStrictEqual(wholeResult)
    })
  })
}
