import { parse as parseWhole } from 'acorn'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createParser } from '../../../src/engine/javascript/parse.ts'

const signs = [
  '/',
  '\\',
  '[',
  ']',
  '\n',
  '\u2028',
  'a',
  'b',
  '*',
  '?',
  ' ',
  '.',
  '(',
  ')',
  'g',
  'i',
  '\\u0067',
]

const unbounded = { spend: () => undefined }

/** What the whole parser says of the code, patterns validated. */
function parsedWhole(body: string) {
  try {
    const program = parseWhole(body, { ecmaVersion: 'latest', allowReturnOutsideFunction: true })
    return JSON.stringify(program, (_key, value: unknown) => (value instanceof RegExp ? null : value))
  } catch {
    return undefined
  }
}

describe('the parser', () => {
  it('ends patterns where a parser ends them that validates them', () => {
    let patterns = 0
    const code = fc
      .array(fc.constantFrom(...signs), { maxLength: 9 })
      .map((parts) => `return /${parts.join('')}`)
    fc.assert(
      fc.property(code, (body) => {
        const expected = parsedWhole(body)
        if (expected === undefined) return
        patterns += 1
        const { program } = createParser({ isAsync: false })(body, unbounded)
        expect(JSON.stringify(program)).toBe(expected)
      }),
      { numRuns: 5000 },
    )
    expect(patterns).toBeGreaterThan(100)
  })

  it.each(['/a/x', '/a/gg', '/a/uv', '/a/\\u0067', '/a', '/a\n/', '/[/', '/\\/'])('refuses %j', (code) => {
    expect(parsedWhole(`return ${code}`)).toBeUndefined()
    expect(createParser({ isAsync: false })(`return ${code}`, unbounded).program).toBeUndefined()
  })

  it('charges for code, and nothing for the same code again', () => {
    let spent = 0
    const spend = (characters: number) => {
      spent += characters
    }
    const parse = createParser({ isAsync: false })
    const first = parse('return 1', { spend })
    const charged = spent
    expect(charged).toBeGreaterThan(0)
    expect(parse('return 1', { spend })).toBe(first)
    expect(spent).toBe(charged)
  })
})
