import { describe, expect, it } from 'vitest'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'

const table = new VariableTable([
  { id: 'a', name: 'Name', value: null },
  { id: 'b', name: 'Name', value: 'second' },
  { id: 'b', name: 'Shadow', value: 'never seen' },
  { id: 'c', name: 'Count', value: '1', isSessionVariable: true },
])

describe('variables', () => {
  it('reads the first namesake that has a value', () => {
    const variables = new Variables(table)
    expect(variables.readByName('Name')).toBe('second')
    variables.set('a', 'first')
    expect(variables.readByName('Name')).toBe('first')
  })

  it('lets the first declaration of an id win', () => {
    expect(table.all.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(new Variables(table).readByName('Shadow')).toBeNull()
  })

  it('keeps only what differs from the declaration', () => {
    const variables = new Variables(table)
    variables.set('c', '2')
    expect([...variables.changed]).toEqual([['c', '2']])
    expect(
      [...variables.entries()].map(([{ id, isSessionVariable }, value]) => [id, value, isSessionVariable]),
    ).toEqual([
      ['a', null, false],
      ['b', 'second', false],
      ['c', '2', true],
    ])
  })

  it('distinguishes an unknown id from an unset variable', () => {
    const variables = new Variables(table)
    expect([variables.get('nobody'), variables.get('a')]).toEqual([undefined, null])
    expect([variables.set('nobody', 'x'), variables.set('a', 'x')]).toEqual([false, true])
  })

  it('clears a default', () => {
    const variables = new Variables(table, [['b', null]])
    expect(variables.readByName('Name')).toBeNull()
  })

  it('remembers names that the flow does not declare', () => {
    const variables = new Variables(table)
    expect([variables.knows('Guest'), variables.knows('Name')]).toEqual([false, true])
    variables.setByName('Guest', 'g')
    variables.setByName('Name', 'n')
    expect([variables.readByName('Guest'), variables.get('a'), variables.knows('Guest')]).toEqual([
      'g',
      'n',
      true,
    ])
  })
})
