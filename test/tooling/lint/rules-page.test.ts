import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rules, rulesByCode } from '../../../src/tooling/lint/rules/index.ts'
import { rulesPage } from '../../../tools/rules-page.ts'

it('is the page that the rules make: `npm run docs` writes it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/rules.md'), 'utf8')
  expect(page).toBe(rulesPage())
})

it('describes each rule once, in words that end', () => {
  expect(rulesByCode.size).toBe(rules.length)
  for (const { code, title, description } of rules) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(title).toMatch(/[^.]$/)
    expect(description).toMatch(/\.$/)
  }
})
