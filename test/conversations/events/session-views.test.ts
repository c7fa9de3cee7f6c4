import { expect, it } from 'vitest'
import { createSessionViews } from '../../../src/conversations/events/session-views.ts'
import type { StoredConversation } from '../../../src/stores/conversation-store.ts'
import { createSubscribers } from '../../../src/stores/in-process/subscribers.ts'

const conversation = (revision: number) => ({ revision }) as StoredConversation

/** A store that counts looks. */
function createConversations() {
  const subscribers = createSubscribers()
  const store = { revision: 1, looks: 0, failure: undefined as Error | undefined }
  return {
    store,
    wake: subscribers.wake,
    conversations: {
      subscribe: async (id: string, wake: () => void) => subscribers.add(id, wake),
      async look() {
        store.looks += 1
        if (store.failure) throw store.failure
        return conversation(store.revision)
      },
    },
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve))

it('looks once for all who wait', async () => {
  const { conversations, store, wake } = createConversations()
  const views = createSessionViews()
  const seen: (number | undefined)[][] = [[], [], []]
  const ends = seen.map((revisions) =>
    views.view(
      's',
      {
        see: (stored) => revisions.push(stored?.revision),
        fail: () => expect.unreachable(),
      },
      conversations,
    ),
  )
  await settle()
  store.looks = 0
  store.revision = 2
  wake('s')
  await settle()
  expect([store.looks, seen.map((revisions) => revisions.at(-1))]).toEqual([1, [2, 2, 2]])
  for (const end of ends) end()
  wake('s')
  await settle()
  expect(store.looks).toBe(1)
})

it('shows what became of a session while it was looked at', async () => {
  const { conversations, store, wake } = createConversations()
  const seen: (number | undefined)[] = []
  createSessionViews().view(
    's',
    {
      see(stored) {
        seen.push(stored?.revision)
        if (store.revision === 3) return
        store.revision += 1
        wake('s')
      },
      fail: () => expect.unreachable(),
    },
    conversations,
  )
  await settle()
  expect(seen).toEqual([1, 2, 3])
})

it('tells everybody when the session can not be looked at, and begins anew with the next', async () => {
  const { conversations, store } = createConversations()
  const views = createSessionViews()
  store.failure = new Error('away')
  const failures: unknown[] = []
  const fail = (error: unknown) => failures.push(error)
  views.view('s', { see: () => expect.unreachable(), fail }, conversations)
  views.view('s', { see: () => expect.unreachable(), fail }, conversations)
  await settle()
  expect(failures).toEqual([store.failure, store.failure])
  store.failure = undefined
  const seen: unknown[] = []
  views.view('s', { see: (stored) => seen.push(stored), fail }, conversations)
  await settle()
  expect(seen).toEqual([conversation(1)])
})
