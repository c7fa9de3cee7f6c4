import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileExpression } from '../../../src/engine/javascript/create-code.ts'
import { evaluate } from '../../../src/engine/javascript/evaluate.ts'
import { compileResponsePath } from '../../../src/engine/javascript/response-path/response-path.ts'
import { ResponseReader } from '../../../src/engine/javascript/response-path/response-reader.ts'
import type { CodeResult } from '../../../src/engine/model/effect-payloads.ts'
import { parseTemplate } from '../../../src/engine/templates/parse-template.ts'
import { settleCode, worldOf } from './code-world.ts'

const { table, scope } = worldOf(
  { A: '7', B: 'Ann', C: ['x', null, '3'], D: null },
  {},
  Number.POSITIVE_INFINITY,
)
const values = { vA: 7, vB: 'Ann', vC: ['x', null, '3'], vD: undefined }

/** JSON as a client sends it. */
const data = JSON.parse(
  '{"items":[{"n":"a","tags":["p","q"]},{"n":null,"tags":[]},{"tags":["r"]}],"total":3,"odd key":"K",' +
    '"__proto__":{"n":1},"constructor":"c","length":2,"text":{"toString":1},"number":{"valueOf":1}}',
)

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
const callbackMethods = ['every', 'filter', 'find', 'findIndex', 'flatMap', 'map', 'some']
const keys = ['items', 'n', 'tags', 'total', 'length', '__proto__', 'constructor', 'text', 'number', 'nope']
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

const { expression, path } = fc.letrec<{
  expression: string
  callback: string
  inCallback: string
  path: string
}>((tie) => ({
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
      .tuple(tie('expression'), fc.constantFrom(...callbackMethods), tie('callback'))
      .map(([a, m, f]) => `(${a}).${m}(${f})`),
    fc
      .tuple(fc.constantFrom(...functions), fc.array(tie('expression'), { maxLength: 2 }))
      .map(([f, args]) => `${f}(${args.map((arg) => `(${arg})`).join()})`),
    fc
      .array(tie('expression'), { maxLength: 3 })
      .map((items) => `[${items.map((item) => `(${item})`).join()}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `\`\${(${a})} \${(${b})}\``),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `({ a: (${a}), ["k" + (${b})]: 1 })`),
  ),
  callback: fc.oneof(
    fc
      .tuple(fc.constantFrom('x', '(x, i)', '(x, y, z)', '()', '(i)'), tie('inCallback'))
      .map(([parameters, body]) => `${parameters} => (${body})`),
    tie('inCallback').map((body) => `x => { const i = (${body}); if (i) return(i); return(x) }`),
    fc.constantFrom('Boolean', 'Number', 'String', 'parseInt', 'nope', '5', 'isNaN'),
  ),
  inCallback: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('x', 'i', 'x.length', 'x[0]', 'x.n', 'x?.tags', '{{A}}', '"a"', '0'),
    tie('expression'),
    fc
      .tuple(tie('inCallback'), fc.constantFrom(...binary), tie('inCallback'))
      .map(([a, op, b]) => `((${a}) ${op} (${b}))`),
    fc.tuple(tie('inCallback'), tie('inCallback')).map(([a, b]) => `[(${a}), (${b})]`),
    fc.tuple(tie('inCallback'), tie('inCallback')).map(([a, b]) => `({ n: (${a}), tags: (${b}) })`),
    fc
      .tuple(tie('inCallback'), fc.constantFrom(...callbackMethods), tie('callback'))
      .map(([a, m, f]) => `(${a}).${m}(${f})`),
    fc
      .tuple(tie('inCallback'), fc.constantFrom('.', '?.'), fc.constantFrom(...keys))
      .map(([a, dot, key]) => `(${a})${dot}${key}`),
  ),
  path: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(
      'data',
      'data.items',
      'data["odd key"]',
      'statusCode',
      'response',
      'data.items[0]',
      '1',
      '"n"',
      'nope',
    ),
    fc
      .tuple(tie('path'), fc.constantFrom('.', '?.'), fc.constantFrom(...keys))
      .map(([a, dot, key]) => `(${a})${dot}${key}`),
    fc.tuple(tie('path'), tie('path')).map(([a, b]) => `(${a})[${b}]`),
    fc
      .tuple(tie('path'), fc.constantFrom(...callbackMethods), tie('callback'))
      .map(([a, m, f]) => `(${a})?.${m}?.(${f})`),
    fc
      .tuple(tie('path'), fc.constantFrom(...binary), tie('path'))
      .map(([a, op, b]) => `((${a}) ${op} (${b}))`),
    fc.tuple(tie('path'), tie('path'), tie('path')).map(([a, b, c]) => `((${a}) ? (${b}) : (${c}))`),
    tie('path').map((a) => `JSON.stringify(${a})`),
    tie('path').map((a) => `[...(${a})]`),
  ),
}))

/** What the engine of the tests makes of the code. */
function inHost(
  source: string,
  given: Record<string, unknown> = values,
): { ok: true; value: unknown } | { ok: false } {
  try {
    const text = source.replaceAll(/\{\{(\w)\}\}/g, 'v$1')
    return {
      ok: true,
      value: new Function(...Object.keys(given), `return ${text}`)(...Object.values(given)),
    }
  } catch {
    return { ok: false }
  }
}

const beyond: CodeResult = { ok: false, message: 'beyond the engine', reason: 'busy' }

describe('ResponseReader', () => {
  it('yields what a whole engine yields, or says that it takes one', () => {
    const response = { statusCode: 200, data }
    fc.assert(
      fc.property(path, (source) => {
        const prepared = compileResponsePath(source, parseTemplate(source, table))
        const evaluated = settleCode(new ResponseReader(response, scope).read(prepared), () => beyond)
        if (!evaluated.ok && evaluated.needsSandbox) return
        const expected = inHost(source, { ...values, ...response, response })
        expect(evaluated.ok).toBe(expected.ok)
        if (evaluated.ok && expected.ok) expect(evaluated.value).toEqual(expected.value)
      }),
      { numRuns: 1200 },
    )
  })
})

describe('evaluate', () => {
  it('yields what a whole engine yields, or says that it takes one', () => {
    fc.assert(
      fc.property(expression, (source) => {
        const evaluated = evaluate(compileExpression(source, parseTemplate(source, table)), scope)
        if (!evaluated.ok && evaluated.needsSandbox) return
        const expected = inHost(source)
        expect(evaluated.ok).toBe(expected.ok)
        if (evaluated.ok && expected.ok) expect(evaluated.value).toEqual(expected.value)
      }),
      { numRuns: 1200 },
    )
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (source) => {
        const evaluated = evaluate(compileExpression(source, parseTemplate(source, table)), scope)
        expect(typeof evaluated.ok).toBe('boolean')
      }),
      { numRuns: 800 },
    )
  })
})
