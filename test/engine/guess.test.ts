import { describe, expect, it } from 'vitest'
import { guess } from '../../src/engine/guess.ts'

describe('guess', () => {
  it.each([
    ['5', 5],
    ['-5', -5],
    ['0.5', 0.5],
    ['0', 0],
    ['1000', 1000],
    ['1e+21', 1e21],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['true', true],
    ['false', false],
    ['null', null],
    ['undefined', undefined],
    [null, null],
  ])('reads %j as a value of another type', (stored, seen) => {
    expect(guess(stored)).toBe(seen)
  })

  it.each([
    '00',
    '007',
    '0x10',
    '0,5',
    '+33612',
    '-05',
    '1.10',
    '12345678901234567890',
    '1e3',
    '12 ',
    ' ',
    '',
    '-0',
    'NaN',
    '1,5',
    'TRUE',
    'abc',
    '.5',
    '5.',
  ])('keeps %j as text, which it would not print back', (stored) => {
    expect(guess(stored)).toBe(stored)
  })

  it('passes a list as the texts it holds', () => {
    expect(guess(['1', 'true', null])).toEqual(['1', 'true', null])
  })
})
