import { describe, expect, it } from 'vitest'
import { createScope } from '../../../src/engine/javascript/evaluate.ts'
import { parseTemplate } from '../../../src/engine/templates/parse-template.ts'
import { renderText } from '../../../src/engine/templates/text-template.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'
import { placeholders } from '../../fixtures/tables/placeholders.ts'

const values: Record<string, Value> = {
  Name: 'Ann',
  Num: '5',
  List: ['a', 'b'],
  NL: ['a', null],
  Empty: [],
  Tpl: '{{Name}}',
  Unset: null,
}
const table = new VariableTable(
  Object.entries(values).map(([name, value]) => ({
    id: name,
    name,
    value: value as string | (string | null)[] | null,
  })),
)
const render = (text: string) =>
  renderText(
    parseTemplate(text, table),
    createScope({ variables: new Variables(table), log: () => {}, spend: () => {} }),
  )

describe('placeholders', () => {
  it.each(placeholders)('%j reads %j', (text, expected) => {
    expect(render(text)).toBe(expected)
  })

  it('distinguishes a constant text, a lone placeholder and a mix', () => {
    expect(parseTemplate('plain', table)).toMatchObject({ constant: 'plain', lone: undefined })
    expect(parseTemplate('', table)).toMatchObject({ constant: '', lone: undefined })
    expect(parseTemplate('{{Name}}', table).lone).toMatchObject({ kind: 'variable', ref: { name: 'Name' } })
    expect(parseTemplate('{{=1=}}', table).lone).toMatchObject({ kind: 'code' })
    expect(parseTemplate(' {{Name}}', table)).toMatchObject({ constant: undefined, lone: undefined })
    expect(parseTemplate('{{Name}}{{Name}}', table)).toMatchObject({ constant: undefined, lone: undefined })
  })

  it('cuts code at the first end on its line, and goes on behind it', () => {
    const { parts } = parseTemplate('a{{=1=}}b{{=2=}}c{{Name}}', table)
    expect(parts.map((part) => (typeof part === 'string' ? part : part.kind))).toEqual([
      'a',
      'code',
      'b',
      'code',
      'c',
      'variable',
    ])
  })

  it.each(['{{=', '{{a', '{{', '{{=x\n', '{'])('stays quick on a megabyte of %j', (opening) => {
    const text = opening.repeat(1_000_000 / opening.length)
    expect(render(text)).toBe(text)
  })

  it('looks for placeholders behind as many braces as no author writes', () => {
    expect(render(`${'{'.repeat(90_000)} {{Name}}`)).toBe(`${'{'.repeat(90_000)} Ann`)
    const excessive = `${'{'.repeat(100_001)} {{Name}}`
    expect(render(excessive)).toBe(excessive)
    expect(render('{{Num}}'.repeat(10_001))).toBe(`${'5'.repeat(10_000)}{{Num}}`)
  })

  it('counts what it makes, and nothing for a text that makes nothing', () => {
    const spent: number[] = []
    const scope = createScope({
      variables: new Variables(table),
      log: () => {},
      spend: (count: number) => void spent.push(count),
    })
    renderText(parseTemplate('plain', table), scope)
    renderText(parseTemplate('Hi {{Name}}', table), scope)
    expect(spent).toEqual([3, 3])
  })
})
