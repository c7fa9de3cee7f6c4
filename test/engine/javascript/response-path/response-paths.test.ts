import { describe, expect, it } from 'vitest'
import {
  compileResponsePath,
  problemOfPath,
} from '../../../../src/engine/javascript/response-path/response-path.ts'
import { ResponseReader } from '../../../../src/engine/javascript/response-path/response-reader.ts'
import type { CodeJob, CodeResult } from '../../../../src/engine/model/effect-payloads.ts'
import { LimitExceeded } from '../../../../src/engine/model/limits.ts'
import { parseTemplate } from '../../../../src/engine/templates/parse-template.ts'
import type { Value } from '../../../../src/engine/values/value.ts'
import { runInHost, settleCode, worldOf } from '../code-world.ts'

const items = [{ n: 'a', tags: ['p', 'q'] }, { n: null, tags: [] }, { tags: ['r'] }]
const data = { items, total: 3, 'odd key': 'K', item1: 'one', $key: 'dollar' }

function pathOf(source: string, values: Record<string, Value> = {}, characters = 1e7) {
  const world = worldOf(values, {}, characters)
  const path = compileResponsePath(source, parseTemplate(source, world.table))
  const evaluateOver = (response: object, sandbox = runInHost) => {
    const evaluated = settleCode(new ResponseReader(response, world.scope).read(path), sandbox)
    if (evaluated.ok) return evaluated.value
    return evaluated.needsSandbox ? 'CUT OFF' : 'FAILED'
  }
  return { path, evaluateOver }
}

const over = (source: string, values: Record<string, Value> = {}) =>
  pathOf(source, values).evaluateOver({ statusCode: 200, data })

/** Says the same in words that only a sandbox understands. */
const beyond = (source: string) => `(() => (${source}\n))()`

describe('reading a body path', () => {
  it.each<[string, unknown]>([
    ['data.items[0].n', 'a'],
    ['data.items.flatMap(item => item.n)', ['a', null, undefined]],
    ['data.items.flatMap(item => item.tags)', ['p', 'q', 'r']],
    ['data.items', items],
    ['data.items[0]', items[0]],
    ['data.items.map(i => i.tags.length)', [2, 0, 1]],
    ['data.items.length', 3],
    ['data["odd key"]', 'K'],
    ["data['odd key']", 'K'],
    ['data', data],
    ['statusCode', 200],
    ['response.statusCode', 200],
    ['statusCode >= 400 ? "ko" : "ok"', 'ok'],
    ['data.missing', undefined],
    ['data.missing.x', 'FAILED'],
    ['data.missing?.x', undefined],
    ['items[0].n', 'FAILED'],
    ['$.total', 'FAILED'],
    ['data.items[', 'FAILED'],
    ['   ', 'FAILED'],
    ['data.items.find(item => item.tags.includes("r")).tags', ['r']],
    ['data.items.filter(i => i.n === null).length > 0 && data.total', 3],
    ['data.items.filter(Boolean).slice(0, 1).map(i => i.n).join(", ")', 'a'],
    ['data.nothing ?? data["no"] ?? "none"', 'none'],
    ['data.items.flatMap(item => item.tags.flatMap(tag => tag + item.n))', ['pa', 'qa', 'rundefined']],
    ['data.items.map(({ n }) => n)', ['a', null, undefined]],
    ['data.items.reduce((all, i) => all + i.n, "")', 'anullundefined'],
    ['data.items.toReversed()[0].tags', ['r']],
    ['data.constructor.name', 'Object'],
    ['data => data', 'FAILED'],
    ['\n data.total // the sum', 3],
    ['data["return it"]', undefined],
    ['JSON.stringify(data.items[2])', '{"tags":["r"]}'],
  ])('reads %j', (source, value) => {
    expect(over(source)).toEqual(value)
  })

  it.each<[string, unknown]>([
    ['data', 'plain text'],
    ['data.length', 10],
    ['data.foo', undefined],
  ])('reads %j of a text', (source, value) => {
    expect(pathOf(source).evaluateOver({ statusCode: 200, data: 'plain text' })).toBe(value)
  })

  it.each<[string, Value, unknown]>([
    ['data.items[{{V}}].n', '0', 'a'],
    ['data.items.at({{V}}).tags[0]', '-1', 'r'],
    ['data[{{V}}]', 'odd key', 'K'],
    ['data["{{V}}"]', 'odd key', 'K'],
    ["data['{{V}}']", 'odd key', 'K'],
    ['data[`{{V}}`]', 'odd key', 'K'],
    ['data[`${"odd"} {{V}}`]', 'key', 'K'],
    ['data["odd {{V}}"]', 'key', 'K'],
    ['data.{{V}}', 'total', 3],
    ['data?.{{V}}', 'odd key', 'K'],
    ['data.item{{V}}', '1', 'one'],
    ['data.${{V}}', 'key', 'dollar'],
    ['data.items.find(i => i.n === "{{V}}").tags', 'a', ['p', 'q']],
    ['({ "{{V}}": data.total })', 'sum', { sum: 3 }],
    ['data["{{V}}"]', null, undefined],
    ['data["no{{V}}"] ?? "{{V}}"', '007', '007'],
    ['{{V}} + 1', '5', 6],
    ['"{{V}}" + 1', '5', '51'],
    ['{{V}}', 'data.total', 'data.total'],
    ['{{V}}', ['a', null], ['a', null]],
    ['"{{V}}"', ['a', null], '["a",null]'],
    ['{{V}}', null, undefined],
    ['data.items[{{= {{V}} - 1 =}}].n', '1', 'a'],
    ['data["{{= {{V}} =}} key"]', 'odd', 'K'],
    ['{{= {{V}} =}}', 'data.total', 'data.total'],
    ['data.total + {{= {{V}}.nope.nope =}}', 'x', 'FAILED'],
    ['data.total + {{= {{V}}.normalize() =}}', 'x', '3x'],
    ['data.items[{{Nope}}]', null, 'FAILED'],
    ['data["{{Nope}}"]', null, 'FAILED'],
    ['data.total + {{V}}{{V}}', '1', 'FAILED'],
    ['$ref9$', null, 'FAILED'],
  ])('puts values into %j: %j', (source, value, expected) => {
    expect(over(source, { V: value })).toEqual(expected)
  })

  it.each<[string, Value, unknown]>([
    ['data[{{V}}]', 'odd key', 'K'],
    ['data["{{V}}"]', 'odd key', 'K'],
    ["data['odd {{V}}']", 'key', 'K'],
    ['data[`{{V}}`]', 'odd key', 'K'],
    ['data[`${"odd"} {{V}}`]', 'key', 'K'],
    ['`\\`\\${1}\\\\{{V}}${{V}}`', 'x', '`${1}\\x$x'],
    ['data.{{V}}', 'total', 3],
    ['data . {{V}}', 'total', 3],
    ['(data)/* . */./* . */{{V}}', 'total', 3],
    ['data // .\n.{{V}}', 'total', 3],
    ['data?.{{V}}', 'odd key', 'K'],
    ['data.nope?.{{V}}', 'odd key', undefined],
    ['data.item{{V}}', '1', 'one'],
    ['data.${{V}}', 'key', 'dollar'],
    ['data.items[0].{{V}}.length + data.items[0].{{V}}[0]', 'tags', '2p'],
    ['data.items.find(i => i.n === "{{V}}").tags', 'a', ['p', 'q']],
    ['({ "{{V}}": data.total })', 'sum', { sum: 3 }],
    ['(({ "{{V}}": x }) => x)(data)', 'total', 3],
    ['new (class { "{{V}}"() { return "{{V}}!" } })().{{V}}()', 'm', 'm!'],
    ['({ get "{{V}}"() { return 2 } }).sum', 'sum', 2],
    ['Object.keys({ async "{{V}}"() {} })[0]', 'sum', 'sum'],
    ['(() => { "{{V}}"; return 1 })()', 'use strict', 1],
    ['"{{V}}" + 1', '5', '51'],
    ['{{V}} + 1', '5', 6],
    ['{{V}}', ['a', null], ['a', null]],
    ['"{{V}}"', ['a', null], '["a",null]'],
    ['"{{V}}"', null, ''],
    ['{{V}}', null, undefined],
    ['data.items[{{= {{V}} - 1 =}}].n', '1', 'a'],
    ['data["{{= {{V}} =}} key"]', 'odd', 'K'],
    ['data.items[{{Nope}}]', null, 'FAILED'],
    ['data["{{Nope}}"]', null, 'FAILED'],
    ['data.total + {{= {{V}}.nope.nope =}}', 'x', 'FAILED'],
    ['true || {{Nope}}', null, true],
    ['statusCode + response.statusCode', null, 400],
  ])('puts the same values into code for the sandbox: %j', (source, value, expected) => {
    expect(over(beyond(source), { V: value })).toEqual(expected)
  })

  it('hands the sandbox nothing but what the path names', () => {
    const jobs: CodeJob[] = []
    pathOf('Object.keys(data).concat({{V}}, {{W}})', { V: '1', W: 'x', X: 'y' }).evaluateOver(
      { statusCode: 200, data: { a: 1 } },
      (job) => {
        jobs.push(job)
        return runInHost(job)
      },
    )
    const globals = [
      ['$response$', '{"statusCode":200,"data":{"a":1}}'],
      ['$ref0$', 1],
      ['$ref1$', 'x'],
    ]
    expect(jobs).toMatchObject([{ isAsync: false, globals, mayAssign: false, mayFetch: false }])
  })

  it('asks for inline code before it reads a path, and for nothing twice', () => {
    const bodies: string[] = []
    const source = 'data.items[{{= new Date({{V}}).getTime() =}}].n + {{= [{{V}}, 2].sort()[1] =}}'
    const read = pathOf(source, { V: '0' }).evaluateOver({ data }, (job) => {
      bodies.push(job.body)
      return runInHost(job)
    })
    expect(read).toBe('a2')
    expect(bodies).toEqual([expect.stringContaining('getTime'), expect.stringContaining('sort')])
  })

  it('asks for no inline code of a path that is none', () => {
    const { evaluateOver } = pathOf('data.total data {{= new Date() =}}')
    expect(evaluateOver({ data }, () => expect.unreachable())).toBe('FAILED')
  })

  it('writes a response out once for all paths', () => {
    let written = 0
    const response = { data: { a: 1, toJSON: () => ({ a: ++written }) } }
    const { table, scope } = worldOf({})
    const reader = new ResponseReader(response, scope)
    for (const source of [
      'Object.keys(data)',
      'Object.values(data)',
      'Object.keys(response)',
      'new Date(0)',
    ]) {
      settleCode(reader.read(compileResponsePath(source, parseTemplate(source, table))), runInHost)
    }
    expect(written).toBe(1)
  })

  it('hands the sandbox no response that is longer than it takes', () => {
    const response = { data: 'x'.repeat(4 * 2 ** 20) }
    const { evaluateOver } = pathOf('data.normalize()')
    expect(evaluateOver(response, () => expect.unreachable())).toBe('CUT OFF')
  })

  it('is left to the sandbox where it takes longer than others may be kept waiting', () => {
    const runs = (length: number, source: string) => {
      const jobs: CodeJob[] = []
      const data = Array.from({ length }, (_, nth) => nth)
      const read = pathOf(source).evaluateOver({ data }, (job) => {
        jobs.push(job)
        return runInHost(job)
      })
      return { read, jobs: jobs.length }
    }
    expect(runs(100, 'data.join().length')).toEqual({ read: 289, jobs: 0 })
    expect(runs(100_000, 'data.join().length')).toEqual({ read: 588_889, jobs: 1 })
    expect(runs(100_000, 'data[99999]')).toEqual({ read: 99_999, jobs: 0 })
    expect(runs(100_000, 'data')).toMatchObject({ jobs: 0 })
  })

  it('is cut off where its inline code was', () => {
    const evaluate = (job: CodeJob): CodeResult =>
      job.body.includes('Date') ? { ok: false, message: 'too slow', reason: 'limit' } : runInHost(job)
    expect(pathOf('data.items.sort({{= new Date() =}})').evaluateOver({ data }, evaluate)).toBe('CUT OFF')
  })

  it('distinguishes a path that was cut off from one that failed', () => {
    const cutOff: CodeResult = { ok: false, message: 'too slow', reason: 'limit' }
    expect(pathOf('data.items.sort()').evaluateOver({ data }, () => cutOff)).toBe('CUT OFF')
    const busy: CodeResult = { ok: false, message: 'too many', reason: 'busy' }
    expect(pathOf('data.total + {{= new Date() =}}').evaluateOver({ data }, () => busy)).toBe('CUT OFF')
  })

  it('leaves a path to the sandbox that is too long to parse here, unless values belong into it', () => {
    const long = ' + 1'.repeat(1000)
    expect(over(`data.total${long}`)).toBe(1003)
    expect(over(`data[{{V}}]${long}`, { V: 'total' })).toBe('CUT OFF')
  })

  it.each([
    '0].n, data.total //',
    '"] + data.total + ["',
    "'] + data.total + ['",
    '`] + data.total + [`',
    '${data.total}',
    'x => x',
    '$ref0$',
    '{{V}}',
    '{{=1+1=}}',
  ])('takes the value %j for text, whatever it looks like', (value) => {
    for (const source of ['{{V}}', '"{{V}}"', "'{{V}}'", '`{{V}}`', '{{= {{V}} =}}', '[{{V}}][0]']) {
      expect(over(source, { V: value })).toBe(value)
      expect(over(beyond(source), { V: value })).toBe(value)
    }
    expect(over('data.{{V}}', { V: value })).toBeUndefined()
    expect(over('data[{{V}}]', { V: value })).toBeUndefined()
  })

  it('reads what a response has itself, never what it inherits', () => {
    const response = { data: JSON.parse('{"__proto__":{"x":1},"toString":"t","length":5}') }
    expect(pathOf('data.__proto__.x').evaluateOver(response)).toBe(1)
    expect(pathOf('data.toString').evaluateOver(response)).toBe('t')
    expect(pathOf('data.length').evaluateOver(response)).toBe(5)
    expect(pathOf('"" + data').evaluateOver(response)).toBe('FAILED')
    expect(pathOf('data.hasOwnProperty("length")').evaluateOver(response)).toBe(true)
  })

  it('has no prototype to write through', () => {
    const result = over('({ ["__proto__"]: { polluted: 1 } })')
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":1}}')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('gives the same answer each time', () => {
    const { evaluateOver } = pathOf('data["{{V}}"]', { V: 'a' })
    expect(evaluateOver({ data: { a: 1 } })).toBe(1)
    expect(evaluateOver({ data: { a: 2 } })).toBe(2)
  })
})

describe('budget of a body path', () => {
  it('reads a megabyte', () => {
    const many = Array.from({ length: 400_001 }, () => 0)
    expect(pathOf('data').evaluateOver({ data: many })).toHaveLength(400_001)
  })

  it.each([
    ['lists', '[]'],
    ['objects', '{}'],
    ['numbers', '0'],
    ['long keys', `{"${'k'.repeat(100)}":0}`],
    ['texts', `"${'x'.repeat(100)}"`],
  ])('is spent on a response that is read again and again, of %s', (_what, element) => {
    const data = JSON.parse(`[${Array(50_000).fill(element).join()}]`)
    const { evaluateOver } = pathOf(`[${Array(100).fill('data').join()}]`, {}, 8e6)
    expect(() => evaluateOver({ data })).toThrow(LimitExceeded)
  })

  it.each(['data', 'data + ""', '[data].join()'])(
    'leaves it to the sandbox to read deep data: %s',
    (path) => {
      const data = JSON.parse(`${'['.repeat(200)}1${']'.repeat(200)}`)
      const bodies: string[] = []
      pathOf(path).evaluateOver({ data }, (job) => {
        bodies.push(job.body)
        return runInHost(job)
      })
      expect(bodies).toHaveLength(1)
    },
  )
})

describe('problemOfPath', () => {
  it.each([
    ['data.items.flatMap(item => item.n)', false],
    ['data.items[{{V}}]', false],
    ['data.{{V}}', false],
    ['data.total + {{= boom( =}}', false],
    ['data.items.sort()', false],
    [`data${' + 1'.repeat(1000)}`, false],
    ['data.items[', true],
    ['data.items; data', true],
    ['{{V}} {{V}}', true],
  ])('says of %j: %s', (source, isNone) => {
    expect(problemOfPath(pathOf(source, { V: '1' }).path) === 'no expression').toBe(isNone)
  })
})
