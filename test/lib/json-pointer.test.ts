import { describe, expect, it } from 'vitest'
import { escapeToken } from '../../src/lib/json-pointer.ts'

describe('a key in a JSON pointer', () => {
  it('escapes a tilde before a slash', () => {
    expect(['a', '~', '/', '~/', '~1', '/~/'].map(escapeToken)).toEqual([
      'a',
      '~0',
      '~1',
      '~0~1',
      '~01',
      '~1~0~1',
    ])
  })
})
