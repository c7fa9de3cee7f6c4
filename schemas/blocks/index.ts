import type { Static, TSchema } from '@sinclair/typebox'
import { blockBase } from '../common.ts'
import { taggedUnion, tagsOf } from '../tagged-union.ts'
import { Type } from '../type.ts'
import { bubbleBlocks } from './bubbles.ts'
import { choiceInputBlocks, choiceInputs } from './inputs/choices.ts'
import { fileInputBlocks, fileInputs } from './inputs/files-and-payments.ts'
import { numberInputBlocks, numberInputs } from './inputs/numbers-and-dates.ts'
import { textInputBlocks, textInputs } from './inputs/texts.ts'
import { integrationBlocks } from './integrations.ts'
import { logicBlocks } from './logic.ts'
import { modelBlocks } from './models.ts'
import { vendorBlocks } from './vendors.ts'

/** The schema of every block type that the service knows. */
export const blockSchemas = [
  ...bubbleBlocks,
  ...textInputBlocks,
  ...numberInputBlocks,
  ...fileInputBlocks,
  ...choiceInputBlocks,
  ...logicBlocks,
  ...integrationBlocks,
  ...modelBlocks,
  ...vendorBlocks,
] as const

/** Inputs as they are shown. */
export const shownInputs = [...textInputs, ...numberInputs, ...choiceInputs, ...fileInputs] as const

/** Any block where there are types beside the built-in ones, of these schemas. */
export function blockUnion(own: readonly TSchema[]) {
  const known = [...blockSchemas, ...own]
  return Type.Unsafe<Static<(typeof blockSchemas)[number]>>({
    $id: 'Block',
    anyOf: [taggedUnion(known, { $id: 'KnownBlock' }), unknownBlock(known)],
  })
}

/** A block of a type that the service does not know: it is skipped, and a log says so. */
const unknownBlock = (known: readonly TSchema[]) =>
  Type.Object(
    { ...blockBase, type: Type.String({ not: { enum: known.flatMap(tagsOf) } }) },
    { description: 'A block of an unknown type, which is skipped' },
  )

/**
 * Any block of a definition. Meant for readers of the OpenAPI document; definitions are checked with the one schema
 * of each block's type, which is faster and says better what is wrong.
 */
export const Block = blockUnion([])
export type Block = Static<typeof Block>
