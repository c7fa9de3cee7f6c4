import { expect, it } from 'vitest'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { openService } from '../publication/open-publishing-service.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { describeWithPostgres, useDatabase } from '../support/postgres/postgres-tests.ts'

/** Asks for ever. */
const bar = wholeDefinition({
  id: 'shop-flow',
  variables: [variable('Drink', { scope: 'contact' })],
  groups: {
    a: [bubble('b1', '{{Drink}}'), { ...textInput('i1', 'vDrink'), outgoingEdgeId: 'again' }],
  },
  edges: { again: 'a' },
})

const known = { timeout: 20_000, interval: 200 }
const contact = { id: 'ann', name: 'Ann' }

describeWithPostgres('contacts of several processes', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it('have one open conversation, one memory, and are erased by one call', async () => {
    const given = { DATA_DIR: '', DATABASE_URL: databaseUrl() }
    const [one, two] = [await openService(given), await openService(given)]
    await one.publish(bar)
    await expect.poll(() => two.startedAt(), known).toMatchObject({ at: 'i1' })
    const start = async (nth: number, more: object = {}) => {
      const body = { contact, ...more, textBubbleContentFormat: 'markdown' }
      const { status, body: answer } = await [one, two][nth % 2]!.ask('POST', '/flows/shop/startChat', body)
      expect(status, JSON.stringify(answer)).toBe(200)
      return answer
    }
    const many = Array.from({ length: 20 }, (_, nth) => nth)
    const resumed = await Promise.all(many.map((nth) => start(nth, { resume: true })))
    expect(new Set(resumed.map(({ sessionId }) => sessionId)).size).toBe(1)
    const say = (nth: number, sessionId: string, message: string) =>
      [one, two][nth % 2]!.ask('POST', `/sessions/${sessionId}/continueChat`, { message })
    await say(0, resumed[0].sessionId, 'tea')
    const others = await Promise.all(many.map((nth) => start(nth)))
    expect(others.map(({ messages: [first] }) => first.content.markdown)).toEqual(many.map(() => 'tea'))
    const { body } = await two.ask('GET', '/contacts/ann')
    expect(body).toMatchObject({ memory: { Drink: 'tea' }, profile: contact })
    expect(body.conversations).toHaveLength(21)
    // Turns and starts are under way all the time until they are refused.
    let isErased = false
    const busy = [...others, ...others].map(async ({ sessionId }, nth) => {
      while (!isErased) {
        const { status } = await say(nth, sessionId, `drink ${nth}`)
        if (status === 404) return
        expect([200, 429, 503]).toContain(status)
      }
    })
    expect((await one.ask('DELETE', '/contacts/ann')).status).toBe(204)
    isErased = true
    await Promise.all(busy)
    expect((await two.ask('GET', '/contacts/ann')).status).toBe(404)
    const left = [...resumed, ...others].map(async ({ sessionId, resultId }, nth) => [
      (await say(nth, sessionId, 'back')).status,
      (await two.ask('GET', `/flows/shop/results/${resultId}`)).status,
    ])
    for (const statuses of await Promise.all(left)) expect(statuses).toEqual([404, 404])
    const again = await start(1)
    expect(again.messages[0].content.markdown).toBe('')
  })
})
