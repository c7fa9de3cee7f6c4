import { expect, it } from 'vitest'
import { createContacts } from '../../src/contacts/contacts-service.ts'
import { Results } from '../../src/results/results-service.ts'
import { rememberingFlow, textInput } from '../fixtures/short-flows.ts'
import { startLive } from '../fixtures/starting.ts'
import { createTestChat } from '../support/start.ts'

const flow = rememberingFlow({ publicId: 'welcome', blocks: [textInput('b1')] })
const request = { publicId: 'welcome', actor: 'ann', signal: new AbortController().signal }

/** Operators who erase, and how many steps of that were under way at once. */
async function setup() {
  const chat = createTestChat([flow])
  for (let count = 0; count < 40; count++)
    await startLive(chat, { contact: { id: `c${count}` } }, { publicId: 'welcome' })
  const { results: store, conversations } = chat
  let [running, most] = [0, 0]
  const within = async <T>(work: () => Promise<T>) => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    return work().finally(() => (running -= 1))
  }
  const watched = {
    delete: (...args: Parameters<typeof store.delete>) => within(() => store.delete(...args)),
    listNames: (...args: Parameters<typeof store.listNames>) => within(() => store.listNames(...args)),
  }
  const deps = {
    ...chat,
    results: Object.assign(Object.create(store), watched),
    conversations: { ...conversations, erase: (id: string) => within(() => conversations.erase(id)) },
  }
  return {
    chat,
    results: new Results(deps),
    contacts: createContacts(deps),
    mostAtOnce: () => most,
  }
}

const many = <T>(work: (nth: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 20 }, (_, nth) => work(nth)))

it('takes two steps of erasing at once, however many operators ask for how much', async () => {
  const { chat, results, mostAtOnce } = await setup()
  const single = many((nth) => results.delete({ ...request, resultId: `result-${nth + 1}` }))
  const deleted = await many(() => results.deleteAll(request))
  await single
  expect(mostAtOnce()).toBe(2)
  expect(deleted.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(20)
  expect((await chat.results.list('flow-1', { limit: 50 })).results).toEqual([])
})

it('has those who erase a person stand in the same line', async () => {
  const { results, contacts, mostAtOnce } = await setup()
  const people = many((nth) => contacts.delete({ contactId: `c${nth}`, actor: 'ann' }))
  await Promise.all([many(() => results.deleteAll(request)), people])
  expect(mostAtOnce()).toBe(2)
})
