import { createCodeSandbox } from '../src/adapters/code-sandbox/code-sandbox.ts'
import type { CodeSandbox } from '../src/ports/code-sandbox-port.ts'
import type { CodeJob } from '../src/ports/known-types.ts'

// What code of flows costs: `node --import tsx bench/sandbox.ts`. Takes about a minute.

const jobOf = (job: Partial<CodeJob> & { body: string }): CodeJob => ({
  isAsync: false,
  globals: [],
  mayAssign: false,
  mayFetch: false,
  ...job,
})

const rows = Array.from({ length: 1000 }, (_, i) => ({
  id: i,
  name: `Item ${i}`,
  tags: ['a', 'b'],
  price: i / 7,
}))

const jobs = {
  trivial: jobOf({ body: 'return vA + 1', globals: [['vA', 41]] }),
  async: jobOf({ body: 'return vA + await 1', isAsync: true, globals: [['vA', 41]] }),
  'script with setVariable': jobOf({
    body: 'const words = vText.split(" "); setVariable("Count", words.length); setVariable("First", words[0])',
    isAsync: true,
    mayAssign: true,
    globals: [['vText', 'a text of a few words that somebody typed']],
  }),
  'path over 70 KB': jobOf({
    body: 'return data.filter((row) => row.price > 100).map((row) => row.name)',
    globals: [['data', rows]],
  }),
  '100 000 turns of a loop': jobOf({
    body: 'let s = 0; for (let i = 0; i < 100000; i++) s += i % 7; return s',
  }),
}

const hostile = {
  'endless loop': jobOf({ body: 'for (;;);' }),
  'list that grows': jobOf({ body: 'const a = []; for (;;) a.push({})' }),
  'texts that add up': jobOf({ body: 'const a = []; for (;;) a.push("x".repeat(10000) + a.length)' }),
  'endless recursion': jobOf({ body: 'function f() { return f() + 1 } return f()' }),
  'long built-in': jobOf({ body: 'return "ab".repeat(3e6).replaceAll("ba".repeat(1e6) + "c", "x").length' }),
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

const rounded = (number: number) => Number(number.toPrecision(3))

const rssMb = () => Math.round(process.memoryUsage.rss() / 2 ** 20)

async function oneByOne(sandbox: CodeSandbox, job: CodeJob, count: number) {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    await sandbox.run(job)
    times.push((performance.now() - start) * 1000)
  }
  times.sort((a, b) => a - b)
  return { 'median µs': rounded(percentile(times, 0.5)), 'p99 µs': rounded(percentile(times, 0.99)) }
}

async function sustained(sandbox: CodeSandbox, job: CodeJob, seconds: number) {
  const end = performance.now() + seconds * 1000
  let count = 0
  const lane = async () => {
    while (performance.now() < end) {
      await sandbox.run(job)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return { 'a second, 16 at once': rounded(count / seconds) }
}

/** How late the event loop is at worst while something runs. */
async function lateness(run: () => Promise<unknown>) {
  let worst = 0
  let last = performance.now()
  const timer = setInterval(() => {
    worst = Math.max(worst, performance.now() - last - 5)
    last = performance.now()
  }, 5)
  const start = performance.now()
  await run()
  clearInterval(timer)
  return { 'ms each': rounded((performance.now() - start) / 10), 'event loop late by ms': rounded(worst) }
}

const before = rssMb()
const start = performance.now()
const sandbox = createCodeSandbox()
await sandbox.run(jobs.trivial)
const first = performance.now() - start
await Promise.all(Array.from({ length: 2000 }, () => sandbox.run(jobs.trivial).catch(() => {})))
console.log(`Node ${process.version}; first evaluation after ${Math.round(first)} ms; ${before} MB before it`)
console.log(`${rssMb()} MB with two threads`)

const table: Record<string, object> = {}
for (const [name, job] of Object.entries(jobs)) {
  await oneByOne(sandbox, job, 300)
  table[name] = { ...(await oneByOne(sandbox, job, 1500)), ...(await sustained(sandbox, job, 3)) }
}
console.table(table)

const limits: Record<string, object> = {}
for (const [name, job] of Object.entries(hostile)) {
  const figures = await lateness(async () => {
    for (let i = 0; i < 10; i++) await sandbox.run(job)
  })
  const next = await oneByOne(sandbox, jobs.trivial, 1)
  limits[name] = { ...figures, 'next evaluation µs': next['median µs'], 'MB after': rssMb() }
}
console.table(limits)
await sandbox.close()
