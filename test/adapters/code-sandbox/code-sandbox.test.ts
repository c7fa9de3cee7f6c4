import { afterAll, describe, expect, it } from 'vitest'
import { createCodeSandbox } from '../../../src/adapters/code-sandbox/code-sandbox.ts'
import type { SandboxFetch } from '../../../src/ports/code-sandbox-port.ts'
import type { CodeJob } from '../../../src/ports/known-types.ts'

const sandbox = createCodeSandbox({ threads: 1 })
afterAll(() => sandbox.close())

type Job = Partial<CodeJob> & { body: string }

const jobOf = (job: Job | string): CodeJob => ({
  isAsync: false,
  globals: [],
  mayAssign: false,
  mayFetch: false,
  ...(typeof job === 'string' ? { body: job } : job),
})

async function run(job: Job | string, fetch?: SandboxFetch) {
  const { ranMs: _, ...result } = await sandbox.run(jobOf(job), fetch && { fetch })
  return result
}

async function valueFrom(job: Job | string, fetch?: SandboxFetch): Promise<unknown> {
  const result = await run(job, fetch)
  if (!result.ok) throw new Error(`${result.reason}: ${result.message}`)
  return result.value
}

describe('a job', () => {
  it('is the body of a function', async () => {
    expect(await run('const a = 2; return a * 3')).toEqual({ ok: true, value: 6, assigned: [] })
  })

  it('gives nothing without a return', async () => {
    expect(await run('1 + 1')).toEqual({ ok: true, value: undefined, assigned: [] })
  })

  it('may await', async () => {
    expect(await valueFrom({ body: 'return (await Promise.resolve(3)) + 1', isAsync: true })).toBe(4)
  })

  it('awaits the promise that it returns', async () => {
    expect(await valueFrom({ body: 'return Promise.resolve(7)', isAsync: true })).toBe(7)
  })

  it('may not await unless it is said to', async () => {
    expect(await run('return await 1')).toMatchObject({ ok: false, reason: 'thrown' })
  })

  it('runs in sloppy mode', async () => {
    expect(await valueFrom('undeclared = 4; return this === globalThis && undeclared')).toBe(4)
  })

  it('keeps a text with a zero character, and halves of surrogates, as they are', async () => {
    expect(await valueFrom({ body: 'return "a\0b" + v + "\\ud800"', globals: [['v', '\0\udc00']] })).toBe(
      'a\0b\0\udc00\ud800',
    )
  })
})

describe('what a job is given', () => {
  it.each([
    'text',
    '',
    '\0NaN',
    'naïve 👋',
    42,
    -0,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    true,
    null,
    undefined,
    ['a', 1, undefined, [null]],
    { a: { b: [1, 'x'] }, 'key with blanks': false },
  ])('reaches it as it was: %j', async (value) => {
    expect(await valueFrom({ body: 'return given', globals: [['given', value]] })).toStrictEqual(value)
  })

  it('keeps a key that means the prototype', async () => {
    const text = '{"__proto__":{"a":1},"constructor":2}'
    const job: Job = { body: 'return [typeof given.a, given]', globals: [['given', JSON.parse(text)]] }
    expect(JSON.stringify(await valueFrom(job))).toBe(`["undefined",${text}]`)
  })

  it('can be assigned to without anybody noticing', async () => {
    const given = ['x']
    const job = {
      body: 'v = 8; list.push(1); return [v, list]',
      globals: [
        ['v', 1],
        ['list', given],
      ] as const,
    }
    expect(await valueFrom(job)).toEqual([8, ['x', 1]])
    expect(given).toEqual(['x'])
  })

  it('can be shadowed by a constant of the same name', async () => {
    expect(await valueFrom({ body: 'const v = 2; return v', globals: [['v', 1]] })).toBe(2)
  })

  it('fails the job when it is no data', async () => {
    const result = await run({ body: 'return 1', globals: [['v', () => 1]] })
    expect(result).toMatchObject({ ok: false, reason: 'thrown', message: expect.stringContaining('no data') })
    expect(await run({ body: 'return 1', globals: [['v', 1n]] })).toEqual(result)
  })

  it('is refused when there is too much of it', async () => {
    const result = await run({ body: 'return 1', globals: [['v', 'x'.repeat(5_000_000)]] })
    expect(result).toMatchObject({ ok: false, reason: 'limit' })
  })
})

describe('what a job hands back', () => {
  it.each([
    ['return NaN', Number.NaN],
    ['return -Infinity', Number.NEGATIVE_INFINITY],
    ['return -0', -0],
    ['return 1e21', 1e21],
    ['return null', null],
    ['return 12345678901234567890n', 12345678901234567890n],
    ['return new Date(1234)', new Date(1234)],
    ['return "\\0NaN"', '\0NaN'],
    ['return [1, [undefined, "x"], , true]', [1, [undefined, 'x'], undefined, true]],
    ['return {a: {b: [1]}, c: undefined}', { a: { b: [1] }, c: undefined }],
    ['return new Map([[1, 2]])', {}],
    ['return new Set([1])', {}],
    ['return new Error("x")', {}],
    ['return new (class { constructor() { this.a = 1 } get b() { return 2 } })', { a: 1 }],
    ['return {get a() { return 5 }}', { a: 5 }],
    ['return {toJSON: undefined, a: 1}', { toJSON: undefined, a: 1 }],
    ['return new Proxy([1, 2], {})', [1, 2]],
    ['return Object.create({a: 1}, {b: {value: 2, enumerable: false}})', {}],
  ])('%s', async (body, value) => {
    expect(await valueFrom(body)).toStrictEqual(value)
  })

  it('keeps an invalid date', async () => {
    expect(String(await valueFrom('return new Date(NaN)'))).toBe('Invalid Date')
  })

  it.each(['return () => 1', 'return Symbol("x")', 'return [Date]', 'return {a: {b() {}}}'])(
    'cannot be kept: %s',
    async (body) => {
      const message = expect.stringContaining('is not a value that can be kept')
      expect(await run(body)).toEqual({ ok: false, reason: 'thrown', message })
    },
  )

  it('may not hold itself', async () => {
    expect(await run('const a = {}; a.a = a; a.b = a; return a')).toMatchObject({
      ok: false,
      reason: 'thrown',
    })
  })

  it('may hold the same twice', async () => {
    expect(await valueFrom('const a = [1]; return [a, a]')).toEqual([[1], [1]])
  })
})

describe('setVariable', () => {
  const assigning = (body: string) => run({ body, isAsync: true, mayAssign: true })

  it('records what it is called with, in order', async () => {
    const result = await assigning(
      'setVariable("a", 1); await null; setVariable("b", [null]); setVariable("a")',
    )
    expect(result).toEqual({
      ok: true,
      value: undefined,
      assigned: [
        ['a', 1],
        ['b', [null]],
        ['a', undefined],
      ],
    })
  })

  it('copies the value as it is at that moment', async () => {
    const result = await assigning('const list = [1]; setVariable("list", list); list.push(2)')
    expect(result).toMatchObject({ assigned: [['list', [1]]] })
  })

  it('takes anything for a name', async () => {
    expect(await assigning('setVariable(5, "x"); setVariable(Symbol("s"), 1)')).toMatchObject({
      assigned: [
        ['5', 'x'],
        ['Symbol(s)', 1],
      ],
    })
  })

  it('throws for what cannot be kept', async () => {
    expect(
      await assigning('try { setVariable("a", () => 1) } catch { setVariable("a", "failed") }'),
    ).toMatchObject({
      assigned: [['a', 'failed']],
    })
  })

  it('has recorded nothing when the job fails', async () => {
    const result = await assigning('setVariable("a", 1); throw new Error("late")')
    expect(result).toEqual({ ok: false, reason: 'thrown', message: 'late' })
  })

  it('is there only for jobs that may assign', async () => {
    expect(await valueFrom('return typeof setVariable')).toBe('undefined')
  })
})

describe('a job that fails', () => {
  it.each([
    ['throw new Error("my fault")', 'my fault'],
    ['throw new TypeError("wrong")', 'wrong'],
    ['throw "plain text"', 'plain text'],
    ['throw new Error()', 'The code threw an error without a message'],
    ['throw {message: "no error"}', 'The code threw something that is not an error'],
    ['throw null', 'The code threw something that is not an error'],
    ['throw 5', 'The code threw something that is not an error'],
    [
      'const e = new Error("x"); Object.defineProperty(e, "message", {get() { throw 1 }}); throw e',
      'The code threw something that is not an error',
    ],
    ['return unknownName', "'unknownName' is not defined"],
  ])('says why: %s', async (body, message) => {
    expect(await run(body)).toEqual({ ok: false, reason: 'thrown', message })
    expect(await run({ body, isAsync: true })).toEqual({ ok: false, reason: 'thrown', message })
  })

  it('has a message for code that is none', async () => {
    expect(await run('a sentence, as people write it')).toMatchObject({ ok: false, reason: 'thrown' })
  })

  it('has a message of bounded length', async () => {
    const result = await run('throw new Error("x".repeat(100000))')
    expect(result).toEqual({ ok: false, reason: 'thrown', message: 'x'.repeat(1000) })
  })
})

describe('the world of a job', () => {
  it.each([
    'Array',
    'BigInt',
    'Date',
    'JSON',
    'Map',
    'Math',
    'Promise',
    'Proxy',
    'RegExp',
    'Set',
    'Symbol',
    'Uint8Array',
    'console',
    'encodeURIComponent',
    'eval',
    'Function',
    'global',
    'globalThis',
    'parseInt',
  ])('has %s', async (name) => {
    expect(await valueFrom(`return typeof ${name}`)).not.toBe('undefined')
  })

  it.each([
    'Atomics',
    'Buffer',
    'TextEncoder',
    'URL',
    'WebAssembly',
    'XMLHttpRequest',
    'atob',
    'crypto',
    'document',
    'fetch',
    'module',
    'navigator',
    'performance',
    'process',
    'require',
    'self',
    'setImmediate',
    'setInterval',
    'setTimeout',
    'structuredClone',
    'window',
    '__dirname',
  ])('has no %s', async (name) => {
    expect(await valueFrom(`return typeof ${name}`)).toBe('undefined')
  })

  it('has a console that prints nowhere', async () => {
    expect(await valueFrom('console.log("x"); console.error(1); return console.table([1])')).toBeUndefined()
  })

  it('has other random numbers for each job', async () => {
    const draws = await Promise.all(Array.from({ length: 5 }, () => valueFrom('return Math.random()')))
    expect(new Set(draws).size).toBe(5)
    for (const draw of draws) expect(draw).toSatisfy((number: number) => number >= 0 && number < 1)
  })

  it('knows what time it is', async () => {
    const before = Date.now()
    const now = (await valueFrom('return Date.now()')) as number
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(Date.now())
  })

  it('imports nothing', async () => {
    const result = await run({ body: 'return import("node:fs")', isAsync: true })
    expect(result).toMatchObject({ ok: false, reason: 'thrown' })
  })

  it.each([
    'return this.constructor.constructor("return typeof process + typeof require")()',
    'return (0, eval)("typeof process + typeof require")',
    'return Function("return typeof process + typeof require")()',
    'return console.log.constructor("return typeof process + typeof require")()',
    'return Math.random.constructor("return typeof process + typeof require")()',
  ])('leads nowhere by its constructors: %s', async (body) => {
    expect(await valueFrom(body)).toBe('undefinedundefined')
  })
})

describe('fetch', () => {
  const fetching = (body: string, fetch?: SandboxFetch) => run({ body, isAsync: true, mayFetch: true }, fetch)

  it('gives the text that the service answers with', async () => {
    const calls: unknown[] = []
    const result = await fetching(
      'return (await fetch("https://a.example/", {method: "POST"})).toUpperCase()',
      async (...call) => {
        calls.push(call)
        return 'text\0 👋'
      },
    )
    expect(result).toMatchObject({ ok: true, value: 'TEXT\0 👋' })
    expect(calls).toEqual([['https://a.example/', { method: 'POST' }]])
  })

  it('passes on why there is no text', async () => {
    const refuse = () => Promise.reject(new Error('refused'))
    expect(await fetching('try { await fetch("x") } catch (e) { return e.message }', refuse)).toMatchObject({
      value: 'refused',
    })
    expect(await fetching('await fetch("x")', () => Promise.reject(5))).toMatchObject({
      ok: false,
      reason: 'thrown',
    })
    expect(await fetching('await fetch("x")')).toMatchObject({ ok: false, reason: 'thrown' })
  })

  it('may be called several times at once', async () => {
    const body = 'return Promise.all(["c", "a", "b"].map((name) => fetch(name)))'
    const result = await fetching(body, async (address) => {
      await new Promise((resolve) => setTimeout(resolve, address.charCodeAt(0) % 7))
      return `<${address}>`
    })
    expect(result).toMatchObject({ value: ['<c>', '<a>', '<b>'] })
  })

  it('may be called one after the other', async () => {
    const result = await fetching(
      'let t = ""; for (let i = 0; i < 10; i++) t += await fetch(i); return t',
      async (a) => a,
    )
    expect(result).toMatchObject({ value: '0123456789' })
  })

  it('is refused the eleventh time', async () => {
    let count = 0
    const result = await fetching('for (let i = 0; i < 20; i++) await fetch("x")', async () =>
      String(count++),
    )
    expect(result).toMatchObject({ ok: false, reason: 'thrown' })
    expect(count).toBe(10)
  })

  it('refuses a body that is no data', async () => {
    const result = await fetching('await fetch("x", {body: () => 1})', async () => 'never')
    expect(result).toMatchObject({ ok: false, reason: 'thrown' })
  })

  it('is forgotten when the code does not wait for it', async () => {
    let answer = (_: string) => {}
    const answered = new Promise<string>((resolve) => {
      answer = resolve
    })
    expect(await fetching('fetch("x"); return 1', () => answered)).toMatchObject({ value: 1 })
    answer('late')
    expect(await fetching('return typeof late', async () => '')).toMatchObject({ value: 'undefined' })
  })

  it('does not hand in more than fits', async () => {
    const result = await fetching('await fetch("x")', async () => 'x'.repeat(5_000_000))
    expect(result).toEqual({ ok: false, reason: 'thrown', message: 'The response is too long' })
  })

  it('waits no longer than the whole job may take', async () => {
    const impatient = createCodeSandbox({ fetchLimitMs: 300 })
    const job = jobOf({ body: 'await fetch("x")', isAsync: true, mayFetch: true })
    expect(await impatient.run(job, { fetch: () => new Promise(() => {}) })).toMatchObject({
      ok: false,
      reason: 'limit',
    })
    expect(await impatient.run(job, { fetch: async () => '' })).toMatchObject({ ok: true })
    await impatient.close()
  })

  it('keeps nobody else waiting', async () => {
    const order: string[] = []
    let answer = (_: string) => {}
    const answered = new Promise<string>((resolve) => {
      answer = resolve
    })
    const asked = new Promise<void>((resolve) => {
      void fetching('return fetch("x")', () => {
        resolve()
        return answered
      }).then((result) => order.push(result.ok ? String(result.value) : result.message))
    })
    await asked
    order.push(String(await valueFrom('return "meanwhile"')))
    answer('then')
    await expect.poll(() => order).toEqual(['meanwhile', 'then'])
  })
})
