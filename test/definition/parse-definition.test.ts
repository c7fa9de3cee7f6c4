import { describe, expect, it } from 'vitest'
import { parseDefinition } from '../../src/definition/parse-definition.ts'
import { ServiceError } from '../../src/lib/errors.ts'

describe('the text of a definition', () => {
  it('is read as JSON', () => {
    expect(parseDefinition('{"id":"x"}')).toEqual({ id: 'x' })
  })

  it.each([
    ['a bare word', '{\n"a": 1,\n"b": hush\n}', 3, 6],
    ['a bare word far from both ends', `{\n"a": "${'x'.repeat(50)}",\nhush: "${'y'.repeat(50)}" }`, 3, 1],
    ['a missing comma', '{"a": "hush"\n"b": 1}', 2, 1],
    ['a raw line end', '{"a": "hush\n"}', 1, 12],
    ['an early end', '{\n"hush": [', 2, 10],
    ['nothing', '', 1, 1],
  ])('is refused by its place, and not quoted: %s', (_, text, line, column) => {
    let thrown: unknown
    try {
      parseDefinition(text)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(ServiceError)
    const { code, message, problems, cause } = thrown as ServiceError
    expect({ code, problems }).toEqual({
      code: 'BAD_REQUEST',
      problems: [{ pointer: '', message: `is not valid JSON (line ${line}, column ${column})` }],
    })
    expect(message).not.toContain('hush')
    expect(cause).toBeUndefined()
  })
})
