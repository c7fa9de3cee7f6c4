import { expect, it } from 'vitest'
import { createSessionTexts } from '../../../src/stores/memory/session-texts.ts'
import { createConversationCache } from '../../../src/stores/sqlite/conversation-cache.ts'
import type { DataFolder } from '../../../src/stores/sqlite/database.ts'
import { liveSession } from '../contracts/conversation-store.ts'

const megabyte = 1024 * 1024

it('puts a payload beside the revision that it came for, and none beside a later one', () => {
  const sessions = createSessionTexts({
    ttlMs: 1000,
    maxSessions: 10,
    maxBytes: megabyte,
    previewMaxBytes: megabyte,
    now: () => 0,
    forgotten: () => undefined,
  })
  const folder = { touch: () => undefined } as unknown as DataFolder
  const cache = createConversationCache(folder, { sessions, maxBytes: megabyte })
  sessions.save(liveSession('s1'), 2)
  cache.putPayload('s1', 1, { number: 1, text: 'early' })
  expect(cache.findCached('s1')?.revision).toBe(2)
  expect(cache.findCached('s1')?.payload).toBeUndefined()
  cache.putPayload('s1', 2, { number: 2, text: 'now' })
  expect(cache.findCached('s1')).toMatchObject({ revision: 2, payload: { number: 2, text: 'now' } })
})
