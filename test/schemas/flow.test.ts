import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { blockSchemas } from '../../schemas/blocks/index.ts'
import { ErrorBody } from '../../schemas/error.ts'
import { FlowDefinition } from '../../schemas/flow.ts'
import {
  StartChatBody,
  StartChatResponse,
  StartPreviewChatBody,
  StartPreviewChatResponse,
} from '../../schemas/start-chat.ts'
import { tagsOf } from '../../schemas/tagged-union.ts'
import { createLazyValidator } from '../../src/definition/lazy-validator.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { problemsIn } from './problems-in.ts'

const [example] = FlowDefinition['examples'] as [object]
const told = createLazyValidator()(FlowDefinition)

describe('the definition of a flow, as clients see it', () => {
  it.each([
    ['the example', example],
    ['an old shape without events', { id: 'f', version: '3', groups: [] }],
    ['an old shape whose events are null', { id: 'f', version: '5', groups: [], events: null }],
    [
      'a block of an unknown type',
      { ...example, groups: [{ id: 'g', blocks: [{ id: 'b', type: 'hologram', options: 7 }] }] },
    ],
  ])('takes %s, and so does the reader', (_, definition) => {
    expect(told.accepts(definition)).toBe(true)
    expect(() => readDefinition(definition)).not.toThrow()
  })

  it('has no place for a block without a type', () => {
    expect(told.accepts({ id: 'f', groups: [{ id: 'g', blocks: [{ id: 'b' }] }] })).toBe(false)
  })
})

it.each([
  ['the definition of a flow', FlowDefinition],
  ['the body of a public start', StartChatBody],
  ['the body of a preview start', StartPreviewChatBody],
  ['the response to a public start', StartChatResponse],
  ['the response to a preview start', StartPreviewChatResponse],
  ['an error', ErrorBody],
])('the schema of %s is a schema', (_, schema) => {
  expect(new Ajv().validateSchema(schema)).toBe(true)
})

describe('block types', () => {
  it('have one schema each', () => {
    const types = blockSchemas.flatMap(tagsOf)
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([])
  })

  it.each(blockSchemas.map((schema) => [tagsOf(schema).join(', '), schema] as const))(
    '%s pass unknown keys and need an id',
    (_, schema) => {
      const [type] = tagsOf(schema)
      const missing = problemsIn(schema, { type }).map(({ pointer, message }) => `${pointer} ${message}`)
      expect(missing).toContain(" must have required property 'id'")
      const before = problemsIn(schema, { id: 'b', type })
      expect(problemsIn(schema, { id: 'b', type, future: { deep: 1 } })).toEqual(before)
    },
  )
})
