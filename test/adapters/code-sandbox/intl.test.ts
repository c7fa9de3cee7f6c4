import { afterAll, describe, expect, it } from 'vitest'
import { createCodeSandbox } from '../../../src/adapters/code-sandbox/code-sandbox.ts'

const sandbox = createCodeSandbox({ threads: 1 })

afterAll(() => sandbox.close())

async function run(body: string) {
  const job = { body, isAsync: true, globals: [], mayAssign: false, mayFetch: false }
  const result = await sandbox.run(job)
  return result.ok ? result.value : { failed: result.message }
}

/** What this process makes of the same code. */
const runHere = (body: string): unknown => JSON.parse(JSON.stringify(new Function(body)()))

const when = 'new Date("2026-11-02T15:04:05Z")'

describe('locales in the sandbox', () => {
  it.each([
    `${when}.toLocaleDateString("fr-FR", { timeZone: "UTC" })`,
    `${when}.toLocaleTimeString("de-AT", { timeZone: "Asia/Kolkata", timeStyle: "short" })`,
    `${when}.toLocaleString(["ja-JP", "en"], { timeZone: "UTC" })`,
    'new Date(NaN).toLocaleString("fr")',
    '(9876543.21).toLocaleString("de-CH", { style: "currency", currency: "CHF" })',
    '(-0).toLocaleString("en") + (1e21).toLocaleString("en") + (0 / 0).toLocaleString("en")',
    '(2n ** 70n).toLocaleString("en-IN")',
    '[1234.5, null, "x", ["y", 2000]].toLocaleString("nl")',
    '["Zoë", "ärger", "apfel", "Öl"].sort(new Intl.Collator("sv").compare)',
    '["10", "9"].sort((a, b) => a.localeCompare(b, "en", { numeric: true }))',
    '"TITLE I".toLocaleLowerCase("tr") + "ı".toLocaleUpperCase("tr")',
    '[1, 2, 3, 11].map((n) => new Intl.PluralRules("en", { type: "ordinal" }).select(n))',
    '[0.256, 12].map(Intl.NumberFormat("fr", { style: "percent" }).format)',
    'new Intl.NumberFormat("es", { style: "unit", unit: "liter" }).formatToParts(16)',
    `new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" }).formatToParts(${when})`,
    'new Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatRange(0, 864e6)',
    'Intl.NumberFormat.supportedLocalesOf(["fr", "xx"])',
    'new Intl.DateTimeFormat("pt-BR", { timeZone: "America/Lima" }).resolvedOptions().timeZone',
    'Object.prototype.toString.call(Intl) + typeof Intl.Collator',
    'new Intl.Collator("de") instanceof Intl.Collator',
  ])('are what they are in a browser: %s', async (expression) => {
    expect(await run(`return ${expression}`)).toEqual(runHere(`return ${expression}`))
  })

  it.each([
    ['new Intl.NumberFormat("no such locale")', 'RangeError'],
    ['(1).toLocaleString("en", { style: "currency" })', 'TypeError'],
    ['new Intl.DateTimeFormat("en").format(NaN)', 'RangeError'],
    ['Intl.NumberFormat.prototype.formatToParts(1)', 'TypeError'],
    ['"a".repeat(3e5).localeCompare("b")', 'RangeError'],
    ['(10n ** 5000n).toLocaleString("en")', 'RangeError'],
  ])('refuse %s with a %s', async (expression, name) => {
    const body = `try { ${expression} } catch (error) { return error.name + (error instanceof ${name}) }`
    expect(await run(body)).toBe(`${name}true`)
  })

  it('are English of the United States where none is given', async () => {
    const resolved = 'new Intl.NumberFormat().resolvedOptions().locale'
    expect(await run(`return ${resolved} + (1234.5).toLocaleString()`)).toBe('en-US1,234.5')
  })

  it('use the time zone of dates', async () => {
    const hour = `${when}.toLocaleTimeString("en-GB", { hour: "numeric" })`
    expect(await run(`return Number(${hour}) === ${when}.getHours()`)).toBe(true)
  })

  it('hand out nothing of the service, and are as new for each job', async () => {
    const format = 'new Intl.NumberFormat("en").format(1)'
    const own = 'Intl.NumberFormat.prototype.own = 1; Intl.left = 1; Array.prototype.toJSON = () => [];'
    await run(`${own} JSON.parse = () => ({}); return ${format}`)
    expect(await run(`return [typeof Intl.left, Intl.NumberFormat.prototype.own, ${format}].join()`)).toBe(
      'undefined,,1',
    )
    const maker = 'Intl.NumberFormat.constructor("return typeof process")()'
    expect(await run(`return ${maker}`)).toBe('undefined')
  })
})
