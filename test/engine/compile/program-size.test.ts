import { describe, expect, it } from 'vitest'
import { estimateProgramBytes } from '../../../src/engine/compile/program-size.ts'

describe('what a program takes up', () => {
  it.each([
    [
      'in text no value and no placeholder is counted twice',
      '{"a":"{[,\\",{{b}} {{"}',
      4 * 22 + 130 + 2 * 200,
    ],
    ['an escape before the end of a text ends it all the same', '{"a":"\\\\","b":[1,2]}', 4 * 20 + 4 * 130],
    ['a text that never ends ends with all', '["a', 4 * 3 + 130],
  ])('is estimated from the text: %s', (_name, text, bytes) => {
    expect(estimateProgramBytes(text)).toBe(bytes)
  })
})
