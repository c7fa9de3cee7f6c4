import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileExpression, evaluate } from '../../src/engine/code.ts'
import { compileText } from '../../src/engine/compile-text.ts'
import { worldOf } from './code-world.ts'

const { table, scope } = worldOf(
  { A: '7', B: 'Ann', C: ['x', null, '3'], D: null },
  {},
  Number.POSITIVE_INFINITY,
)
const values = { vA: 7, vB: 'Ann', vC: ['x', null, '3'], vD: undefined }

const leaf = fc.constantFrom(
  ...'{{A}} {{B}} {{C}} {{D}} 0 1 -2 2.5 1e21 "" "a" "10" \' b\' true false null undefined NaN Infinity [] {} nope'.split(
    ' ',
  ),
  '{a:1,length:2}',
  '[1,[2,"3"]]',
)
const binary = '+ - * / % ** | & ^ << >> >>> < <= > >= == != === !== && || ,'.split(' ')
const methods = [
  'at',
  'charAt',
  'concat',
  'endsWith',
  'includes',
  'indexOf',
  'join',
  'lastIndexOf',
  'padStart',
  'slice',
  'split',
  'startsWith',
  'substring',
  'toFixed',
  'toString',
  'toUpperCase',
  'trim',
  'foo',
]
const functions = [
  'Math.max',
  'Math.round',
  'Number',
  'String',
  'Boolean',
  'parseInt',
  'isNaN',
  'Array.isArray',
  'JSON.stringify',
]

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    leaf,
    fc
      .tuple(tie('expression'), fc.constantFrom(...binary), tie('expression'))
      .map(([a, op, b]) => `((${a}) ${op} (${b}))`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `((${a}) ?? (${b}))`),
    fc
      .tuple(fc.constantFrom('+', '-', '!', '~', 'typeof ', 'void '), tie('expression'))
      .map(([op, a]) => `${op}(${a})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `((${a}) ? (${b}) : (${c}))`),
    fc
      .tuple(tie('expression'), fc.constantFrom('[', '?.['), tie('expression'))
      .map(([a, dot, b]) => `(${a})${dot}${b}]`),
    fc
      .tuple(tie('expression'), fc.constantFrom('.', '?.'), fc.constantFrom('length', 'a', 'foo'))
      .map(([a, dot, b]) => `(${a})${dot}${b}`),
    fc
      .tuple(tie('expression'), fc.constantFrom(...methods), fc.array(tie('expression'), { maxLength: 2 }))
      .map(([a, m, args]) => `(${a}).${m}(${args.map((arg) => `(${arg})`).join()})`),
    fc
      .tuple(fc.constantFrom(...functions), fc.array(tie('expression'), { maxLength: 2 }))
      .map(([f, args]) => `${f}(${args.map((arg) => `(${arg})`).join()})`),
    fc
      .array(tie('expression'), { maxLength: 3 })
      .map((items) => `[${items.map((item) => `(${item})`).join()}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `\`\${(${a})} \${(${b})}\``),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `({ a: (${a}), ["k" + (${b})]: 1 })`),
  ),
}))

/** What the engine of the tests makes of the code. */
function inHost(source: string): { ok: true; value: unknown } | { ok: false } {
  try {
    const text = source.replaceAll(/\{\{(\w)\}\}/g, 'v$1')
    return {
      ok: true,
      value: new Function(...Object.keys(values), `return ${text}`)(...Object.values(values)),
    }
  } catch {
    return { ok: false }
  }
}

describe('evaluate', () => {
  it('yields what a whole engine yields, or says that it takes one', () => {
    fc.assert(
      fc.property(expression, (source) => {
        const evaluated = evaluate(compileExpression(source, compileText(source, table)), scope)
        if (!evaluated.ok && evaluated.needsSandbox) return
        const expected = inHost(source)
        expect(evaluated.ok).toBe(expected.ok)
        if (evaluated.ok && expected.ok) expect(evaluated.value).toEqual(expected.value)
      }),
      { numRuns: 3000 },
    )
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (source) => {
        const evaluated = evaluate(compileExpression(source, compileText(source, table)), scope)
        expect(typeof evaluated.ok).toBe('boolean')
      }),
      { numRuns: 2000 },
    )
  })
})
