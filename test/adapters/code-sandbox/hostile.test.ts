import { afterAll, describe, expect, it } from 'vitest'
import { createCodeSandbox } from '../../../src/adapters/code-sandbox/code-sandbox.ts'
import type { CodeJob } from '../../../src/ports/known-types.ts'

const sandbox = createCodeSandbox({ threads: 1, limitMs: 200 })
/** For what is refused by itself, however slow the machine is. */
const patient = createCodeSandbox({ threads: 1, limitMs: 60_000 })
afterAll(() => Promise.all([sandbox.close(), patient.close()]))

const jobOf = (body: string): CodeJob => ({
  body,
  isAsync: true,
  globals: [],
  mayAssign: true,
  mayFetch: false,
})

async function run(body: string, within = sandbox) {
  const { ranMs: _, ...result } = await within.run(jobOf(body))
  return result
}

/** How often the event loop comes round while something goes on. */
async function ticksDuring(promise: Promise<unknown>): Promise<number> {
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, 10)
  await promise
  clearInterval(timer)
  return ticks
}

const endless: readonly (readonly [string, string])[] = [
  ['an endless loop', 'for (;;);'],
  ['a loop that catches what stops it', 'for (;;) try { for (;;); } catch {} finally { for (;;); }'],
  ['a loop after the last await', 'await null; for (;;);'],
  ['a getter of the result', 'return {get a() { for (;;); }}'],
  ['a trap of the result', 'return new Proxy({}, {ownKeys() { for (;;); }})'],
  ['a length of the result', 'return new Proxy([], {get() { for (;;); }})'],
  ['a thenable', 'return {then() { for (;;); }}'],
  ['a name of a variable', 'setVariable({toString() { for (;;); }}, 1)'],
  ['a message of an error', 'throw Object.defineProperty(new Error("x"), "message", {get() { for (;;); }})'],
  ['a catastrophic pattern', 'return /^(a+)+$/.test("a".repeat(40) + "b")'],
  ['a comparator', 'return [3, 1, 2].sort(() => { for (;;); })'],
  ['a chain of microtasks', 'const next = () => Promise.resolve().then(next); return next()'],
  [
    'a chain of native microtasks',
    'const p = Promise.resolve(); const t = {then: (r) => p.then(r.bind(null, t))}; return t',
  ],
  [
    'a built-in that is not interrupted',
    'const a = new Array(1e6).fill(1); for (;;) a.lastIndexOf(2), a.indexOf(2)',
  ],
  ['a sparse list', 'const a = []; a.length = 4294967295; return a.reverse().length'],
  ['an async recursion', 'async function f() { await null; return f() } return f()'],
]

const waiting: readonly (readonly [string, string])[] = [
  ['a promise that never settles', 'await new Promise(() => {})'],
  [
    'a promise that nobody can settle any more',
    'Promise.prototype.then = () => {}; await new Promise(() => {})',
  ],
]

const greedy: readonly (readonly [string, string])[] = [
  [
    'one long built-in',
    'return "a".repeat(2e6).split("").map((x, i) => x + i).join("").indexOf("a".repeat(1e6) + "b")',
  ],
  ['a list that grows', 'const a = []; for (;;) a.push({})'],
  ['a list that grows out of reach', 'globalThis.a = []; for (;;) a.push([a.length])'],
  ['texts that add up', 'const a = []; for (;;) a.push("x".repeat(10000) + a.length)'],
  ['a text that doubles', 'let s = "xx"; const all = []; for (;;) { all.push(s.split("")); s += s }'],
  ['a filled list', 'return new Array(1e9).fill(0)'],
  ['a buffer', 'return new Uint8Array(1e9).length'],
  ['many buffers', 'const a = []; for (;;) a.push(new ArrayBuffer(1e6))'],
  ['spread lists', 'let a = [1, 2, 3, 4]; for (;;) a = [...a, ...a]'],
  ['text that is parsed', 'return JSON.parse("[" + "{},".repeat(1e7) + "1]").length'],
  ['text that is joined', 'return Array(2e8).join("xx").split("")'],
  ['closures', 'let f = () => 1; for (;;) { const g = f; f = () => g }'],
]

const nested: readonly (readonly [string, string])[] = [
  ['endless recursion', 'function f() { return f() + 1 } return f()'],
  ['endless recursion in a conversion', 'const o = {toString: () => "" + o}; return "" + o'],
  ['recursion of built-ins', 'const f = () => [1].map(f); return f()'],
  ['code that is nested', 'return eval("(".repeat(1e5) + ")".repeat(1e5))'],
  ['proxies of proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.a'],
  ['a flattened cycle', 'const z = []; z[0] = z; return z.flat(Infinity)'],
]

const refused: readonly (readonly [string, string])[] = [
  ['text that is nested', 'return JSON.parse("[".repeat(1e6) + "]".repeat(1e6))'],
  ['a pattern that is nested', 'return new RegExp("(".repeat(1e5) + ")".repeat(1e5))'],
]

const large: readonly (readonly [string, string])[] = [
  ['a long text', 'return "x".repeat(2e6)'],
  ['many texts', 'return Array(200).fill("x".repeat(10000))'],
  ['a sparse list', 'return new Array(4294967295)'],
  ['a wide object', 'const o = {}; for (let i = 0; i < 1e5; i++) o["key" + i] = i; return o'],
  ['a list that is shared again and again', 'let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a'],
  ['a list that grows as it is read', 'return new Proxy([], {get: (t, k) => k === "length" ? 1e15 : 1})'],
  ['a long name', 'return {["x".repeat(2e6)]: 1}'],
  ['many variables', 'for (let i = 0; i < 1e5; i++) setVariable("variable " + i, "value")'],
  [
    'many variables, in spite of errors',
    'for (let i = 0; i < 1e5; i++) try { setVariable("variable " + i, "value") } catch {}',
  ],
]

const inTime = /^The code runs longer than it may( \(200 ms\))?$/
/** A busy machine may not get as far as the other limit in the time that there is. */
const orInTime = (message: string) => new RegExp(`^${message}$|${inTime.source}`)

describe.each([
  ['goes on for ever', endless, 'limit', inTime],
  ['waits for ever', waiting, 'limit', orInTime('The code waits for a promise that never settles')],
  ['wants too much', greedy, 'limit', orInTime('The code used more memory than it may')],
  ['calls itself', nested, 'limit', orInTime('The code (is nested, or )?calls itself,? too deeply')],
  ['hands back too much', large, 'limit', orInTime('The code hands back more than 1048576 characters')],
] as const)('code that %s', (_kind, cases, reason, message) => {
  it.each(cases)('is stopped, and the next code runs: %s', async (_name, body) => {
    const result = await run(body)
    expect(result).toEqual({ ok: false, reason, message: expect.stringMatching(message) })
    await expect.poll(() => run('return 1 + 1')).toEqual({ ok: true, value: 2, assigned: [] })
  })
})

it.each(refused)(
  'code that hands a built-in too much is stopped, and the next code runs: %s',
  async (_name, body) => {
    const message = expect.stringMatching(/^(stack overflow|too many captures)$/)
    expect(await run(body, patient)).toEqual({ ok: false, reason: 'thrown', message })
    expect(await run('return 1 + 1', patient)).toEqual({ ok: true, value: 2, assigned: [] })
  },
)

it.each(endless.slice(0, 3))('says that a limit was reached: %s', async (_name, body) => {
  // On a busy machine the thread may be ended before its engine notices.
  await expect
    .poll(() => run(body))
    .toEqual({
      ok: false,
      reason: 'limit',
      message: 'The code runs longer than it may (200 ms)',
    })
})

it('ends a thread that does not stop by itself', async () => {
  const result = await run(
    'return "ab".repeat(3e6).lastIndexOf("b".repeat(2e6) + "a")+"ab".repeat(3e6).replaceAll("ba".repeat(1e6)+"c", "x").length',
  )
  expect(result.ok === false && result.reason).toBe('limit')
  await expect.poll(() => run('return 1')).toMatchObject({ value: 1 })
})

it('leaves the service alone meanwhile', async () => {
  const ticks = await ticksDuring(Promise.all([run('for (;;);'), run('for (;;) [].concat("x".repeat(100))')]))
  // Two evaluations one after the other: at 10 ms a tick there would be 40.
  expect(ticks).toBeGreaterThan(15)
})

const traces: readonly (readonly [string, string, string])[] = [
  ['a global', 'globalThis.left = 1', 'return typeof left'],
  [
    'a prototype',
    'Object.prototype.left = 1; Array.prototype.left = 1',
    'return typeof ({}).left + typeof [].left',
  ],
  [
    'a built-in',
    'Math.max = () => "mine"; JSON.stringify = Math.max',
    'return Math.max(1, 2) + JSON.stringify({})',
  ],
  [
    'a frozen built-in',
    'Object.freeze(Object.prototype); Object.freeze(globalThis)',
    'left = 1; return left',
  ],
  [
    'a registered symbol',
    'Symbol.for("left").description; globalThis[Symbol.for("left")] = 1',
    'return typeof globalThis[Symbol.for("left")]',
  ],
  [
    'a job of a promise',
    'Promise.resolve().then(() => {}).then(() => {}).then(() => { globalThis.left = 1 })',
    'await null; await null; await null; await null; return typeof left',
  ],
  [
    'the last match',
    '/(l)eft/.exec("left"); RegExp.left = 1',
    'return String(RegExp.$1) + typeof RegExp.left',
  ],
  [
    'a removed global',
    'delete globalThis.Array; delete globalThis.Promise; Object = undefined',
    'return typeof Array + typeof Promise + typeof Object',
  ],
]

describe('what one evaluation leaves behind', () => {
  it.each(traces)('is not there for the next: %s', async (_name, leave, look) => {
    const untouched = await run(look)
    const left = await run(leave)
    expect(left).toMatchObject({ ok: true })
    expect(await run(look)).toEqual(untouched)
    expect(untouched).toMatchObject({ ok: true })
  })
})

describe('code that changes its own world', () => {
  it.each([
    ['redefines setVariable', 'const set = setVariable; setVariable = () => {}; set("a", 1); return 2'],
    ['redefines JSON', 'JSON.stringify = JSON.parse = () => "x"; setVariable("a", 1); return 2'],
    [
      'breaks lists',
      'Array.prototype[Symbol.iterator] = Array.prototype.push = null; Array.isArray = () => true; setVariable("a", 1); return 2',
    ],
    [
      'breaks objects',
      'Object.keys = () => { throw 1 }; Reflect.apply = null; setVariable("a", 1); return 2',
    ],
    [
      'breaks texts',
      'String.prototype.slice = String.prototype.charCodeAt = null; String = null; setVariable("a", 1); return 2',
    ],
    [
      'adds setters to all objects',
      'Object.defineProperty(Object.prototype, "0", {set() { throw 1 }, get: () => 5}); setVariable("a", 1); return 2',
    ],
    [
      'makes every object thenable',
      'Object.prototype.then = function (done) { done(2) }; setVariable("a", 1); return {}',
    ],
    [
      'gives all objects a toJSON',
      'Object.prototype.toJSON = String.prototype.toJSON = () => { throw 1 }; setVariable("a", 1); return 2',
    ],
    ['has no promises any more', 'Promise = null; setVariable("a", 1); return 2'],
    [
      'has no globals any more',
      'const set = setVariable; for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name] } catch {} set("a", 1); return 2',
    ],
  ])('still has its result: %s', async (_name, body) => {
    expect(await run(body)).toEqual({ ok: true, value: 2, assigned: [['a', 1]] })
  })

  it.each([
    'Error.prepareStackTrace = (e, frames) => frames; return typeof new Error("x").stack',
    'return (function f() { return typeof f.caller + typeof f.arguments })()',
    'try { null.x } catch (e) { return e.constructor.constructor("return typeof process")() }',
    'try { setVariable("a", () => {}) } catch (e) { return e.constructor.constructor("return typeof process")() }',
  ])('finds nothing outside: %s', async (body) => {
    const result = await run(body)
    expect(JSON.stringify(result)).not.toMatch(/function|"object"/)
  })
})

it('holds out against all of it at once', async () => {
  const several = createCodeSandbox({ threads: 2, limitMs: 100 })
  const bodies = [...endless, ...waiting, ...greedy, ...nested, ...refused, ...large].map(([, body]) => body)
  const results = await Promise.all(bodies.map((body) => several.run(jobOf(body))))
  expect(results.filter(({ ok }) => ok)).toEqual([])
  expect(await several.run(jobOf('return 1'))).toMatchObject({ value: 1 })
  await several.close()
})
