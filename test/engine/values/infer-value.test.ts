import { describe, expect, it } from 'vitest'
import { guess } from '../../../src/engine/values/infer-value.ts'
import { keptAsText, readAsOthers } from '../../fixtures/tables/guesses.ts'

describe('guess', () => {
  it.each(readAsOthers)('reads %j as a value of another type', (stored, seen) => {
    expect(guess(stored)).toBe(seen)
  })

  it.each(keptAsText)('keeps %j as text, which it would not print back', (stored) => {
    expect(guess(stored)).toBe(stored)
  })

  it('passes a list as the texts it holds', () => {
    expect(guess(['1', 'true', null])).toEqual(['1', 'true', null])
  })
})
