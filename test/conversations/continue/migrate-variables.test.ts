import { describe, expect, it } from 'vitest'
import type { Variable } from '../../../schemas/flow.ts'
import { migrateVariables } from '../../../src/conversations/continue/migrate-variables.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'

interface Case {
  readonly before: Variable[]
  /** What was written, by id. */
  readonly changed?: [string, Value][]
  readonly inherited?: [string, Value][]
  readonly sessionOnly?: string[]
  readonly after: Variable[]
  /** What has to be kept of it under the new declarations. */
  readonly kept: {
    changed?: [string, Value][]
    inherited?: [string, Value][]
    sessionOnly?: string[]
  }
}

const name = { id: 'v1', name: 'Name' }

const cases: [string, Case][] = [
  [
    'what was written',
    { before: [name], changed: [['v1', 'Ada']], after: [name], kept: { changed: [['v1', 'Ada']] } },
  ],
  [
    'what was emptied, where the declared value is another now',
    {
      before: [{ ...name, value: 'x' }],
      changed: [['v1', null]],
      after: [{ ...name, value: 'y' }],
      kept: { changed: [['v1', null]] },
    },
  ],
  [
    'what was only declared, where that is declared differently now',
    {
      before: [{ ...name, value: ['a', null] }],
      after: [{ ...name, value: ['a'] }],
      kept: { changed: [['v1', ['a', null]]] },
    },
  ],
  [
    'emptiness, where something is declared now',
    { before: [name], after: [{ ...name, value: 'x' }], kept: { changed: [['v1', null]] } },
  ],
  [
    'nothing of what is declared as before',
    { before: [{ ...name, value: ['a'] }], after: [{ ...name, value: ['a'] }], kept: {} },
  ],
  ['nothing of what is new', { before: [], after: [{ ...name, value: 'x' }], kept: {} }],
  [
    'the value of a variable that has another name now',
    {
      before: [name],
      changed: [['v1', 'Ada']],
      after: [{ id: 'v1', name: 'First name' }],
      kept: { changed: [['v1', 'Ada']] },
    },
  ],
  [
    'by its name what is not declared any more',
    {
      before: [name, { id: 'v2', name: 'Plan', value: 'basic' }, { id: 'v3', name: 'Empty' }],
      changed: [['v1', 'Ada']],
      after: [],
      kept: {
        inherited: [
          ['Name', 'Ada'],
          ['Plan', 'basic'],
        ],
      },
    },
  ],
  [
    'what a linked flow left behind',
    { before: [], inherited: [['Name', 'Ada']], after: [], kept: { inherited: [['Name', 'Ada']] } },
  ],
  [
    'what is not declared any more for the variable that has its name now',
    {
      before: [name],
      changed: [['v1', 'Ada']],
      after: [{ id: 'w1', name: 'Name', value: 'x' }],
      kept: { changed: [['w1', 'Ada']] },
    },
  ],
  [
    'what a linked flow left behind for the variable that has its name now',
    {
      before: [],
      inherited: [['Name', 'Ada']],
      after: [{ ...name, value: 'x' }],
      kept: { changed: [['v1', 'Ada']] },
    },
  ],
  [
    'the first of several of one name that held something',
    {
      before: [name, { id: 'v2', name: 'Name' }, { id: 'v3', name: 'Name', value: 'third' }],
      changed: [['v2', 'second']],
      after: [{ id: 'w1', name: 'Name' }],
      kept: { changed: [['w1', 'second']] },
    },
  ],
  [
    'the first of several of one name that held something, by its name',
    {
      before: [
        { ...name, value: 'first' },
        { id: 'v2', name: 'Name', value: 'second' },
      ],
      after: [],
      kept: { inherited: [['Name', 'first']] },
    },
  ],
  [
    'what was read by a name for the variable of that name that holds nothing',
    {
      before: [name, { id: 'v2', name: 'Name' }],
      changed: [['v2', 'Ada']],
      after: [name],
      kept: { changed: [['v1', 'Ada']] },
    },
  ],
  [
    'nothing that something else hid already',
    {
      before: [name, { id: 'v2', name: 'Name' }],
      changed: [
        ['v1', 'Ada'],
        ['v2', 'Bob'],
      ],
      after: [name],
      kept: { changed: [['v1', 'Ada']] },
    },
  ],
  [
    'which variables became session variables, as far as they are declared',
    {
      before: [name, { id: 'v2', name: 'Plan' }],
      sessionOnly: ['v1', 'v2'],
      after: [name],
      kept: { sessionOnly: ['v1'] },
    },
  ],
  [
    'a value out of the result that was a session variable, under another id too',
    {
      before: [
        { ...name, isSessionVariable: true, value: 'Ada' },
        { id: 'v2', name: 'Plan', value: 'basic' },
        { id: 'v3', name: 'City', value: 'Bern' },
      ],
      sessionOnly: ['v2'],
      after: [
        { id: 'w1', name: 'Name' },
        { id: 'w2', name: 'Plan' },
        { id: 'w3', name: 'City' },
      ],
      kept: {
        changed: [
          ['w1', 'Ada'],
          ['w2', 'basic'],
          ['w3', 'Bern'],
        ],
        sessionOnly: ['w1', 'w2'],
      },
    },
  ],
  [
    'names and ids that objects have anyway',
    {
      before: [{ id: '__proto__', name: 'constructor', value: 'x' }],
      after: [],
      kept: { inherited: [['constructor', 'x']] },
    },
  ],
]

describe('variables under new declarations', () => {
  it.each(cases)('keep %s', (_name, { before, changed, inherited, sessionOnly, after, kept }) => {
    const values = new Variables(new VariableTable(before), changed, inherited, sessionOnly)
    const table = new VariableTable(after)
    const moved = migrateVariables(values, table)
    expect(moved.table).toBe(table)
    expect({
      changed: [...moved.changed],
      inherited: [...moved.inherited],
      sessionOnly: [...moved.sessionOnly],
    }).toEqual({ changed: [], inherited: [], sessionOnly: [], ...kept })
  })

  it('leave those they come from as they were', () => {
    const values = new Variables(new VariableTable([name]), [['v1', 'Ada']], [['Plan', 'x']], ['v1'])
    const moved = migrateVariables(values, new VariableTable([name]))
    moved.set('v1', 'Bob')
    moved.setByName('Plan', 'y')
    moved.sessionOnly.clear()
    expect(values.get('v1')).toBe('Ada')
    expect(values.readByName('Plan')).toBe('x')
    expect([...values.sessionOnly]).toEqual(['v1'])
  })
})
