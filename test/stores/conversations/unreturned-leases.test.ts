import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Held } from '../../../src/stores/conversations/conversation-table.ts'
import { UnreturnedLeases } from '../../../src/stores/conversations/unreturned-leases.ts'
import { systemTimers } from '../../../src/stores/timers.ts'

const leaseMs = 8000

/** For how long a server that does not answer is waited for. */
const statementMs = 2000

/** Leases at a server that can be away. */
function makeUnreturned() {
  const server = { isAway: false, isSilent: false, given: [] as string[] }
  const table = {
    renewal: { leaseMs, renew: async () => new Set<string>() },
    async release(held: readonly Held[]) {
      if (server.isSilent) await new Promise((resolve) => setTimeout(resolve, statementMs))
      if (server.isAway || server.isSilent) throw new Error('away')
      server.given.push(...held.map(({ id }) => id))
    },
  }
  const elapsed = () => performance.now()
  const unreturned = new UnreturnedLeases({ table, timers: systemTimers, elapsed })
  return { server, unreturned }
}

const lease = (id: string): Held => ({ id, token: `token of ${id}`, claim: undefined })

describe('what is to be given back', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is given back once where the server is there', async () => {
    const { server, unreturned } = makeUnreturned()
    await unreturned.giveBack(lease('a'))
    await vi.advanceTimersByTimeAsync(leaseMs)
    expect(server.given).toEqual(['a'])
  })

  it('is given back within half a second of the return of a server that was away', async () => {
    const { server, unreturned } = makeUnreturned()
    server.isAway = true
    await Promise.all(['a', 'b'].map((id) => unreturned.giveBack(lease(id))))
    await vi.advanceTimersByTimeAsync(3000)
    server.isAway = false
    await vi.advanceTimersByTimeAsync(500)
    expect(server.given).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(leaseMs)
    expect(server.given).toEqual(['a', 'b'])
  })

  it('holds nobody up where the server does not answer, and is given back once it does', async () => {
    const { server, unreturned } = makeUnreturned()
    server.isSilent = true
    let isWaiting = true
    void unreturned.giveBack(lease('a')).then(() => {
      isWaiting = false
    })
    await vi.advanceTimersByTimeAsync(500)
    expect(isWaiting).toBe(false)
    await vi.advanceTimersByTimeAsync(statementMs - 500)
    server.isSilent = false
    await vi.advanceTimersByTimeAsync(500)
    expect(server.given).toEqual(['a'])
  })

  it('is forgotten once it has run out', async () => {
    const { server, unreturned } = makeUnreturned()
    server.isAway = true
    await unreturned.giveBack(lease('a'))
    await vi.advanceTimersByTimeAsync(leaseMs + 500)
    server.isAway = false
    await vi.advanceTimersByTimeAsync(leaseMs)
    expect(server.given).toEqual([])
  })

  it('is given back again and again where a call may still take it', async () => {
    const { server, unreturned } = makeUnreturned()
    unreturned.takeBack(lease('a'))
    await vi.advanceTimersByTimeAsync(leaseMs - 500)
    const { length } = server.given
    expect(length).toBeGreaterThan(10)
    await vi.advanceTimersByTimeAsync(leaseMs)
    expect(server.given.length).toBeLessThan(length + 5)
  })

  it('is left to itself when it is closed', async () => {
    const { server, unreturned } = makeUnreturned()
    server.isAway = true
    await unreturned.giveBack(lease('a'))
    unreturned.close()
    server.isAway = false
    await vi.advanceTimersByTimeAsync(leaseMs)
    expect(server.given).toEqual([])
  })
})
