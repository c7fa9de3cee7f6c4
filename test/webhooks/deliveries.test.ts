import { describe, expect, it, onTestFinished } from 'vitest'
import type { OutgoingRequest } from '../../src/ports/known-types.ts'
import { destinationOf } from '../../src/stores/outgoing/endpoint-table.ts'
import { Deliveries } from '../../src/webhooks/deliveries.ts'
import { openMemoryOutbox } from '../support/memory-outbox.ts'
import { openTestWebhooks } from '../support/test-webhooks.ts'

const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
const roomy = { maxEvents: 10_000, deliveredMs: 1e9, setAsideMs: 1e9 }

/** Endpoints whose receivers answer by a function, with a clock that is moved by hand. */
async function open(names: readonly string[], answer: (request: OutgoingRequest) => Promise<number>) {
  let now = 0
  const outbox = openMemoryOutbox(() => now, roomy)
  const { endpoints, table, webhooks } = openTestWebhooks(outbox)
  for (const name of names) await webhooks.put(name, { url: `https://${name}.example/`, secrets }, 'ann')
  const counted: string[] = []
  const underWay = new Map<string, number>()
  const most = new Map<string, number>()
  const closing = new AbortController()
  const deliveries = new Deliveries({
    endpoints,
    table,
    outbox,
    conversations: { watchOutgoing: () => () => undefined },
    http: {
      async stream(request) {
        const count = (underWay.get(request.url) ?? 0) + 1
        underWay.set(request.url, count)
        most.set(request.url, Math.max(most.get(request.url) ?? 0, count))
        const status = await answer(request).finally(() => underWay.set(request.url, count - 1))
        return { status, body: (async function* () {})() }
      },
    },
    ports: { now: () => now, elapsed: () => now, random: () => 0.5 },
    metrics: { deliveryDone: (_to, outcome) => void counted.push(outcome) },
    closing: closing.signal,
    log: { warn: () => undefined },
  })
  onTestFinished(() => deliveries.close())
  let events = 0
  const put = (name: string, line: string, count = 1) => {
    for (let nth = 0; nth < count; nth++)
      outbox.put([
        {
          destination: destinationOf(name),
          line,
          eventId: `e${++events}`,
          type: 'turn.completed',
          body: `${line} ${nth}`,
        },
      ])
    deliveries.wake()
  }
  const statesOf = async (name: string) =>
    (await outbox.list(destinationOf(name), { limit: 500 })).map(({ state }) => state)
  const advance = (ms: number) => {
    now += ms
    deliveries.wake()
  }
  return { deliveries, webhooks, endpoints, put, statesOf, advance, counted, most, closing }
}

describe('deliveries', () => {
  it('keep the order of each line, whatever fails on the way', async () => {
    const arrived: string[] = []
    const tries = new Map<string, number>()
    const { put, statesOf, advance, counted } = await open(['a'], async ({ body = '' }) => {
      const nth = (tries.get(body) ?? 0) + 1
      tries.set(body, nth)
      // No three in a row: the endpoint is not paused.
      if (nth === 1 && body.endsWith('1')) return 500
      arrived.push(body)
      return 200
    })
    for (const line of ['x', 'y', 'z']) put('a', line, 4)
    await expect
      .poll(async () => {
        advance(6000)
        return (await statesOf('a')).every((state) => state === 'delivered')
      })
      .toBe(true)
    for (const line of ['x', 'y', 'z'])
      expect(arrived.filter((body) => body.startsWith(line))).toEqual(
        [0, 1, 2, 3].map((nth) => `${line} ${nth}`),
      )
    expect(counted.filter((outcome) => outcome === 'failed')).toHaveLength(3)
  })

  it('of an endpoint that never answers take none of the places of others', async () => {
    const { put, statesOf, most } = await open(['slow', 'quick'], ({ url }) =>
      url.includes('slow')
        ? new Promise((resolve) => setTimeout(() => resolve(200), 300))
        : Promise.resolve(200),
    )
    for (let line = 0; line < 40; line++) put('slow', `${line}`)
    for (let line = 0; line < 40; line++) put('quick', `${line}`)
    await expect.poll(async () => new Set(await statesOf('quick'))).toEqual(new Set(['delivered']))
    expect((await statesOf('slow')).filter((state) => state === 'waiting').length).toBeGreaterThan(20)
    expect(most.get('https://slow.example/')).toBe(8)
  })

  it('pause an endpoint that fails, say so, and try it with one event at a time', async () => {
    let isUp = false
    const asked: string[] = []
    const { put, statesOf, advance, deliveries, webhooks } = await open(['a'], async ({ body = '' }) => {
      asked.push(body)
      return isUp ? 200 : 503
    })
    for (let line = 0; line < 30; line++) put('a', `${line}`)
    await expect.poll(() => deliveries.notices()).toHaveLength(1)
    expect(deliveries.notices()).toEqual([
      'Webhook "a" fails and is paused: The answer was 503 (since 1970-01-01T00:00:00.000Z)',
    ])
    await expect.poll(() => asked.length).toBeGreaterThanOrEqual(5)
    const before = asked.length
    expect(before).toBeLessThanOrEqual(16)
    advance(1000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(asked.length).toBe(before)
    advance(10 * 60_000)
    await expect.poll(() => asked.length).toBe(before + 1)
    isUp = true
    await webhooks.retry('a')
    deliveries.resume('a')
    await expect.poll(async () => new Set(await statesOf('a'))).toEqual(new Set(['delivered']))
    expect(deliveries.notices()).toEqual([])
  })

  it('end where an endpoint is gone for good, until it is put again', async () => {
    let status = 410
    const { put, statesOf, endpoints, deliveries, webhooks, advance } = await open(['a'], async () => status)
    put('a', 'x')
    await expect.poll(() => endpoints.isEmpty).toBe(true)
    expect(deliveries.notices()).toEqual(['Webhook "a" is disabled: 410 Gone'])
    expect(await webhooks.get('a')).toMatchObject({ disabled: '410 Gone' })
    expect(await statesOf('a')).toEqual(['waiting'])
    status = 200
    await webhooks.put('a', { url: 'https://a.example/' }, 'ann')
    advance(0)
    await expect.poll(() => statesOf('a')).toEqual(['delivered'])
  })

  it('begin no more once they were stopped, and end those under way', async () => {
    let asked = 0
    let release = () => {}
    const { put, statesOf, deliveries } = await open(['a'], async () => {
      asked += 1
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return 200
    })
    put('a', 'x', 3)
    await expect.poll(() => asked).toBe(1)
    deliveries.stop()
    release()
    await deliveries.close()
    expect(await statesOf('a')).toEqual(['waiting', 'waiting', 'delivered'])
    expect(asked).toBe(1)
  })
})
