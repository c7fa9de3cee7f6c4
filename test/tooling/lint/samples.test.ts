import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintWhole } from '../../support/lint.ts'

const folder = join(import.meta.dirname, '../../../flows')

/** What is worth a look in the samples, and true. */
const remarks: Readonly<Record<string, readonly string[]>> = {
  'ask-a-person.json': [],
  'coffee-bar.json': [],
  'lead-form.json': ['unused-variable /variables/7'],
  'opening-hours.json': ['old-version /version'],
  'plant-help.json': [],
  'product-quiz.json': ['unused-variable /variables/8'],
  'support-triage.json': ['input-without-variable /groups/3/blocks/1'],
}

describe.each(readdirSync(folder).filter((name) => name.endsWith('.json')))('flows/%s', (name) => {
  it('raises no false alarm', () => {
    const found = lintWhole(JSON.parse(readFileSync(join(folder, name), 'utf8')))
    expect(found.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(found.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(remarks[name])
  })
})
