import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countRates } from '../../../src/http/protection/rate-limit.ts'
import type { SharedCounts } from '../../../src/http/protection/shared-rates.ts'
import { SharedRates } from '../../../src/http/protection/shared-rates.ts'
import { limitGuesses } from '../../../src/http/protection/token-guesses.ts'

const minuteMs = 60_000

/** Counts that can be away, and what was sent to them. */
function makeCounts() {
  const server = { isAway: false, sent: [] as (readonly [string, number])[] }
  const sums = new Map<string, { count: number; endsAt: number }>()
  const counts: SharedCounts = {
    async add(added, windowMs) {
      if (server.isAway) throw new Error('away')
      server.sent.push(...added)
      const now = performance.now()
      return new Map(
        [...added].map(([name, count]) => {
          const old = sums.get(name)
          const sum = old && old.endsAt > now ? old : { count: 0, endsAt: now + windowMs }
          sums.set(name, { ...sum, count: sum.count + count })
          return [name, { count: sum.count + count, ttlMs: sum.endsAt - now }]
        }),
      )
    },
  }
  return { server, counts }
}

/** Processes that let an address ask so often; each says how many of some requests it has let pass. */
function openProcesses({ max = 100 } = {}) {
  const { server, counts } = makeCounts()
  const open = () => {
    const rates = new SharedRates(counts, 1000)
    const ask = (times: number, name = 'ada') => {
      const counts: number[] = []
      for (let nth = 0; nth < times; nth++)
        rates.incr(name, (_, { current }) => void counts.push(current), minuteMs, max)
      return counts.filter((count) => count <= max).length
    }
    const secondsLeft = () => {
      const found: number[] = []
      rates.read('ada', (_, { ttl }) => void found.push(Math.floor(ttl / 1000)))
      return found
    }
    return { ask, secondsLeft }
  }
  return { server, one: open(), other: open() }
}

const share = () => vi.advanceTimersByTimeAsync(600)

describe('requests at several processes', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are counted together, but for what came within a moment', async () => {
    const { one, other } = openProcesses()
    expect(one.ask(60)).toBe(60)
    expect(other.ask(30)).toBe(30)
    await share()
    expect(one.ask(5)).toBe(5)
    await share()
    expect(other.ask(1)).toBe(1)
    await share()
    expect(other.ask(10)).toBe(4)
    expect(one.ask(1)).toBe(1)
    await share()
    expect(one.ask(1)).toBe(0)
  })

  it('are counted for a minute from the first on, whichever process had it', async () => {
    const { one, other } = openProcesses()
    one.ask(60)
    await vi.advanceTimersByTimeAsync(20_000)
    other.ask(60)
    await share()
    expect(other.secondsLeft()).toEqual([39])
    expect(other.ask(1)).toBe(0)
    await vi.advanceTimersByTimeAsync(40_000)
    expect(other.ask(100)).toBe(100)
  })

  it('are not told of while they are few, nor once they are refused', async () => {
    const { server, one, other } = openProcesses()
    one.ask(5, 'bob')
    one.ask(60)
    await share()
    other.ask(60)
    await share()
    expect(server.sent).toEqual([
      ['ada', 60],
      ['ada', 60],
    ])
    expect(other.ask(100)).toBe(0)
    await share()
    expect(server.sent).toHaveLength(2)
  })

  it('are told of together, whatever their number', async () => {
    const { server, one } = openProcesses()
    for (let nth = 0; nth < 900; nth++) one.ask(10, `visitor ${nth}`)
    await share()
    expect(server.sent).toHaveLength(900)
  })

  it('are counted by each process while they cannot be told of, and told of afterwards', async () => {
    const { server, one, other } = openProcesses()
    server.isAway = true
    expect(one.ask(120)).toBe(100)
    await share()
    expect(other.ask(40)).toBe(40)
    server.isAway = false
    await share()
    expect(other.ask(1)).toBe(0)
    expect(server.sent).toEqual([
      ['ada', 120],
      ['ada', 40],
    ])
  })

  it('are told of no more once their minute is over', async () => {
    const { server, one } = openProcesses()
    server.isAway = true
    one.ask(50)
    await vi.advanceTimersByTimeAsync(minuteMs + 1000)
    server.isAway = false
    await share()
    expect(server.sent).toEqual([])
  })
})

it('counts wrong tokens under a name of their own where processes count together', async () => {
  const { server, counts } = makeCounts()
  const app = Fastify()
  await countRates(app, { max: 5, sharedCounts: counts })
  limitGuesses(app, 5)
  app.get('/', async (request) => {
    await app.tokenGuesses.count(request)
    return {}
  })
  expect((await app.inject('/')).statusCode).toBe(200)
  await expect.poll(() => server.sent.map(([name]) => name)).toEqual(['127.0.0.1', 'wrong tokens 127.0.0.1'])
})
