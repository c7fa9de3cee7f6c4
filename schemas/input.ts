import type { Static } from '@sinclair/typebox'
import { shownInputs } from './blocks/index.ts'
import { withCustom } from './custom.ts'
import { taggedUnion } from './tagged-union.ts'

/** Input that waits for the visitor's reply (docs/api.md 2.9). */
export const Input = taggedUnion(withCustom(shownInputs), {
  $id: 'Input',
  description: 'The one thing that the client is asked for.',
})
export type Input = Static<typeof Input>
