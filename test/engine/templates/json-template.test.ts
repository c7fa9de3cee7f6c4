import { describe, expect, it } from 'vitest'
import { compileJson, renderJson } from '../../../src/engine/templates/json-template.ts'
import { parseTemplate } from '../../../src/engine/templates/parse-template.ts'
import { worldOf } from '../javascript/code-world.ts'

const world = worldOf({ Name: 'Ann' })

function prepare<T>(value: T, keepsListTexts?: boolean) {
  const pointers: string[] = []
  const compile = (text: string, pointer: string) => {
    pointers.push(`${pointer} ${text}`)
    return parseTemplate(text, world.table)
  }
  const template = compileJson(value, { compile, ...(keepsListTexts !== undefined && { keepsListTexts }) })
  return { template, pointers, render: () => renderJson(template, world.scope) }
}

describe('a JSON value with texts', () => {
  it('is rendered at any depth, and what is no text stays', () => {
    const value = { a: ['{{Name}}', { b: 'Hi {{Name}}', c: [1, true, null, 'x'] }], d: null, e: 0.5 }
    expect(prepare(value).render().value).toEqual({
      a: ['Ann', { b: 'Hi Ann', c: [1, true, null, 'x'] }],
      d: null,
      e: 0.5,
    })
  })

  it('leaves keys alone, those of prototypes included', () => {
    const value = JSON.parse('{"{{Name}}": "x", "__proto__": "{{Name}}", "constructor": "y"}')
    expect(JSON.stringify(prepare(value).render().value)).toBe(
      '{"{{Name}}":"x","__proto__":"Ann","constructor":"y"}',
    )
  })

  it('may be a text itself', () => {
    expect(prepare('{{Name}}!').render().value).toBe('Ann!')
    expect(prepare('{{Name}}!').pointers).toEqual([' {{Name}}!'])
  })

  it('is not changed by a rendering, and is rendered anew each time', () => {
    const value = { list: ['{{Name}}'], kept: { x: 1 } }
    const { render } = prepare(value)
    const [first, second] = [render(), render()]
    expect(value).toEqual({ list: ['{{Name}}'], kept: { x: 1 } })
    expect(second).not.toBe(first)
    expect(second.value.kept).toBe(first.value.kept)
  })
})

describe('a JSON value without placeholders', () => {
  it('is one frozen piece for everybody', () => {
    const { render, template } = prepare({ a: ['x', { b: 'y' }] })
    expect(render()).toBe(render())
    expect(template.constant).toBe(render())
    expect(Object.isFrozen(render().value.a[1])).toBe(true)
  })

  it.each([[null], [5], [[]], [{}], ['x']])('is a constant: %j', (value) => {
    expect(prepare(value).template.constant?.value).toEqual(value)
  })
})

describe('texts that stand directly in a list', () => {
  const value = { origins: ['https://{{Name}}.example', ['{{Name}}'], { title: '{{Name}}' }] }

  it('are rendered like any other', () => {
    expect(prepare(value).render().value.origins).toEqual(['https://Ann.example', ['Ann'], { title: 'Ann' }])
  })

  it('are kept as they are on demand, lists in lists too, and objects in lists are not', () => {
    const { render, pointers } = prepare(value, true)
    expect(render().value.origins).toEqual(['https://{{Name}}.example', ['{{Name}}'], { title: 'Ann' }])
    expect(pointers).toEqual(['/origins/2/title {{Name}}'])
  })

  it('that are kept do not keep a value from being a constant', () => {
    expect(prepare({ origins: ['{{Name}}'] }, true).template.constant).toBeDefined()
    expect(prepare({ origins: ['{{Name}}'] }, false).template.constant).toBeUndefined()
  })
})

describe('the place of a text', () => {
  it('is its JSON pointer, with lists by index and escaped keys', () => {
    const value = { 'a/b': ['{{x}}', { 'c~d': '{{y}}' }], '~1': { '/': '{{z}}' }, '': '{{w}}' }
    expect(prepare(value).pointers).toEqual([
      '/a~1b/0 {{x}}',
      '/a~1b/1/c~0d {{y}}',
      '/~01/~1 {{z}}',
      '/ {{w}}',
    ])
  })
})
