import { describe, expect, it } from 'vitest'
import { createAjv } from '../../src/definition/lazy-validator.ts'
import { ProblemList, toProblems } from '../../src/definition/problems.ts'

function problemsOf(schema: object, value: unknown, prefix?: string) {
  const validate = createAjv('every error').compile(schema)
  validate(value)
  return toProblems(validate.errors, prefix)
}

const tag = (name: string, properties: object = {}) => ({
  properties: { type: { const: name }, ...properties },
})
const union = {
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [tag('a', { size: { type: 'number' } }), { properties: { type: { enum: ['b', 'c'] } } }],
}

describe('problems', () => {
  it.each([
    ['names the allowed words', { enum: ['a', 'b'] }, 'c', '', 'must be one of: a, b'],
    ['leaves null out of the allowed words', { enum: ['a', null] }, 'c', '', 'must be one of: a'],
    ['names the one allowed word', { const: 'a' }, 'c', '', 'must be one of: a'],
    [
      'names the words where the type is wrong too',
      { type: 'string', enum: ['a'] },
      7,
      '',
      'must be one of: a',
    ],
    ['names the tags of a union', union, { type: 'd' }, '/type', 'must be one of: a, b, c'],
    ['tells a missing tag once', union, {}, '', "must have required property 'type'"],
    ['tells a tag of the wrong type at the tag', union, { type: 1 }, '/type', 'must be string'],
    [
      'tells what is wrong in the chosen member only',
      union,
      { type: 'a', size: 'x' },
      '/size',
      'must be number',
    ],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['drops the wrapper of a condition', { if: {}, then: { type: 'string' } }, 1, '', 'must be string'],
    [
      'drops the wrapper of alternatives',
      { anyOf: [{ type: 'string' }, { type: 'string' }] },
      1,
      '',
      'must be string',
    ],
    [
      'keeps a wrapper that is all there is',
      { oneOf: [{}, {}] },
      1,
      '',
      'must match exactly one schema in oneOf',
    ],
    ['keeps the words of the validator', { minimum: 3 }, 1, '', 'must be >= 3'],
    [
      'escapes keys',
      { properties: { 'a/~b': { type: 'string' } } },
      { 'a/~b': 1 },
      '/a~1~0b',
      'must be string',
    ],
  ])('%s', (_, schema, value, pointer, message) => {
    expect(problemsOf(schema, value)).toEqual([{ pointer, message }])
  })

  it('are placed under a prefix', () => {
    expect(problemsOf({ type: 'object', properties: { a: { type: 'string' } } }, { a: 1 }, '/flow')).toEqual([
      { pointer: '/flow/a', message: 'must be string' },
    ])
  })

  it('are none without errors', () => {
    expect(toProblems(null)).toEqual([])
    expect(toProblems(undefined)).toEqual([])
  })

  it('report nothing twice', () => {
    const problems = new ProblemList()
    problems.add('/a', 'is wrong')
    problems.add('/a', 'is wrong')
    problems.add('/a', 'is ugly')
    expect(problems.toArray()).toHaveLength(2)
  })

  it('are all listed up to twenty', () => {
    const problems = problemsOf({ items: { type: 'string' } }, Array(20).fill(1))
    expect(problems).toHaveLength(20)
    expect(problems.at(-1)).toEqual({ pointer: '/19', message: 'must be string' })
  })

  it('are only counted beyond twenty', () => {
    const problems = problemsOf({ items: { type: 'string' } }, Array(1234).fill(1))
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toEqual({ pointer: '', message: '… and 1214 more' })
  })
})
