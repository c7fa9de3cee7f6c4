import { describe, expect, it } from 'vitest'
import { mayFetch } from '../../../src/engine/javascript/sandbox-job.ts'

describe('mayFetch', () => {
  it.each([
    ['await fetch("https://a.example")', true],
    ['globalThis.fetch (url)', true],
    ['fetch\n(url)', true],
    ['return "they will fetch it"', false],
    ['prefetch(url)', false],
    ['fetched(url)', false],
    ['', false],
  ])('says of %j: %s', (code, may) => {
    expect(mayFetch(code)).toBe(may)
  })

  it('looks at long code once', () => {
    expect(mayFetch(`fetch${' '.repeat(1e6)}`.repeat(5))).toBe(false)
  })
})
