import { describe, expect, it } from 'vitest'
import { compileClientScript, renderClientScript } from '../../../src/engine/templates/client-script.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { worldOf } from '../javascript/code-world.ts'

function render(source: string, values: Record<string, Value>, ids: Record<string, string> = {}) {
  const { table, scope } = worldOf(values, ids)
  return renderClientScript(compileClientScript(source, table), scope)
}

describe('client script', () => {
  it('puts ids in place of references and passes values as arguments', () => {
    expect(
      render('alert({{First name}} + {{Age}})', { 'First name': 'Ada', Age: '41' }, { 'First name': 'vFn' }),
    ).toEqual({
      content: 'alert(vFn + vAge)',
      args: [
        { id: 'vFn', value: 'Ada' },
        { id: 'vAge', value: 41 },
      ],
    })
  })

  it('names each variable once, in order of first appearance', () => {
    const { args } = render('{{B}} {{A}} {{B}}', { A: '1', B: '2' })
    expect(args).toEqual([
      { id: 'vB', value: 2 },
      { id: 'vA', value: 1 },
    ])
  })

  it('collects arguments with the scanner that puts the ids in', () => {
    expect(render('`Hi ${{{Name}}}`', { Name: 'Ann' })).toEqual({
      content: '`Hi ${vName}`',
      args: [{ id: 'vName', value: 'Ann' }],
    })
  })

  it('leaves unknown names out', () => {
    expect(render('f({{Nope}})', {})).toEqual({ content: 'f()', args: [] })
  })

  it('evaluates inline code first and passes what it yields', () => {
    expect(render('f({{={{Num}} + 1=}})', { Num: '5' })).toEqual({
      content: 'f($inline0$)',
      args: [{ id: '$inline0$', value: 6 }],
    })
  })

  it('gives an argument no value while its variable has none', () => {
    expect(render('{{Name}}', { Name: null }).args).toEqual([{ id: 'vName' }])
  })

  it('passes null for a variable that was emptied', () => {
    const { table, variables, scope } = worldOf({ Name: 'Ann' })
    variables.set('vName', null)
    expect(renderClientScript(compileClientScript('{{Name}}', table), scope).args).toEqual([
      { id: 'vName', value: null },
    ])
  })

  it.each<[string, Value, unknown]>([
    ['a number', '7', 7],
    ['a boolean', 'true', true],
    ['text', '007', '007'],
    ['a list', ['1', null], ['1', null]],
  ])('passes %s as such', (_kind, value, seen) => {
    expect(render('{{V}}', { V: value }).args).toEqual([{ id: 'vV', value: seen }])
  })

  it.each([
    ['my-var', '$my$2d$var'],
    ['1st', '$1st'],
    ['class', '$class'],
    ['await', '$await'],
    ['undefined', '$undefined'],
    ['$class', '$$24$class'],
    ['a b', '$a$20$b'],
    ['', '$'],
    ['état', 'état'],
    ['_x1', '_x1'],
  ])('names the variable of id %j %s in code and arguments', (id, identifier) => {
    expect(render('{{V}}', { V: 'x' }, { V: id })).toEqual({
      content: identifier,
      args: [{ id: identifier, value: 'x' }],
    })
  })

  it('reaches a variable that a linked flow left behind', () => {
    const { table, variables, scope } = worldOf({})
    variables.inherited.set('Color', 'red')
    expect(renderClientScript(compileClientScript('f({{Color}})', table), scope)).toEqual({
      content: 'f($$7b$Color)',
      args: [{ id: '$$7b$Color', value: 'red' }],
    })
  })
})
