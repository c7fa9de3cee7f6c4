import fc from 'fast-check'
import { arbitraryFlow, arbitraryStart } from '../../../support/arbitrary-flow.ts'
import { startBodies, validDefinitions } from './corpus.ts'
import { edits, mutate, rareEdits } from './mutation.ts'

const valid = fc.constantFrom(...validDefinitions)

/** Definitions: those of the conformance cases and those that nobody would draw, most of them changed at random. */
export const draft: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(valid, fc.oneof(rareEdits, edits))
      .map(([definition, changes]) => mutate(definition, changes)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(arbitraryFlow, rareEdits).map(([definition, changes]) => mutate(definition, changes)),
  },
  // A part of one flow inside another: ids collide, and edges lead to what was never meant.
  {
    weight: 1,
    arbitrary: fc
      .tuple(valid, valid, rareEdits)
      .map(([one, another, changes]) => mutate({ ...one, groups: mix(one, another, 'groups') }, changes)),
  },
)

function mix(
  one: Readonly<Record<string, unknown>>,
  another: Readonly<Record<string, unknown>>,
  key: string,
) {
  return [one[key], another[key]].flat()
}

/** What comes with a start, beside a definition. */
export const startBody: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.constant({}),
  fc.constantFrom(...startBodies),
  arbitraryStart as fc.Arbitrary<Record<string, unknown>>,
)
