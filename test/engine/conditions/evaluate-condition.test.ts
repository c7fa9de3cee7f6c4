import { describe, expect, it } from 'vitest'
import type { ComparisonOperator, Condition } from '../../../schemas/condition.ts'
import type { Log } from '../../../schemas/log.ts'
import { compileCondition, evaluateCondition } from '../../../src/engine/conditions/evaluate-condition.ts'
import { compileExpression } from '../../../src/engine/javascript/create-code.ts'
import { createScope } from '../../../src/engine/javascript/evaluate.ts'
import { createRunCode } from '../../../src/engine/javascript/sandbox-job.ts'
import type { CompileContext } from '../../../src/engine/model/block-handler.ts'
import { finish } from '../../../src/engine/model/effects.ts'
import { LimitExceeded } from '../../../src/engine/model/limits.ts'
import { compileJson } from '../../../src/engine/templates/json-template.ts'
import { parseTemplate } from '../../../src/engine/templates/parse-template.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'
import { comparedWith, comparisons } from '../../fixtures/tables/comparisons.ts'
import { defaultLimits } from '../../support/limits.ts'
import { runInHost, settleCode } from '../javascript/code-world.ts'

/** Decides a condition about the variable `L`, and tells what was reported, logged and spent on the way. */
function decide(
  condition: Condition | undefined,
  L: Value,
  others: Record<string, Value> = {},
  sandbox = runInHost,
) {
  const values: Record<string, Value> = { L, ...comparedWith, ...others }
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
    text: (text) => parseTemplate(text, table),
    lateText: (text) => parseTemplate(text, table),
    expression: compileExpression,
    json: (value) => compileJson(value, { compile: (text) => parseTemplate(text, table) }),
    report: (finding) => findings.push(finding),
    inspect: (check) => check(),
  }
  const compiled = compileCondition(condition, context, { at: '/content' })
  const logs: Log[] = []
  let spent = 0
  const scope = createScope({
    variables: new Variables(table),
    blockId: 'b1',
    log: (entry) => logs.push(entry),
    runCode: createRunCode('in one block'),
    spend: (characters) => {
      spent += characters
      if (spent > defaultLimits.charactersPerTurn) throw new LimitExceeded('charactersPerTurn', 'too much')
    },
  })
  const result = settleCode(finish(evaluateCondition(compiled, scope)), sandbox)
  return { result, findings, logs, spent }
}

function compare(L: Value, comparisonOperator: ComparisonOperator, value?: string, others = {}) {
  const comparison = { id: 'q', variableId: 'vL', comparisonOperator, ...(value !== undefined && { value }) }
  return decide({ comparisons: [comparison] }, L, others)
}

describe.each(Object.entries(comparisons))('%s', (_, rows) => {
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
    ['/(/', 'unterminated group'],
    ['a'.repeat(501), 'it is longer than 500 characters'],
  ])('is told to the author and in the logs: %s', (value, reason) => {
    const { result, findings, logs } = compare('ab aa', 'Matches regex', value)
    expect(result).toBe(false)
    expect(findings[0]?.hint).toContain(reason)
    expect(findings).toMatchObject([
      { code: 'invalid-pattern', severity: 'warning', at: '/content/comparisons/0/value' },
    ])
    expect(logs).toMatchObject([{ status: 'error', context: 'Conditions' }])
    expect(logs[0]?.description).toContain('"b1"')
  })

  it('is reported in the logs alone when it comes from a variable', () => {
    const { findings, logs } = compare('ab', 'Does not match regex', '{{P}}', { P: '/a(?!b/' })
    expect(findings).toEqual([])
    expect(logs).toHaveLength(1)
  })

  it('is reported once however many a list holds, and lets the others match', () => {
    const { result, logs } = compare(['ab'], 'Matches regex', '{{P}}', { P: ['/(/', '/)/', '/b/'] })
    expect(result).toBe(true)
    expect(logs).toEqual([
      {
        audience: 'visitors',
        status: 'error',
        description: 'A pattern of the block "b1" matches nothing: unterminated group',
        context: 'Conditions',
      },
    ])
  })

  it('is no matter where nothing is searched', () => {
    expect(compare(null, 'Matches regex', '/(/').logs).toEqual([])
  })

  it('is not reported for any other operator', () => {
    expect(compare('(', 'Equal to', '(')).toMatchObject({ result: true, findings: [], logs: [] })
  })
})

describe('a pattern that only the sandbox looks for', () => {
  it.each([
    ['/a(?=b)/', 'ab', true],
    ['/a(?=b)/', 'ac', false],
    ['/^(?=.*\\d)(?=.*[A-Z]).{8,}$/', 'Passw0rd', true],
    ['/(a)\\1/i', 'xAa', true],
    ['/(?<n>a)\\k<n>/', 'aba', false],
    ['/(?<!\\$)5/y', '$5', false],
    ['(?=b)', 'ab', true],
  ])('%s on %s is %s', (value, text, expected) => {
    expect(compare(text, 'Matches regex', value)).toMatchObject({ result: expected, findings: [], logs: [] })
    expect(compare(text, 'Does not match regex', value).result).toBe(!expected)
  })

  it('is looked for in any text of a list, and in the first 10 000 characters', () => {
    expect(compare(['x', 'aa'], 'Matches regex', '/(a)\\1/').result).toBe(true)
    expect(compare(`${'x'.repeat(9_999)}aa`, 'Matches regex', '/(a)\\1/').result).toBe(false)
  })

  it('matches nothing where it is none, or is cut off', () => {
    const description = expect.stringMatching(/^A pattern of the block "b1" matches nothing: /)
    const none = compare('a', 'Matches regex', '/(?=a)\\p{NoSuchThing}/u')
    expect(none).toMatchObject({ result: false, logs: [{ status: 'error', description }] })
    const cutOff = decide(
      { comparisons: [{ id: 'q', variableId: 'vL', comparisonOperator: 'Matches regex', value: '(?=a)' }] },
      'a',
      {},
      () => ({ ok: false, message: 'it ran too long', reason: 'limit' }),
    )
    expect(cutOff.result).toBe(false)
    expect(cutOff.logs[0]?.description).toMatch(/it ran too long$/)
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
  ])('are compared by %s', (operator, left, right, expected) => {
    expect(compare(left, operator, '{{R}}', { R: right }).result).toBe(expected)
  })

  it('finds a list equal to an empty one, on either side', () => {
    expect(compare(['a', 'b'], 'Equal to', '{{E}}', { E: [] }).result).toBe(true)
    expect(compare([], 'Equal to', '{{E}}', { E: ['a', 'b'] }).result).toBe(true)
    expect(compare(['a', 'b'], 'Equal to', '{{E}}', { E: ['a'] }).result).toBe(false)
  })

  it.each(['Equal to', 'Contains', 'Starts with'] as const)(
    'spend much more on piles of marks than on letters with %s',
    (operator) => {
      const { spent: onPiles } = compare(`x${'\u0308\u0323'.repeat(15)}`.repeat(300), operator, 'a')
      const { spent: onLetters } = compare(`${'漢字'.repeat(4_650)}x\u0308\u0323`, operator, 'a')
      expect(onPiles).toBeGreaterThan(100 * onLetters)
    },
  )

  it.each<[ComparisonOperator, Value, Value]>([
    ['Starts with', same, same],
    ['Contains', 'x'.repeat(65_000), many('y', 10_000)],
    ['Matches regex', same, many('b', 10_000)],
    ['Does not match regex', ['b'.repeat(60_000)], many('(a|b|[a-c]){300}c', 3_000)],
  ])('spend the budget of the turn with %s', (operator, left, right) => {
    expect(() => compare(left, operator, '{{R}}', { R: right })).toThrow(LimitExceeded)
  })
})
