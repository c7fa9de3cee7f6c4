import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyEdit } from '../defences/apply.ts'
import { defences } from '../defences/defences.ts'
import { listThreatTests, threatsIn } from './table.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const threats = threatsIn(read('SECURITY.md'))

describe('the table of threats', () => {
  it('has a row for every test, and a test for every row', () => {
    const titles = listThreatTests().map(({ title }) => title)
    expect(threats.length).toBeGreaterThan(20)
    expect([...threats].sort()).toEqual([...titles].sort())
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('has a defence for every row that can be switched off', () => {
    const defended = new Set(defences.map(({ threat }) => threat))
    expect([...defended].sort()).toEqual([...threats].sort())
  })

  it.each(defences)('has a defence that still is where it was: $threat', ({ edits }) => {
    for (const edit of edits) expect(applyEdit(read(edit.file), edit)).not.toBe(read(edit.file))
  })
})
