import { describe, expect, it } from 'vitest'
import { memoryBounds, memoryWarnings } from '../../src/config/memory-bounds.ts'
import { divideMemory, usualMemoryBytes } from '../../src/config/memory-shares.ts'
import { readConfig } from '../../src/config/read-config.ts'

const mebibyte = 1024 * 1024
const boundsOf = (variables: Record<string, string> = {}) =>
  memoryBounds(readConfig(variables), {
    codeBytes: 6 * 32 * mebibyte,
    connectionBytes: 32 * 1024,
    eventStreamBytes: 16 * 1024,
  })
const plenty = { heapBytes: 64 * 1024 * mebibyte, allBytes: 64 * 1024 * mebibyte }

describe('the bounds on memory', () => {
  it('follow the variables that they name', () => {
    for (const { variable } of boundsOf()) {
      if (variable === undefined) continue
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
    const large = boundsOf({ MEMORY_MAX_BYTES: String(3 * 1024 * mebibyte) })
    const [heap, ...none] = memoryWarnings(large, { ...plenty, heapBytes: 2 * 1024 * mebibyte })
    expect(heap).toMatch(
      /more than the 2048 MiB that the heap may have: lower MEMORY_MAX_BYTES 3072 MiB, MAX_CONNECTIONS 31 MiB, or /,
    )
    expect(none).toEqual([])
    const many = boundsOf({ MAX_CONNECTIONS: '1000000' })
    const warnings = memoryWarnings(many, { ...plenty, allBytes: 8 * 1024 * mebibyte })
    expect(warnings).toEqual([
      expect.stringMatching(/that the process may have: lower MAX_CONNECTIONS 34375 MiB, /),
    ])
  })
})

describe('the shares of memory', () => {
  it('are what there is, at any size', () => {
    expect(divideMemory(usualMemoryBytes)).toEqual({
      sessions: 256 * mebibyte,
      definitions: 224 * mebibyte,
      flows: 32 * mebibyte,
      contacts: 32 * mebibyte,
      programs: 128 * mebibyte,
      results: 128 * mebibyte,
      previews: 32 * mebibyte,
      drafts: 32 * mebibyte,
      draftPrograms: 32 * mebibyte,
      answers: 32 * mebibyte,
      outbox: 32 * mebibyte,
      inbox: 32 * mebibyte,
      counts: 32 * mebibyte,
    })
    for (const bytes of [mebibyte, 7_777_777, 2 ** 40]) {
      const sum = Object.values(divideMemory(bytes)).reduce((total, share) => total + share, 0)
      expect(sum).toBeLessThanOrEqual(bytes)
      expect(sum).toBeGreaterThan(bytes - 13)
    }
  })
})
