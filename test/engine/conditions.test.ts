import { describe, expect, it } from 'vitest'
import type { ComparisonOperator, Condition } from '../../schemas/condition.ts'
import type { Log } from '../../schemas/log.ts'
import type { CompileContext } from '../../src/engine/block-handler.ts'
import { compileText } from '../../src/engine/compile-text.ts'
import { compileCondition, holds } from '../../src/engine/conditions.ts'
import { compileJson } from '../../src/engine/json-template.ts'
import { BudgetSpent } from '../../src/engine/limits.ts'
import type { Value } from '../../src/engine/value.ts'
import { Variables, VariableTable } from '../../src/engine/variables.ts'
import { defaultLimits } from '../support/limits.ts'

const composedCafe = 'caf\u00e9'
const decomposedCafe = 'cafe\u0301'

/** Decides a condition about the variable `L`, and tells what was reported, logged and spent on the way. */
function decide(condition: Condition | undefined, L: Value, others: Record<string, Value> = {}) {
  const values: Record<string, Value> = { L, B: ['x', 'y'], E: [], U: null, ...others }
  const table = new VariableTable(
    Object.entries(values).map(([name, value]) => ({
      id: `v${name}`,
      name,
      value: value as string | (string | null)[] | null,
    })),
  )
  const findings: { code: string; at: string; hint: string }[] = []
  const context: CompileContext = {
    variables: table,
    isLegacy: false,
    text: (text) => compileText(text, table),
    json: (value) => compileJson(value, { compile: (text) => compileText(text, table) }),
    report: (finding) => findings.push(finding),
  }
  const compiled = compileCondition(condition, context, '/content')
  const logs: Log[] = []
  let spent = 0
  const result = holds(compiled, {
    variables: new Variables(table),
    blockId: 'b1',
    log: (entry) => logs.push(entry),
    spend: (characters) => {
      spent += characters
      if (spent > defaultLimits.charactersPerTurn) throw new BudgetSpent('too much')
    },
  })
  return { result, findings, logs, spent }
}

function compare(L: Value, comparisonOperator: ComparisonOperator, value?: string, others = {}) {
  const comparison = { id: 'q', variableId: 'vL', comparisonOperator, ...(value !== undefined && { value }) }
  return decide({ comparisons: [comparison] }, L, others)
}

type Vector = [L: Value, operator: ComparisonOperator, value: string | undefined, result: boolean]

const vectors: Record<string, Vector[]> = {
  'Equal to': [
    ['Yes', 'Equal to', 'Yes', true],
    ['Yes', 'Equal to', 'yes', false],
    ['Yes', 'Equal to', ' Yes', false],
    ['1', 'Equal to', '1.0', false],
    [composedCafe, 'Equal to', decomposedCafe, true],
    [null, 'Equal to', '', false],
    [null, 'Equal to', undefined, false],
    [null, 'Equal to', 'null', true],
    [null, 'Equal to', 'undefined', true],
    ['null', 'Equal to', 'null', false],
    [null, 'Equal to', '{{U}}', false],
    [null, 'Equal to', '{{Nobody}}', false],
    [['x', 'x'], 'Equal to', 'x', true],
    [['x', 'y'], 'Equal to', 'x', false],
    [[], 'Equal to', 'x', true],
    [['x', 'y'], 'Equal to', '{{B}}', false],
    ['["x","y"]', 'Equal to', '{{B}}', false],
    ['["x","y"]!', 'Equal to', '{{B}}!', true],
    ['x', 'Equal to', '{{E}}', true],
    [[null], 'Equal to', 'null', true],
    [[null], 'Equal to', 'x', false],
  ],
  'Not equal': [
    ['a', 'Not equal', 'b', true],
    ['a', 'Not equal', 'A', true],
    ['a', 'Not equal', 'a', false],
    [composedCafe, 'Not equal', decomposedCafe, false],
    [null, 'Not equal', '', true],
    [null, 'Not equal', 'null', false],
    [['x', 'y'], 'Not equal', 'x', false],
    [['x', 'y'], 'Not equal', 'z', true],
    [['z', 'w'], 'Not equal', '{{B}}', true],
    [['z', 'y'], 'Not equal', '{{B}}', false],
  ],
  Contains: [
    ['Hello World', 'Contains', 'world', true],
    ['Hello World', 'Contains', '  HELL ', true],
    ['Hello World', 'Contains', '', false],
    ['Hello World', 'Contains', 'null', false],
    [composedCafe, 'Contains', decomposedCafe, true],
    [null, 'Contains', 'x', false],
    [['red', 'blue'], 'Contains', 'red', true],
    [['red', 'blue'], 'Contains', 'Red', false],
    [['red', 'blue'], 'Contains', 're', false],
    [['red', 'blue'], 'Contains', '', false],
    [['x', 'k'], 'Contains', '{{B}}', true],
    [['k'], 'Contains', '{{B}}', false],
    ['xa', 'Contains', '{{B}}', true],
    ['ka', 'Contains', '{{B}}', false],
    ['ka', 'Contains', '{{E}}', false],
    [[], 'Contains', 'x', false],
    [[null], 'Contains', 'x', false],
    [['a'], 'Contains', 'null', false],
    [[null], 'Contains', 'null', false],
  ],
  'Does not contain': [
    ['Hello', 'Does not contain', 'ell', false],
    ['Hello', 'Does not contain', '', true],
    [null, 'Does not contain', 'x', true],
    [['red', 'blue'], 'Does not contain', 'red', false],
    [['red', 'blue'], 'Does not contain', 'green', true],
    [[], 'Does not contain', 'x', true],
  ],
  'comparing by size': [
    ['10', 'Greater than', '9', true],
    ['10', 'Greater than', '10', false],
    ['10', 'Greater or equal to', '10.0', true],
    ['9', 'Less than', '10', true],
    ['10', 'Less than', '10', false],
    ['10', 'Less or equal to', '10', true],
    ['11', 'Less or equal to', '10', false],
    ['abc', 'Greater than', 'ab', true],
    ['abc', 'Greater than', '2', true],
    ['2024-02-01', 'Greater than', '2024-01-31', true],
    ['2024-02-01', 'Less than', '2024-02-01T00:00:01', true],
    ['2024-02-01T10:00', 'Equal to', '2024-02-01 10:00Z', false],
    ['2024-02-01T10:00', 'Greater or equal to', '2024-02-01 10:00Z', true],
    ['2024-02-01T10:00', 'Less or equal to', '2024-02-01t10:00:00.000z', true],
    ['2024-02-01T10:00+02:00', 'Less than', '2024-02-01T09:00', true],
    ['2024-02-01', 'Less than', '2025', true],
    ['2024', 'Less than', '2024-02-01', true],
    ['abc', 'Less than', '2024-02-01', true],
    ['2024-02-01', 'Greater than', 'abc', true],
    ['2024-13-45', 'Greater than', '9', true],
    ['2024-13-45', 'Greater than', '10', false],
    ['Room 12', 'Greater than', '8', false],
    ['12,5', 'Greater than', '12', true],
    ['12,5', 'Less than', '13', true],
    ['1,2,3', 'Equal to', '1,2,3', true],
    ['1,2,3', 'Greater than', '5', false],
    ['+3361', 'Greater than', '3', true],
    ['+3361', 'Greater than', '5', false],
    ['5', 'Greater than', '', true],
    ['-1', 'Greater than', '', false],
    [null, 'Greater than', '1', false],
    [null, 'Less than', '1', false],
    ['5', 'Greater than', 'null', false],
    [['a', 'b', 'c'], 'Greater than', '2', true],
    [['a', 'b', 'c'], 'Greater than', 'abc', false],
    [['a', 'b', 'c'], 'Less or equal to', 'abc', false],
    ['3', 'Greater than', '{{B}}', true],
    [['a'], 'Less than', '{{B}}', true],
    [[], 'Less or equal to', '0', true],
    ['1e3', 'Greater than', '999', true],
    ['0x10', 'Greater than', '15', true],
  ],
  'being set': [
    [' ', 'Is set', undefined, true],
    ['', 'Is set', undefined, false],
    [null, 'Is set', undefined, false],
    [[], 'Is set', undefined, false],
    [[null], 'Is set', undefined, true],
    [' ', 'Is empty', undefined, false],
    [null, 'Is empty', undefined, true],
    [[], 'Is empty', undefined, true],
  ],
  'starting and ending': [
    [' Hello', 'Starts with', 'HE', true],
    ['Hello', 'Starts with', 'lo', false],
    [['ha', 'no'], 'Starts with', 'h', false],
    [['ha', 'ho'], 'Starts with', 'h', true],
    [[], 'Starts with', 'h', true],
    [['ha', null], 'Starts with', 'h', false],
    [null, 'Starts with', 'h', false],
    ['h', 'Starts with', '', false],
    ['xy', 'Starts with', '{{B}}', false],
    ['file.PDF', 'Ends with', '.pdf ', true],
    ['file.PDF', 'Ends with', 'file', false],
    [null, 'Ends with', 'x', false],
  ],
  patterns: [
    ['Hello', 'Matches regex', '/hello/i', true],
    ['Hello', 'Matches regex', 'hello', false],
    ['Hello', 'Matches regex', 'ell', true],
    ['Hello', 'Matches regex', '/(/', false],
    ['12', 'Matches regex', '/^\\d{2}$/', true],
    [['no', 'yes'], 'Matches regex', '/yes/', true],
    [['no', null], 'Matches regex', '/yes/', false],
    ['y!', 'Matches regex', '{{B}}', true],
    [null, 'Matches regex', '/.*/', false],
    ['hello', 'Matches regex', '', false],
    [[], 'Matches regex', '/x/', false],
    ['ax', 'Matches regex', '/^a{{U}}x$/', true],
    ['hello', 'Does not match regex', '/x/', true],
    ['hello', 'Does not match regex', '/l/', false],
    ['hello', 'Does not match regex', '', false],
    ['hello', 'Does not match regex', '/(/', true],
    [null, 'Does not match regex', '/(/', false],
    [null, 'Does not match regex', '/x/', false],
    [['a', 'c'], 'Does not match regex', '/c/', false],
    [['a', 'b'], 'Does not match regex', '/c/', true],
    [[], 'Does not match regex', '/c/', true],
    ['k', 'Does not match regex', '{{B}}', true],
    ['y', 'Does not match regex', '{{B}}', false],
    ['y', 'Does not match regex', '{{E}}', true],
  ],
}

describe.each(Object.entries(vectors))('%s', (_, rows) => {
  it.each(rows)('%j %s %j is %s', (L, operator, value, expected) => {
    expect(compare(L, operator, value).result).toBe(expected)
  })
})

describe('a condition', () => {
  const isAdult = {
    id: 'q1',
    variableId: 'vL',
    comparisonOperator: 'Greater or equal to',
    value: '18',
  } as const
  const isFrench = { id: 'q2', variableId: 'vC', comparisonOperator: 'Equal to', value: 'FR' } as const
  const comparisons = [isAdult, isFrench]

  it.each<[Condition | undefined, boolean]>([
    [{ logicalOperator: 'AND', comparisons }, false],
    [{ comparisons }, false],
    [{ logicalOperator: 'OR', comparisons }, true],
    [{ comparisons: [isAdult, isAdult] }, true],
    [{ logicalOperator: 'OR', comparisons: [] }, false],
    [{ comparisons: [] }, false],
    [{}, false],
    [undefined, false],
  ])('combines its comparisons: %j is %s', (condition, expected) => {
    expect(decide(condition, '20', { C: 'DE' }).result).toBe(expected)
  })

  it('does not hold where no variable or no operator is named', () => {
    expect(decide({ comparisons: [{ id: 'q', comparisonOperator: 'Is empty' }] }, null).result).toBe(false)
    expect(decide({ comparisons: [{ id: 'q', variableId: 'vL', value: 'x' }] }, 'x').result).toBe(false)
  })

  it('takes an unknown variable for one that is unset', () => {
    const comparison = { id: 'q', variableId: 'nobody', comparisonOperator: 'Is empty' } as const
    expect(decide({ comparisons: [comparison] }, 'x').result).toBe(true)
  })

  it('never scans a value for placeholders', () => {
    expect(compare('{{U}}', 'Equal to', '{{T}}', { T: '{{U}}' }).result).toBe(true)
  })
})

describe('a pattern that can not be used', () => {
  it.each([
    ['/(/', 'invalid-pattern'],
    ['/a(?=b)/', 'not-available'],
    ['/(a)\\1/', 'not-available'],
    ['/(?<n>a)\\k<n>/', 'not-available'],
  ])('is told to the author and in the logs: %s is %s', (value, code) => {
    const { result, findings, logs } = compare('ab aa', 'Matches regex', value)
    expect(result).toBe(false)
    expect(findings).toMatchObject([{ code, severity: 'warning', at: '/content/comparisons/0/value' }])
    expect(logs).toMatchObject([{ status: 'error', context: 'Conditions' }])
    expect(logs[0]?.description).toContain('"b1"')
  })

  it('is told in the logs alone when it comes from a variable', () => {
    const { findings, logs } = compare('ab', 'Does not match regex', '{{P}}', { P: '/a(?!b)/' })
    expect(findings).toEqual([])
    expect(logs).toHaveLength(1)
  })

  it('is told once however many a list holds, and lets the others match', () => {
    const { result, logs } = compare(['ab'], 'Matches regex', '{{P}}', { P: ['/(/', '/)/', '/b/'] })
    expect(result).toBe(true)
    expect(logs).toEqual([
      {
        status: 'error',
        description: 'A pattern of the block "b1" never matches: a group is not closed',
        context: 'Conditions',
      },
    ])
  })

  it('is no matter where nothing is searched', () => {
    expect(compare(null, 'Matches regex', '/(/').logs).toEqual([])
  })

  it('is told of no other operator', () => {
    expect(compare('(', 'Equal to', '(')).toMatchObject({ result: true, findings: [], logs: [] })
  })
})

describe('hostile lists', () => {
  const many = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`)
  const same = Array.from({ length: 21_000 }, () => 'a')

  it.each<[ComparisonOperator, Value, Value, boolean]>([
    ['Equal to', same, same, true],
    ['Not equal', many('a', 10_000), many('b', 10_000), true],
    ['Contains', many('a', 10_000), many('b', 10_000), false],
    ['Does not contain', many('a', 10_000), many('b', 10_000), true],
    ['Greater than', same, same, false],
  ])('are compared by %s in no time', (operator, left, right, expected) => {
    const startedAt = performance.now()
    expect(compare(left, operator, '{{R}}', { R: right }).result).toBe(expected)
    expect(performance.now() - startedAt).toBeLessThan(500)
  })

  it.each<[ComparisonOperator, Value, Value]>([
    ['Starts with', same, same],
    ['Contains', 'x'.repeat(65_000), many('y', 10_000)],
    ['Matches regex', same, many('b', 10_000)],
    ['Does not match regex', ['b'.repeat(60_000)], many('(a|b|[a-c]){300}c', 3_000)],
  ])('spend the budget of the turn with %s, soon', (operator, left, right) => {
    const startedAt = performance.now()
    expect(() => compare(left, operator, '{{R}}', { R: right })).toThrow(BudgetSpent)
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
})
