import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type BuiltService, startBuiltService } from '../../support/built-service.ts'

interface Answer {
  readonly status: number | undefined
  readonly connection: string | undefined
  /** Whether the request was sent on a connection that had served another. */
  readonly isKept: boolean
  readonly body: string
}

interface Sent {
  readonly address: string
  readonly path: string
  readonly method?: string
  readonly agent: Agent
}

/** One request; rejects with the code of the socket's error. */
async function send({ address, path, method = 'GET', agent }: Sent): Promise<Answer> {
  const sent = request(address + path, { method, agent, headers: { 'content-type': 'application/json' } })
  sent.end(method === 'POST' ? '{}' : undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const { statusCode: status, headers } = response
  return { status, connection: headers.connection, isKept: sent.reusedSocket, body: await text(response) }
}

function keepAliveAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return agent
}

/** A client with one connection, which asks on until the service says that it ends, or is not there. */
async function askInLoop(ask: (agent: Agent) => Promise<Answer>, answers: Answer[]): Promise<void> {
  const agent = keepAliveAgent()
  for (;;) {
    const answer = await ask(agent)
    answers.push(answer)
    if (answer.connection === 'close') return
  }
}

async function startService(variables: Record<string, string> = {}): Promise<BuiltService> {
  const service = await startBuiltService({ FLOWS_DIR: 'flows', ...variables })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  return service
}

const clients = 64

/** Clients on kept connections, each of which has been answered once. */
async function startLoad({ address }: BuiltService) {
  const answers: Answer[] = []
  const ask = (path: string, method: string) => (agent: Agent) => send({ address, path, method, agent })
  const asking = Array.from({ length: clients }, (_, nth) =>
    askInLoop(nth % 2 ? ask('/health', 'GET') : ask('/v1/flows/lead-form/startChat', 'POST'), answers),
  )
  // A connection that is not accepted yet would be reset.
  await expect.poll(() => answers.filter(({ isKept }) => !isKept).length).toBe(clients)
  await expect.poll(() => answers.length).toBeGreaterThan(clients * 4)
  return { answers, outcomes: Promise.allSettled(asking) }
}

const codesOf = (outcomes: readonly PromiseSettledResult<void>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))

describe('a deploy under load', () => {
  it.each([
    ['at once', {}],
    ['after a drain', { DRAIN_SECONDS: '1' }],
  ])('answers every request of kept connections when it stops accepting %s', async (_name, variables) => {
    const service = await startService(variables)
    const { answers, outcomes } = await startLoad(service)
    const code = service.stop()
    expect(codesOf(await outcomes)).toEqual([])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.filter(({ connection }) => connection === 'close').length).toBe(clients)
    expect(answers.filter(({ isKept }) => !isKept).length).toBe(clients)
    expect(await code).toBe(0)
  })

  it('answers clients that pause between their requests', async () => {
    const service = await startService()
    const agents = Array.from({ length: 8 }, keepAliveAgent)
    const ask = () =>
      Promise.all(agents.map((agent) => send({ address: service.address, path: '/health', agent })))
    await ask()
    const code = service.stop()
    await expect
      .poll(() => send({ ...fresh(service), path: '/health' }).catch(({ code }) => code))
      .toBe('ECONNREFUSED')
    // Each had its connection open all the time, and none was in use.
    for (const answer of await ask())
      expect(answer).toMatchObject({ status: 200, isKept: true, connection: 'close' })
    expect(await code).toBe(0)
  })
})

/** A client that opens a connection of its own. */
const fresh = ({ address }: BuiltService) => ({ address, agent: new Agent({ keepAlive: false }) })

describe('a drain', () => {
  it('is not ready, and serves old and new connections alike', async () => {
    const service = await startService({ DRAIN_SECONDS: '600' })
    const { address } = service
    const agent = keepAliveAgent()
    const kept = (path: string) => send({ address, path, agent })
    expect(await kept('/ready')).toMatchObject({ status: 200 })
    service.signal('SIGTERM')
    await expect.poll(async () => (await kept('/ready')).status).toBe(503)
    const { body, connection } = await kept('/ready')
    expect(JSON.parse(body)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is shutting down',
    })
    expect(connection).toBe('keep-alive')
    expect(await kept('/health')).toMatchObject({ status: 200, isKept: true, connection: 'keep-alive' })
    const start = { ...fresh(service), path: '/v1/flows/lead-form/startChat', method: 'POST' }
    expect(await send(start)).toMatchObject({ status: 200 })
  })

  it('is cut short by a second signal', async () => {
    const service = await startService({ DRAIN_SECONDS: '600' })
    service.signal('SIGTERM')
    const agent = keepAliveAgent()
    const status = async () => (await send({ address: service.address, path: '/ready', agent })).status
    await expect.poll(status).toBe(503)
    service.signal('SIGTERM')
    expect(await service.ended).toBe(1)
  })
})

describe('a service that ends', () => {
  it('waits no longer than a few seconds for connections that are never used again', async () => {
    const service = await startService()
    const agent = keepAliveAgent()
    await send({ address: service.address, path: '/health', agent })
    // They would be kept for more than a minute.
    const ended = await Promise.race([service.stop(), delay(30_000, 'still running', { ref: false })])
    expect(ended).toBe(0)
  })
})
