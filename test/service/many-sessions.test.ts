import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSystemPorts } from '../../src/adapters/system/system-ports.ts'
import type { PublishedFlows } from '../../src/stores/published-flows.ts'
import { bubble, flowLink, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { createTestChat } from '../support/start.ts'
import type { UseCases } from '../support/use-cases.ts'

const sessionCount = 100
const messagesEach = 3

/** Collects what it is told; between reading the session and saving it, each turn asks for another flow. */
const collecting = wholeDefinition({
  blocks: [
    textInput('said', 'vSaid'),
    setVariable('collect', 'vAll', { type: 'Append value(s)', item: '{{Said}}' }),
    flowLink('outgoing', 'slow'),
    bubble('shown', '{{All}}'),
    { id: 'again', type: 'Jump', options: { groupId: 'g1' } },
  ],
  variables: [variable('Said'), variable('All')],
})

/** Makes the lookup of the linked flow slow, and counts lookups that run at once: of all sessions, of each one. */
function watchLookups(published: PublishedFlows) {
  const running: (string | undefined)[] = []
  const most = { ofAll: 0, ofOne: 0, lookups: 0 }
  const session = new AsyncLocalStorage<string>()
  const slowly: PublishedFlows = {
    ...published,
    async byFlowId(flowId) {
      if (flowId !== 'slow') return published.byFlowId(flowId)
      const asking = session.getStore()
      running.push(asking)
      most.lookups += 1
      most.ofAll = Math.max(most.ofAll, running.length)
      most.ofOne = Math.max(most.ofOne, running.filter((other) => other === asking).length)
      await sleep(50)
      running.splice(running.indexOf(asking), 1)
      return undefined
    },
  }
  const tellingSessions = (chat: UseCases): UseCases => ({
    ...chat,
    continue: (request) => session.run(request.sessionId, () => chat.continue(request)),
  })
  return { slowly, tellingSessions, most }
}

/** The service at an address of its own, with the stores behind it. */
async function startService() {
  const ports = createSystemPorts()
  const { published } = createTestChat([collecting])
  const { slowly, tellingSessions, most } = watchLookups(published)
  const { chat, results } = createTestChat([], { ports, published: slowly })
  const { app } = await buildTestApp({ chat: tellingSessions(chat) })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { post: (path: string, body: object) => post(address + path, body), results, most }
}

async function post(url: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** What one message was answered: everything that was collected until then. */
interface Exchange {
  readonly said: string
  readonly status: number
  readonly shown: readonly string[]
}

describe('a hundred sessions with three messages each, all at once', () => {
  it('answer every message once, as one queue for each session would', async () => {
    const { post, results, most } = await startService()
    const starts = Array.from({ length: sessionCount }, () => post('/v1/flows/flow-1/startChat', {}))
    const sessions = (await Promise.all(starts)).map(({ body }) => body)

    async function say({ sessionId }: { sessionId: string }, said: string): Promise<Exchange> {
      const body = { message: said, textBubbleContentFormat: 'markdown' }
      const answer = await post(`/v1/sessions/${sessionId}/continueChat`, body)
      return { said, status: answer.status, shown: JSON.parse(answer.body.messages[0].content.markdown) }
    }

    const conversations = await Promise.all(
      sessions.map((session, number) => {
        const texts = Array.from({ length: messagesEach }, (_, nth) => `m${number}-${nth}`)
        return Promise.all(texts.map((text) => say(session, text)))
      }),
    )

    for (const [number, exchanges] of conversations.entries()) {
      expect(exchanges.map(({ status }) => status)).toEqual(Array(messagesEach).fill(200))
      const inOrder = exchanges.toSorted((one, other) => one.shown.length - other.shown.length)
      const order = inOrder.map(({ said }) => said)
      // The nth answer of a queue shows the first n messages that the queue took, its own as the last of them.
      expect(inOrder.map(({ shown }) => shown)).toEqual(order.map((_, nth) => order.slice(0, nth + 1)))
      const result = await results.get('flow-1', sessions[number].resultId)
      expect(result?.answers).toEqual(order.map((content) => ({ blockId: 'said', content })))
      expect(result?.variables).toContainEqual({ id: 'vAll', name: 'All', value: order })
    }
    expect(most).toEqual({
      ofAll: expect.any(Number),
      ofOne: 1,
      lookups: sessionCount * messagesEach,
    })
    expect(most.ofAll).toBeGreaterThan(1)
  })
})
