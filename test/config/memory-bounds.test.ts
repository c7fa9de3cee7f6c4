import { describe, expect, it } from 'vitest'
import { memoryBounds, memoryWarnings } from '../../src/config/memory-bounds.ts'
import { readConfig } from '../../src/config/read-config.ts'

const mebibyte = 1024 * 1024
const boundsOf = (variables: Record<string, string> = {}) =>
  memoryBounds(readConfig(variables), {
    codeThreads: 6,
    connectionBytes: 32 * 1024,
    eventStreamBytes: 16 * 1024,
  })
const plenty = { heapBytes: 64 * 1024 * mebibyte, allBytes: 64 * 1024 * mebibyte }

describe('the bounds on memory', () => {
  it('follow the variables that they name', () => {
    for (const { variable } of boundsOf()) {
      const changed = boundsOf({ [variable]: String(16 * mebibyte), BODY_LIMIT: '1024' })
      const before = boundsOf()
      const moved = changed.filter(({ bytes }, index) => bytes !== before[index]?.bytes)
      expect(moved.length).toBeGreaterThan(0)
      expect(moved.every((bound) => bound.variable === variable)).toBe(true)
    }
  })

  it('are no matter where there is enough', () => {
    expect(memoryWarnings(boundsOf(), plenty)).toEqual([])
  })

  it('are warned about where they add up to more than the heap, or the process, may have', () => {
    const large = boundsOf({ SESSION_MAX_BYTES: String(3 * 1024 * mebibyte) })
    const [heap, ...none] = memoryWarnings(large, { ...plenty, heapBytes: 2 * 1024 * mebibyte })
    expect(heap).toMatch(/more than the 2048 MiB that the heap may have: lower SESSION_MAX_BYTES 3072 MiB, /)
    expect(none).toEqual([])
    const many = boundsOf({ MAX_CONNECTIONS: '1000000' })
    const warnings = memoryWarnings(many, { ...plenty, allBytes: 8 * 1024 * mebibyte })
    expect(warnings).toEqual([
      expect.stringMatching(/that the process may have: lower MAX_CONNECTIONS 31250 MiB, /),
    ])
  })
})
