import { describe, expect, it } from 'vitest'
import { inferValue } from '../../../src/engine/values/infer-value.ts'
import { keptAsText, readAsOthers } from '../../fixtures/tables/guesses.ts'

describe('guess', () => {
  it.each(readAsOthers)('reads %j as a value of another type', (stored, seen) => {
    expect(inferValue(stored)).toBe(seen)
  })

  it.each(keptAsText)('keeps %j as text, which it would not print back', (stored) => {
    expect(inferValue(stored)).toBe(stored)
  })

  it('passes a list as the texts it holds', () => {
    expect(inferValue(['1', 'true', null])).toEqual(['1', 'true', null])
  })
})
