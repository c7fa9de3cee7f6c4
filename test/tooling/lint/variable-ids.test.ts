import type { TSchema } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { blockSchemas } from '../../../schemas/blocks/index.ts'
import { tagsOf } from '../../../schemas/tagged-union.ts'
import { variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { lintBy } from '../../support/lint.ts'

/** A part of a block down to an id of a variable, and where that is inside the block. */
interface Reference {
  readonly at: string
  readonly value: unknown
}

/** Every place of a schema that names a variable by its id, as the smallest value that has it. */
function referencesIn(schema: TSchema, id: string): Reference[] {
  if (schema['items'] !== undefined)
    return referencesIn(schema['items'], id).map(({ at, value }) => ({ at: `/0${at}`, value: [value] }))
  const properties: Readonly<Record<string, TSchema>> = schema['properties'] ?? {}
  const required = schema['required'] ?? []
  const rest = {
    ...(required.includes('id') && { id: 'x' }),
    ...(required.includes('items') && { items: [] }),
  }
  return Object.entries(properties).flatMap(([key, inside]): Reference[] => {
    // Values for an editor's trial, which no conversation reads.
    if (key === 'variablesForTest') return []
    const found = /ariableId$/.test(key) ? [{ at: '', value: id }] : referencesIn(inside, id)
    return found.map(({ at, value }) => ({ at: `/${key}${at}`, value: { ...rest, [key]: value } }))
  })
}

const placesOf = (id: string) =>
  blockSchemas.flatMap((schema) => {
    const [type = ''] = tagsOf(schema)
    return referencesIn(schema, id).map(({ at, value }) => [type, at, { ...(value as Json), type }] as const)
  })

describe('an id of a variable', () => {
  it('stands in many places', () => expect(placesOf('gone').length).toBeGreaterThan(40))

  it.each(placesOf('gone'))('is found where no variable has it: %s %s', (_, at, block) => {
    const found = lintBy('unknown-variable', { blocks: [block] })
    expect(found.map(({ pointer }) => pointer)).toEqual([`/groups/0/blocks/0${at}`])
  })

  it.each(placesOf('vName'))('is fine where one has: %s %s', (_, _at, block) => {
    expect(lintBy('unknown-variable', { variables: [variable('Name')], blocks: [block] })).toEqual([])
  })

  it.each(placesOf('Name'))('can be put in place of a name: %s %s', (_, at, block) => {
    const [found] = lintBy('unknown-variable', { variables: [variable('Name')], blocks: [block] })
    expect(found?.hint).toBe('That is the name of a variable: its id is "vName".')
    expect(found?.fix?.patch).toEqual([{ op: 'replace', path: `/groups/0/blocks/0${at}`, value: 'vName' }])
  })

  it.each([
    ['options', 'what is written is lost'],
    ['items/0/content/comparisons/0', 'it is always empty'],
  ])('says what comes of it: %s', (place, consequence) => {
    const places = placesOf('gone').filter(([, at]) => at === `/${place}/variableId`)
    for (const [, , block] of places)
      expect(lintBy('unknown-variable', { blocks: [block] })[0]?.message).toContain(consequence)
    expect(places.length).toBeGreaterThan(0)
  })
})
