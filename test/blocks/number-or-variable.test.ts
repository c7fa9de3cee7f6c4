import { describe, expect, it } from 'vitest'
import { compileNumberOrVariable } from '../../src/blocks/number-or-variable.ts'
import { createScope } from '../../src/engine/javascript/evaluate.ts'
import type { CompileContext } from '../../src/engine/model/block-handler.ts'
import { parseTemplate } from '../../src/engine/templates/parse-template.ts'
import type { Value } from '../../src/engine/values/value.ts'
import { Variables, VariableTable } from '../../src/engine/values/variables.ts'

function prepare(value: number | string | undefined, values: Record<string, Value> = {}) {
  const table = new VariableTable(
    Object.entries(values).map(([name, initial]) => ({ id: name, name, value: initial as string | null })),
  )
  const findings: unknown[] = []
  const context = {
    variables: table,
    text: (text: string) => parseTemplate(text, table),
    report: (finding: unknown) => findings.push(finding),
  } as unknown as CompileContext
  const scope = createScope({ variables: new Variables(table), log: () => {}, spend: () => {} })
  const field = compileNumberOrVariable(value, context, '/content/height')
  return { findings, isConstant: field.isConstant, number: field.render(scope) }
}

describe('a number or variable in a definition', () => {
  it.each<[number | string | undefined, number | undefined]>([
    [320, 320],
    [0, 0],
    [-1.5, -1.5],
    ['320', 320],
    ['320,5', 320.5],
    ['320px', 320],
    [' 7 ', 7],
    ['1,5,9', 1.5],
    ['5{{H}}', 5],
    ['{{H}}{{H}}', undefined],
    ['{{H}}%', undefined],
    [' {{H}}', undefined],
    ['auto', undefined],
    ['Infinity', undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %j', (value, expected) => {
    const { number, isConstant } = prepare(value, { H: '300' })
    expect(number).toBe(expected)
    expect(isConstant).toBe(true)
  })

  it('warns the author of a text that says no number', () => {
    expect(prepare('auto').findings).toEqual([
      {
        code: 'invalid-option',
        severity: 'warning',
        at: '/content/height',
        hint: 'Not a number: give one, or exactly one {{placeholder}}. The field is ignored.',
      },
    ])
  })

  it.each([320, '320px', '{{H}}', '', undefined])('has no remark about %j', (value) => {
    expect(prepare(value, { H: '1' }).findings).toEqual([])
  })
})

describe('a number or variable that names a variable', () => {
  it.each<[Value, number | undefined]>([
    ['300', 300],
    ['0', 0],
    ['12,5', 12.5],
    ['40 px', 40],
    ['abc', undefined],
    ['1e999', undefined],
    ['{{H}}', undefined],
    [['1', '2'], undefined],
    [null, undefined],
  ])('resolves the value %j to %j', (value, expected) => {
    const { number, isConstant } = prepare('{{H}}', { H: value })
    expect(number).toBe(expected)
    expect(isConstant).toBe(false)
  })

  it('resolves to nothing when the variable is unknown', () => {
    expect(prepare('{{Nope}}').number).toBeUndefined()
  })
})
