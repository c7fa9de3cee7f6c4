import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openYaml } from './open-yaml.ts'

const root = join(import.meta.dirname, '../../..')
const samples = readdirSync(join(root, 'flows')).filter((name) => name.endsWith('.flowtest.yaml'))

describe('the schema of tests, in the YAML support of editors', () => {
  it.each(samples)('finds nothing wrong with %s', async (name) => {
    const text = readFileSync(join(root, 'flows', name), 'utf8')
    expect(await openYaml(text, 'flowtest.schema.json').problems()).toEqual([])
  })

  it('proposes steps, and explains them', async () => {
    const steps = 'flow: a.json\ntests:\n  - name: a\n    steps:\n      - ¦\n'
    expect(await openYaml(steps, 'flowtest.schema.json').completions()).toEqual(
      expect.arrayContaining(['sees', 'asks', 'says']),
    )
    const seen = 'flow: a.json\ntests:\n  - name: a\n    steps:\n      - se¦es: Hi\n'
    expect(await openYaml(seen, 'flowtest.schema.json').hover()).toContain('All messages of the turn')
  })

  it.each([
    ['flow: a.json\ntests:\n  - name: a\n    steps:\n      - seees: Hi\n', /seees/],
    ['flow: a.json\ntests:\n  - steps:\n      - says: Hi\n', /name/],
    ['flow: a.json\ntests: {}\n', /array/],
  ])('finds the mistake in %s', async (text, message) => {
    const problems = await openYaml(text, 'flowtest.schema.json').problems()
    expect(problems).toContainEqual(expect.stringMatching(message))
  })
})

it('knows the rules of mocks', async () => {
  expect(await openYaml('¦', 'mocks.schema.json').completions()).toEqual(
    expect.arrayContaining(['http', 'seed']),
  )
})
