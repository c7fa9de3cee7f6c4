import { expect, it } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { readDefinition } from '../../../src/definition/read-definition.ts'
import { compileFlow } from '../../../src/engine/compile/compile-flow.ts'
import { programIn } from '../../../src/engine/model/program.ts'
import { bubble } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'

const megabyte = 1024 * 1024

function programWith(locales: number, characters: number) {
  const tags = Array.from({ length: locales }, (_, nth) => `fr-x-${nth}`)
  const localizations = Object.fromEntries(
    tags.map((tag) => [tag, { 'b1/content/richText/0/children/0/text': tag }]),
  )
  const blocks = [bubble('b1', 'x'.repeat(characters))]
  const flow = readDefinition(
    wholeDefinition({ blocks, localizations, settings: { general: { language: 'en' } } }),
  )
  return { tags, program: compileFlow(flow, blockRegistry, 'hash') }
}

it('compiles a language once, and counts it with its program', () => {
  const { program } = programWith(2, 1000)
  expect(programIn('en-US', program)).toBe(program)
  expect(programIn('de', program)).toBe(program)
  const before = program.footprint.bytes
  const french = programIn('fr-x-1', program)
  expect(programIn('FR-x-1', program)).toBe(french)
  expect([french.locale, french.hash, french.locales]).toEqual(['fr-x-1', 'hash', program.locales])
  const kept = program.footprint.bytes - before
  expect(kept).toBeGreaterThan(0)
  // It grows with what its blocks compute.
  french.footprint.add(5)
  expect(program.footprint.bytes - before).toBe(kept + 5)
})

it('keeps those that were used last within a bound, and gives the others back', () => {
  const { program, tags } = programWith(40, 100)
  const first = programIn(tags[0], program)
  first.footprint.add(10 * megabyte)
  programIn(tags[1], program).footprint.add(5 * megabyte)
  expect(programIn(tags[0], program)).toBe(first)
  const third = programIn(tags[2], program)
  third.footprint.add(5 * megabyte)
  for (const tag of tags.slice(3)) programIn(tag, program)
  expect(program.footprint.bytes).toBeLessThan(17 * megabyte)
  expect(programIn(tags[0], program)).toBe(first)
  expect(programIn(tags[1], program).footprint.bytes).toBeLessThan(megabyte)
  // A program alone may be larger.
  first.footprint.add(100 * megabyte)
  expect(programIn(tags[0], program)).toBe(first)
})
