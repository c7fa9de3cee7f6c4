import { describe, expect, it } from 'vitest'
import { createSystemPorts } from '../../../src/adapters/system/system-ports.ts'

describe('system ports', () => {
  const ports = createSystemPorts()

  it('returns the time in milliseconds since 1970', () => {
    const before = Date.now()
    const now = ports.now()
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(Date.now())
  })

  it('measures with a clock that only grows', () => {
    const first = ports.elapsed()
    expect(ports.elapsed()).toBeGreaterThanOrEqual(first)
    expect(Math.abs(ports.elapsed() - performance.now())).toBeLessThan(1000)
  })

  it('draws from [0, 1)', () => {
    const drawn = Array.from({ length: 1000 }, () => ports.random())
    expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true)
    expect(new Set(drawn).size).toBeGreaterThan(900)
  })

  it.each(['session', 'result', 'upload', 'value'] as const)(
    'makes ids of letters and digits, of at least 120 bits, that never repeat: %s',
    (purpose) => {
      const ids = Array.from({ length: 1000 }, () => ports.createId(purpose))
      expect(new Set(ids).size).toBe(1000)
      expect(ids.filter((id) => !/^[A-Za-z\d]{21,}$/.test(id))).toEqual([])
      expect(new Set(ids.join('')).size).toBe(62)
    },
  )

  it('makes ids of events that no other process makes', () => {
    const others = createSystemPorts()
    const ids = Array.from({ length: 1000 }, () => [ports.createId('event'), others.createId('event')]).flat()
    expect(new Set(ids).size).toBe(2000)
    expect(ids.filter((id) => !/^[A-Za-z\d]{22,}$/.test(id))).toEqual([])
  })

  it('lets others have their turn before it goes on', async () => {
    const order: string[] = []
    setImmediate(() => order.push('other'))
    await ports.nextTurn()
    order.push('turn')
    expect(order).toEqual(['other', 'turn'])
  })
})
