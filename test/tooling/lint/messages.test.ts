import { expect, it } from 'vitest'
import { bubble, setVariable, variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { type LintGiven, lintBy } from '../../support/lint.ts'

const many = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, index) => make(index))
const first = (code: string, definition: Json, given?: LintGiven) => lintBy(code, definition, given)[0]
const rows = (type: string, option: string): Json => ({
  blocks: [{ id: 'b', type, options: { [option]: many(2, () => ({ variableId: 'v', bodyPath: 'data' })) } }],
})

it.each([
  ['webhook', 'responseVariableMapping', 'Row 1 writes this variable already.'],
  ['openai', 'responseMapping', 'Row 1 writes this variable already.'],
  ['gmail', 'responseMapping', 'What row 1 writes into this variable is overwritten.'],
])('says which of two rows counts: %s', (type, option, message) => {
  expect(first('mapping-overwritten', rows(type, option))?.message).toBe(message)
})

it.each([
  [1, 'Nothing says what is shown when an answer is refused here.', 0],
  [2, 'Nothing says what is shown when an answer is refused here and at 1 more inputs.', 1],
  [7, 'Nothing says what is shown when an answer is refused here and at 6 more inputs.', 5],
])('says how many inputs have no words for a refusal: %i', (count, message, related) => {
  const blocks = many(count, (index) => ({ id: `i${index}`, type: 'email input' }))
  const found = first('retry-says-nothing', { blocks })
  expect([found?.message, found?.related.length]).toEqual([message, related])
})

it('names some of the places that have to do with a finding', () => {
  const blocks = many(7, (index) => setVariable(`s${index}`, 'vA', '1'))
  const found = first('unused-variable', { variables: [variable('A')], blocks })
  expect(found?.related.map(({ pointer }) => pointer)).toEqual(
    many(5, (index) => `/groups/0/blocks/${index}/options/variableId`),
  )
})

it('names five of many files', () => {
  const publishedAs = () => many(6, (index) => `${index}.json`)
  const flow = { blocks: [bubble('a')], publicId: 'shop' }
  expect(first('public-id-taken', flow, { surroundings: { publishedAs } })?.message).toBe(
    '"shop" is the public id of 0.json, 1.json, 2.json, 3.json, 4.json too.',
  )
})
