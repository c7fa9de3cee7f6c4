import { expect, it } from 'vitest'
import { findingsOfProblems } from '../../../src/tooling/lint/lint-flow.ts'

it.each([
  ['', 'must be an object', 'The definition is refused: it must be an object.'],
  ['', 'is not valid JSON', 'The definition is refused: it is not valid JSON.'],
  ['', 'no group is called “Nowhere”', 'The definition is refused: no group is called “Nowhere”.'],
  ['', 'did you mean "A"?', 'The definition is refused: did you mean "A"?'],
  ['/groups', 'must be array', 'The definition is refused: /groups must be array.'],
])('says at %j that it %s in a whole sentence', (pointer, message, said) => {
  expect(findingsOfProblems([{ pointer, message }])[0]?.message).toBe(said)
})
