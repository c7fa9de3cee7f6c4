import { expect, it } from 'vitest'
import { eraseOutlived } from '../../src/results/enforce-retention.ts'
import { MemoryResultStore } from '../../src/stores/memory/results/memory-result-store.ts'
import type { ResultUpdate } from '../../src/stores/result-store.ts'

const megabyte = 1024 * 1024

/** A service with a clock of its own, and what it erased. */
function setup() {
  const results = new MemoryResultStore({ maxBytes: megabyte })
  const [sessions, files, noted]: [string[], string[], unknown[]] = [[], [], []]
  const clock = { now: 0 }
  const deps = {
    results,
    conversations: {
      eraseIdle: async (ids: readonly string[]) => {
        sessions.push(...ids)
        return []
      },
    },
    eraseFiles: async (ids: readonly string[]) => void files.push(...ids),
    noteErasure: async (erasure: unknown) => void noted.push(erasure),
    published: { byFlowId: async (id: string) => (id === 'f1' ? { publicId: 'shop' } : undefined) },
    ports: { now: () => clock.now },
  }
  const sweepAt = (now: number) => {
    clock.now = now
    return eraseOutlived(deps as unknown as Parameters<typeof eraseOutlived>[0])
  }
  const keep = (id: string, more: Partial<ResultUpdate>) =>
    results.apply([{ id, flowId: 'f1', now: 0, lastChatSessionId: `s of ${id}`, ...more }])
  return { results, sweepAt, keep, sessions, files, noted }
}

it('erases a result that has outlived its time with its session and its files, and notes how many', async () => {
  const { results, sweepAt, keep, sessions, files, noted } = setup()
  const retention = { results: 2000, unfinished: 1000 }
  keep('done', { retention, isCompleted: true })
  keep('left', { retention })
  keep('kept', {})
  expect(await sweepAt(999)).toBe(0)
  await sweepAt(1100)
  expect([sessions, files]).toEqual([['s of left'], ['left']])
  expect(noted).toEqual([{ publicId: 'shop', actor: 'retention', deleted: 1, by: 'age' }])
  await sweepAt(1999)
  expect(await results.get('f1', 'done')).toBeDefined()
  await sweepAt(2000)
  expect(sessions).toEqual(['s of left', 's of done'])
  expect(await sweepAt(9_000_000)).toBe(0)
  expect(await results.get('f1', 'kept')).toBeDefined()
})

it('takes back what was completed once as completed, though its visitor came again and left', async () => {
  const { results, sweepAt, keep } = setup()
  const retention = { results: 2000, unfinished: 1000 }
  keep('r1', { retention, isCompleted: true })
  keep('r1', { retention, now: 100 })
  await sweepAt(1500)
  expect(await results.get('f1', 'r1')).toBeDefined()
  await sweepAt(2100)
  expect(await results.get('f1', 'r1')).toBeUndefined()
})

it('erases values before the result, and says nothing of it', async () => {
  const { results, sweepAt, keep, noted } = setup()
  const masked = [
    { name: 'Email', sensitivity: 'personal', mark: '[Email]', text: 'ada@shop.example' },
  ] as const
  keep('r1', { retention: { personal: 1000 }, masked })
  await sweepAt(1100)
  expect(await results.get('f1', 'r1')).not.toHaveProperty('masked')
  expect(noted).toEqual([])
  expect(await sweepAt(9_000_000)).toBe(0)
})
