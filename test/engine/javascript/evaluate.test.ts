import { describe, expect, it } from 'vitest'
import { compileExpression, createInlineCode } from '../../../src/engine/javascript/create-code.ts'
import {
  beginEvaluation,
  createScope,
  evaluate,
  isCertainlyInvalid,
} from '../../../src/engine/javascript/evaluate.ts'
import { Footprint } from '../../../src/engine/model/footprint.ts'
import { LimitExceeded } from '../../../src/engine/model/limits.ts'
import type { Scope } from '../../../src/engine/model/scope.ts'
import { parseTemplate } from '../../../src/engine/templates/parse-template.ts'
import { renderText } from '../../../src/engine/templates/text-template.ts'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'
import { inlineCode, inlineCodeBeyond } from '../../fixtures/tables/placeholders.ts'
import { annsValues, worldOf } from './code-world.ts'

const { table, scope } = worldOf(annsValues, {}, Number.POSITIVE_INFINITY)

const inline = (source: string) => evaluate(compileInlineCode(source, table), scope)
const expression = (source: string) =>
  evaluate(compileExpression(source, parseTemplate(source, table)), scope)

function compileInlineCode(source: string, variables: VariableTable) {
  return createInlineCode(source, parseTemplate(source, variables))
}

/** What code yields, or what became of it. */
function yieldOf(evaluated: ReturnType<typeof evaluate>): unknown {
  if (evaluated.ok) return evaluated.value
  return evaluated.needsSandbox ? 'NEEDS SANDBOX' : 'FAILED'
}

describe('placeholders with inline code', () => {
  it.each(inlineCode)('renders %j as %j', (text, rendered) => {
    expect(renderText(parseTemplate(text, table), scope)).toBe(rendered)
  })

  it.each(inlineCodeBeyond)('shows code that needs the sandbox, since %s', (_reason, text, rendered) => {
    expect(renderText(parseTemplate(text, table), scope)).toBe(rendered)
  })
})

describe('evaluate', () => {
  it.each<[string, unknown]>([
    ['10/2', 5],
    ['2024-01-05', 2018],
    ['1,5', 5],
    ['1,2,3', 3],
    ['+33612345678', 33612345678],
    ['07', 7],
    ['08', 8],
    ['1e5', 1e5],
    ['{{Nope}} + 1', 1],
    ['{{Unset}} + 1', Number.NaN],
    ['({{Unset}} ?? 0) + 1', 1],
    ['{{Num}} * 2', 10],
    ['7 % 4 ** 2', 7],
    ['6 & 3 | 8 ^ 1', 11],
    ['-1 >>> 28', 15],
    ['1 << 4 >> 1', 8],
    ['~5', -6],
    ['-"3"', -3],
    ['typeof WebAssembly + typeof Atomics + typeof this', 'undefinedundefinedobject'],
    ['this === global && global === globalThis', true],
    ['"ab".at(0, { toString: 1 })', 'a'],
    ['[7, 8].slice(1, 2, { toString: 1 })', [8]],
    ['Math.abs(-1, { toString: 1 })', 1],
    ['(await { then: 5 }).then', 5],
    ['+[]', 0],
    ['+{}', Number.NaN],
    ['!{{Unset}}', true],
    ['void 0', undefined],
    ['typeof {{Num}}', 'number'],
    ['typeof {{Name}}', 'string'],
    ['typeof {{List}}', 'object'],
    ['typeof {{Unset}}', 'undefined'],
    ['typeof nope', 'undefined'],
    ['typeof Date', 'function'],
    ['typeof Math', 'object'],
    ['typeof (() => 1)', 'function'],
    ['typeof null', 'object'],
    ['"b" > "a"', true],
    ['"10" < "9"', true],
    ['10 < "9"', false],
    ['[2] > 1', true],
    ['1 <= 1 && 2 >= 3', false],
    ['"5" == 5', true],
    ['"5" === 5', false],
    ['"5" !== 5', true],
    ['"5" != 5', false],
    ['null == undefined', true],
    ['null == 0', false],
    ['[1] == 1', true],
    ['null == []', false],
    ['[] == null', false],
    ['[] == []', false],
    ['{{List}} == {{List}}', true],
    ['{{List}} === {{List}}', true],
    ['{{Name}} || "x"', 'Ann'],
    ['{{Unset}} || "x"', 'x'],
    ['0 ?? 1', 0],
    ['0 && boom', 0],
    ['1 && 2', 2],
    ['{{Num}} > 3 ? "big" : "small"', 'big'],
    ['1 + [2, [3, null]] + {}', '12,3,[object Object]'],
    ['`${[1,2]} ${null} ${true}`', '1,2 null true'],
    ['await 5', 5],
    ['return ', undefined],
    ['// note', undefined],
    ['({{Name}})', 'Ann'],
    ['Date === Date', true],
    ['[...{{List}}, ..."cd"]', ['a', 'b', 'c', 'd']],
    ['({ ["x" + 1]: 1, "y": 2, 3: 4, __proto__() {} }).x1', 1],
    ['({ vNum: {{Num}} })', { vNum: 5 }],
    ['{ vNum, a: {{Num}} }', { vNum: 5, a: 5 }],
    ['{{Unset}}?.a.b.c', undefined],
    ['{{Unset}}?.[0]', undefined],
    ['{{Unset}}?.a()', undefined],
    ['{{Name}}.nope?.()', undefined],
    ['{{Name}}?.length', 3],
    ['{{Name}}["length"]', 3],
    ['{{Name}}[1]', 'n'],
    ['{{Name}}["01"]', undefined],
    ['{{Name}}.foo', undefined],
    ['{{List}}.length', 2],
    ['{{List}}[9]', undefined],
    ['{{Num}}.foo', undefined],
    ['true.foo', undefined],
    ['({ a: { b: 2 } }).a.b', 2],
    ['({ a: 1 }).b', undefined],
    ['{ "__proto__": 1 }', 'NEEDS SANDBOX'],
  ])('evaluates %s as JavaScript does', (source, value) => {
    expect(yieldOf(expression(source))).toEqual(value)
  })

  it.each<[string, unknown]>([
    ['"abc".at(-1)', 'c'],
    ['"abc".at()', 'a'],
    ['"abc".charAt(1)', 'b'],
    ['"abc".endsWith("b", 2)', true],
    ['"abc".includes("b")', true],
    ['"an undefined".includes()', true],
    ['"abcb".indexOf("b", 2)', 3],
    ['"abcd".slice(1, -1)', 'bc'],
    ['"abcd".slice(1)', 'bcd'],
    ['"abcd".substring(2)', 'cd'],
    ['"abcd".substring(2, 0)', 'ab'],
    ['"a,b,c".split(",", 2)', ['a', 'b']],
    ['"a,b".split()', ['a,b']],
    ['"ab".split("")', ['a', 'b']],
    ['"abc".startsWith("b", 1)', true],
    ['"AbC".toLowerCase()', 'abc'],
    ['"x".toString()', 'x'],
    ['"AbC".toUpperCase()', 'ABC'],
    ['" a ".trim()', 'a'],
    ['" a ".trimEnd()', ' a'],
    ['" a ".trimStart()', 'a '],
    ['[1,2,3].at(-1)', 3],
    ['[1].concat([2], 3)', [1, 2, 3]],
    ['[1,2].includes(2)', true],
    ['[NaN].includes(NaN)', true],
    ['[1,2].indexOf("2")', -1],
    ['[1,null,[2,3]].join("-")', '1--2,3'],
    ['[1,2].join()', '1,2'],
    ['[1,2,3].slice(1)', [2, 3]],
    ['[1,[2]].toString()', '1,2'],
    ['(1.005).toFixed(2)', '1.00'],
    ['(1.5).toFixed()', '2'],
    ['(255).toString(16)', 'ff'],
    ['Math.abs(-1) + Math.ceil(0.1) + Math.floor(1.9)', 3],
    ['Math.round(-0.5)', -0],
    ['Math.max(...[1, "3", 2])', 3],
    ['Math.min()', Number.POSITIVE_INFINITY],
    ['Math.pow(2, 3) + Math.sqrt(9) + Math.sign(-2) + Math.trunc(1.5)', 11],
    ['Array.isArray({{List}})', true],
    ['Boolean("")', false],
    ['JSON.stringify({ a: [1, "x"] })', '{"a":[1,"x"]}'],
    ['JSON.stringify()', undefined],
    ['Number(" 12 ")', 12],
    ['Number()', 0],
    ['Number(undefined)', Number.NaN],
    ['Number.isFinite("1")', false],
    ['Number.isInteger(2)', true],
    ['Number.isNaN("x")', false],
    ['String()', ''],
    ['String([1])', '1'],
    ['isFinite("1")', true],
    ['isNaN("x")', true],
    ['parseFloat("1.5kg")', 1.5],
    ['Number.parseInt("ff", 16)', 255],
    ['parseInt("12px")', 12],
    ['"" + { valueOf: 1 }', '[object Object]'],
  ])('calls %s', (source, value) => {
    expect(yieldOf(expression(source))).toEqual(value)
  })

  it.each([
    ['yes', 'yes is not defined'],
    ['John Doe', 'Unexpected token'],
    ['Hello, world', 'Hello is not defined'],
    ['# title', 'Unexpected character'],
    ['12:30', 'Unexpected token'],
    ['Hello {{Name}}', 'Unexpected token'],
    ['Map - north', 'north is not defined'],
    ['Error, again', 'again is not defined'],
    ['this', 'not a value'],
    ['globalThis', 'not a value'],
    ['arguments', 'not a value'],
    ['Math', 'not a value'],
    ['Date', 'A function is not a value'],
    ['()=>1', 'A function is not a value'],
    ['function () {}', 'A function is not a value'],
    ['throw new Error("x")', 'Unexpected token'],
    ['{{Name}}.foo.bar', "Cannot read properties of undefined (reading 'bar')"],
    ['{{Name}}.foo()', 'not a function'],
    ['Hello(world)', 'Hello is not defined'],
    ['5(1)', 'not a function'],
    ['null.x', 'Cannot read properties of null'],
    ['[...5]', 'not iterable'],
    ['(1).toFixed(101)', 'digits'],
    ['#! return 1', 'Unexpected character'],
    ['"abc".map(x => x)', 'not a function'],
    ['({}).map(x => x)', 'not a function'],
    ['"" + { toString: 1 }', 'Cannot convert object to primitive value'],
    ['return\n1 +', 'Unexpected token'],
  ])('fails at %s as JavaScript does', (source, message) => {
    expect(expression(source)).toMatchObject({
      ok: false,
      needsSandbox: false,
      message: expect.stringContaining(message),
    })
  })

  it.each([
    ['yes', true],
    ['Hello, world', true],
    ['example.com', true],
    ['Date', true],
    ['please return it', true],
    ['return nothing.here', false],
    ['{{Name}}.first.second', false],
    ['[1](2)', false],
  ])('says of %s whether it may be words: %s', (source, isSo) => {
    const evaluated = expression(source)
    expect(!evaluated.ok && evaluated.mayBeWords === true).toBe(isSo)
  })

  it.each([
    ['constructs an object', 'new Date(0)'],
    ['awaits a promise', 'Promise.resolve(7)'],
    ['goes through a list', '{{List}}.map(x => x)'],
    ['goes through an empty list', '[].some(x => x)'],
    ['goes through a list by a function of the language', '["1"].map(Number)'],
    ['calls an ordinary function', '[1].map(function (x) { return x })'],
    ['gives a list nothing to call', '[].map()'],
    ['holds a value', 'const a = {{Num}}; return a * 2'],
    ['holds a list again and again', sharedLists(22, '[]')],
    ['decides by a statement', 'if ({{Num}} > 3) return "big"; return "small"'],
    ['has a block', '{ return 1 }'],
    ['returns nothing', '"return it".length'],
    ['declares something behind its return', 'return a; var a = 1'],
    ['declares something behind its return that can not be read', 'return a; let a = 1'],
    ['repeats a text', '"ab".repeat(2)'],
    ['fills a text up', '"5".padStart(3, 0)'],
    ['folds a list', '[1,2].reduce((a, b) => a + b)'],
    ['calls a function that it made', '(() => 1)()'],
    ['assigns', 'Total = 5'],
    ['counts up', '{{Num}}++'],
    ['has a loop', 'for (;;) return 1'],
    ['declares a function', 'return f(); function f() {}'],
    ['has a regular expression', '/a/.test({{Name}})'],
    ['has a big integer', '10n'],
    ['has a big integer as a key', '({ 1n: 2 })'],
    ['reads a method', '{{Name}}.trim'],
    ['reads a prototype', '({}).__proto__'],
    ['reads a constructor', '{{Name}}.constructor'],
    ['reads a constructor by a made name', '{{List}}["constr" + "uctor"]'],
    ['reads a method of a number', '{{Num}}.toFixed'],
    ['reads a method of a boolean', 'true.valueOf'],
    ['calls a method that is not known here', '{{Name}}.normalize()'],
    ['changes a list', '{{List}}.reverse()'],
    ['turns an object of the language into text', '"" + Math'],
    ['holds an object of the language', '[Math]'],
    ['yields a list with an object of the language', '[Math]'],
    ['spreads an object of the language', '[...Math]'],
    ['reads from an object of the language', 'Math.PI'],
    ['calls an object of the language', 'Math()'],
    ['sends a request', 'await fetch("https://x.example")'],
    ['has its own way to become text', '"" + { toString: () => "x" }'],
    ['spreads into an object', '({ ...{{List}} })'],
    ['has a getter', '({ get a() { return 1 } })'],
    ['has a hole', '[1,,2]'],
    ['tags a template', 'x`a`'],
    ['deletes', 'delete {{Name}}.x'],
    ['asks for membership', '"a" in {}'],
    ['indents JSON', 'JSON.stringify({}, null, 2)'],
    ['uses this', 'this.name'],
    ['asks whether there is a function of the service', 'typeof fetch'],
    ['awaits what the code itself resolves', 'await { then: (done) => done(5) }'],
    ['has an expression that this engine may not know', '/(?<a>x)|(?<a>y)/'],
    ['imports', 'import("x")'],
    ['labels', 'a: return 1'],
    ['has a class with a parent', 'return class extends f() {}'],
  ])('leaves code to the sandbox that %s', (_what, source) => {
    expect(expression(source)).toMatchObject({ ok: false, needsSandbox: true })
  })

  it.each([
    ['in lists', '['.repeat(300) + ']'.repeat(300)],
    ['for the parser', '('.repeat(16_000)],
    ['in operators', `1${'+1'.repeat(8000)}`],
  ])('leaves code to the sandbox that is nested too deeply %s', (_where, source) => {
    expect(expression(source)).toMatchObject({ ok: false, needsSandbox: true })
  })

  it.each([
    ['spreads a list', '[...{{L}}, ...{{L}}].length'],
    ['holds a list several times', '[{{L}}, {{L}}]'],
    ['joins a list', '{{L}}.join("").length'],
    ['joins a list by a long text', '{{L}}.join({{T}}).length'],
    ['takes a list for a text', '{{L}} + ""'],
    ['looks for a long text in a list', '{{L}}.includes({{T}})'],
    ['writes JSON', 'JSON.stringify({{L}})'],
    [
      'writes JSON again and again',
      'JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify([{{Q}}]))))',
    ],
    ['searches a long text for a long text', '{{T}}.includes({{T}} + 1)'],
    ['cuts a text into its characters', '{{T}}.split("").length'],
    ['reads numbers', 'Number({{T}}), Number({{T}}), Number({{T}}), Number({{T}}), Number({{T}})'],
    ['makes long texts', '`${{{T}}}${{{T}}}${{{T}}}${{{T}}}${{{T}}}`'],
    ['finds the largest of a list', 'Math.max(...{{L}}, ...{{L}})'],
    ['writes fractions', `${'(5e-324).toString(2) + '.repeat(70)} ""`],
  ])('leaves code to the sandbox that takes long: it %s', (_what, source) => {
    const world = worldOf({ L: Array(70_000).fill('1'), T: '1'.repeat(130_000), Q: '"'.repeat(40_000) })
    let charged = 0
    const spend = (amount: number) => {
      charged += amount
    }
    const scope: Scope = { ...world.scope, spend }
    const code = compileExpression(source, parseTemplate(source, world.table))
    expect(evaluate(code, scope)).toMatchObject({ ok: false, needsSandbox: true })
    expect(charged).toBeLessThan(1024 * 1024)
  })

  it('takes prose for text however long it is', () => {
    expect(expression('You are a helpful assistant. '.repeat(5000))).toMatchObject({
      ok: false,
      needsSandbox: false,
    })
  })

  it.each([
    ['ends past what is parsed', `return 1;${' '.repeat(20_000)}`],
    ['is cut in a statement', `return [${'1,'.repeat(20_000)}]`],
    ['is cut in a comment', `return 1 /* ${'x'.repeat(20_000)} */`],
  ])('leaves long code to the sandbox that %s', (_where, source) => {
    expect(expression(source)).toMatchObject({ ok: false, needsSandbox: true })
  })

  it('awaits in an expression only', () => {
    expect(yieldOf(expression('await 1'))).toBe(1)
    expect(yieldOf(inline('await 1'))).toBe('FAILED')
  })

  it('reaches variables by id from inline code only', () => {
    expect(yieldOf(inline('vNum'))).toBe(5)
    expect(yieldOf(expression('vNum'))).toBe('FAILED')
  })

  it('hands the sandbox the variables that inline code names by id, wherever it does', () => {
    const ids = [
      'vA',
      'vB',
      'vC',
      'a b',
      'v',
      'vAA',
      ...Array.from({ length: 1000 }, (_, nth) => `unused${nth}`),
    ]
    const table = new VariableTable(ids.map((id) => ({ id, name: `named ${id}` })))
    let spent = 0
    const scope = createScope({
      variables: new Variables(table),
      log: () => {},
      spend: (characters) => {
        spent += characters
      },
    })
    const code = compileInlineCode(
      `let x = vA; return x + eval("2*vB") + $a$20$b + \`\${vC}\` + vAA1 + vA.v1`,
      table,
    )
    const begun = beginEvaluation(code, scope)
    expect('job' in begun && begun.job.globals.map(([name]) => name).sort()).toEqual([
      '$a$20$b',
      'vA',
      'vB',
      'vC',
    ])
    const first = spent
    evaluate(code, scope)
    expect(spent - first).toBeLessThan(first / 2)
  })

  it('gives what inline code yields to the code around it', () => {
    expect(yieldOf(expression('1 + {{={{Num}} + 1=}}'))).toBe(7)
  })

  const saying = '"] + (6*7) + ["'

  it.each<[source: string, said: string, value: unknown]>([
    ['{{= {{Said}}.trim() =}} + "!"', saying, `${saying}!`],
    ['"<{{= {{Said}}.trim() =}}>"', saying, `<${saying}>`],
    ["'<{{= {{Said}}.trim() =}}>' + 1", "' + (6*7) + '", "<' + (6*7) + '>1"],
    ['`<{{= {{Said}}.trim() =}}> ${1}`', '${6*7}`', '<${6*7}`> 1'],
    ['[{{= {{Said}}.split(",") =}}.length, {{= {{Said}} =}}]', 'a,b', [2, 'a,b']],
    ['({ "{{= {{Said}} =}}": 1 })', 'k": 2, "l', { 'k": 2, "l': 1 }],
    ['({ k: 5 }).{{= {{Said}} =}}', 'k', 5],
    ['({ k: 5 })?.{{= {{Said}} =}}', 'k', 5],
    ['{{= {{Said}} =}} * 2', '21', 42],
    ['{{= ({ a: {{Said}} }) =}}.a + 1', 'x', 'x1'],
    ['{{= boom({{Said}} =}}.length', '6*7', ' boom(6*7 '.length],
  ])('takes what inline code yields in %s for data', (source, said, value) => {
    const world = worldOf({ Said: said })
    const code = compileExpression(source, parseTemplate(source, world.table))
    expect(evaluate(code, world.scope)).toEqual({ ok: true, value })
  })

  it('takes a sentence with inline code in it for text', () => {
    const world = worldOf({ Said: '6*7' })
    const source = 'Hello {{= {{Said}}.trim() =}}'
    const { ok } = evaluate(compileExpression(source, parseTemplate(source, world.table)), world.scope)
    expect(ok).toBe(false)
  })

  it('distinguishes an emptied variable from one that never had a value', () => {
    const world = worldOf({ Count: null })
    const count = compileInlineCode('{{Count}} + 1', world.table)
    expect(evaluate(count, world.scope)).toEqual({ ok: true, value: Number.NaN })
    world.variables.set('vCount', null)
    expect(evaluate(count, world.scope)).toEqual({ ok: true, value: 1 })
  })

  it('follows the values of variables from one evaluation to the next', () => {
    const world = worldOf({ Num: '5' })
    const code = compileInlineCode('{{Num}} + {{Later}}', world.table)
    expect(evaluate(code, world.scope)).toMatchObject({ ok: false })
    world.variables.set('vNum', '6')
    world.variables.inherited.set('Later', '1')
    expect(evaluate(code, world.scope)).toEqual({ ok: true, value: 7 })
  })

  it('ends the turn where many short pieces of code are too much together', () => {
    const world = worldOf({ Text: 'a'.repeat(20_000) }, {}, 1e6)
    const code = compileInlineCode('vText + vText', world.table)
    const evaluateOften = () => {
      for (let nth = 0; nth < 50; nth++) evaluate(code, world.scope)
    }
    expect(evaluateOften).toThrow(LimitExceeded)
  })

  it('counts what it parses, once for the same code', () => {
    const world = worldOf({}, {}, 4000)
    const code = compileInlineCode(`1${' '.repeat(200)}`, world.table)
    expect(evaluate(code, world.scope).ok).toBe(true)
    expect(evaluate(code, world.scope).ok).toBe(true)
    expect(() => evaluate(compileInlineCode(`2${' '.repeat(200)}`, world.table), world.scope)).toThrow(
      LimitExceeded,
    )
  })
})

/** A list that holds one eight times, which holds one eight times, and so on. */
function sharedLists(levels: number, innermost: string): string {
  const lines = Array.from({ length: levels }, (_, nth) => {
    const held = `a${nth}`
    return `const a${nth + 1}=[${Array(8).fill(held).join()}];`
  })
  return `const a0=${innermost};${lines.join('')}return a${levels}`
}

describe('isCertainlyNoCode', () => {
  it.each([
    ['1 + 1', false],
    ['{{Nope}} + {{Name}}.toUpperCase()', false],
    ['{{=1=}} new Date()', false],
    ['{{=1=}} a b', false],
    ['Hello {{Name}}', true],
    ['a b', true],
    ['new Date()', false],
    ['for (;;) return 1', false],
    ['('.repeat(16_000), false],
  ])('says of %s: %s', (source, isNone) => {
    expect(isCertainlyInvalid(compileExpression(source, parseTemplate(source, table)))).toBe(isNone)
  })
})

describe('what is kept beside code', () => {
  const kept = (source: string) => {
    const footprint = new Footprint()
    const code = compileExpression(source, parseTemplate(source, table), footprint)
    const results = [evaluate(code, scope), evaluate(code, scope)]
    return { bytes: footprint.bytes, results }
  }

  it('is added to the footprint, once', () => {
    const { bytes, results } = kept('"five" + 5')
    expect(results[1]).toBe(results[0])
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThan(4_000)
  })

  it('is no text that a few characters make long', () => {
    const [letters, between] = ['a'.repeat(100), 'x'.repeat(100)]
    const { bytes, results } = kept(`"${letters}".split("").join("${between}")`)
    const { bytes: bytesOfCode } = kept(`"${letters}".split("").join.a.b("${between}")`)
    expect(results[1]).toEqual({ ok: true, value: Array(100).fill('a').join(between) })
    expect(bytes).toBeLessThan(bytesOfCode + 2_000)
  })
})
