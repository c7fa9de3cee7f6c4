import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { page, pageWithResults } from '../bench/report/page.ts'

it('shows on the page of performance the results that are kept', () => {
  const text = readFileSync(page, 'utf8')
  expect(text).toBe(pageWithResults(text))
})
