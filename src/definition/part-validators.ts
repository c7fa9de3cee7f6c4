import type { TSchema } from '@sinclair/typebox'
import { blockSchemas } from '../../schemas/blocks/index.ts'
import { blockBase } from '../../schemas/common.ts'
import { Edge, eventSchemas, groupBase, Variable } from '../../schemas/flow.ts'
import { Settings } from '../../schemas/settings.ts'
import { tagsOf } from '../../schemas/tagged-union.ts'
import { Theme } from '../../schemas/theme.ts'
import { Type } from '../../schemas/type.ts'
import { envelopeSchemas, versionOf } from './envelope.ts'
import { createLazyValidator, type Validator } from './lazy-validator.ts'

const check = createLazyValidator()

/** The checks of the parts of a definition, save blocks and events, which go by type. */
export const partValidators = {
  /** A group as such; its blocks are checked one by one. */
  group: check(Type.Object({ ...groupBase, blocks: Type.Array(Type.Unknown()) })),
  edge: check(Edge),
  variable: check(Variable),
  settings: check(Settings),
  theme: check(Theme),
} as const satisfies Record<string, Validator>

const envelopes = new Map<unknown, Validator>(
  Object.entries(envelopeSchemas).map(([version, schema]) => [version, check(schema)]),
)
const envelopeOfNoVersion = check(envelopeSchemas['5'])

/** The check for the outermost level of a definition. One of an unknown version needs what all versions need. */
export function envelopeValidator(raw: unknown): Validator {
  const version = typeof raw === 'object' && raw !== null ? versionOf(raw) : undefined
  return envelopes.get(version) ?? envelopeOfNoVersion
}

/** The check for a block. One of an unknown type only has to look like a block. */
export const blockValidator = byType(blockSchemas)

/** The check for an event. One of an unknown type is never triggered, and only has to look like an event. */
export const eventValidator = byType(eventSchemas)

/**
 * One small validator a type, found in a map: a single one for all types takes six times as long, and says worse
 * what is wrong.
 */
function byType(schemas: readonly TSchema[]): (value: unknown) => Validator {
  const unknown = check(Type.Object({ ...blockBase, type: Type.String() }))
  const known = new Map<unknown, Validator>()
  for (const schema of schemas) {
    const ofSchema = check(schema)
    for (const tag of tagsOf(schema)) known.set(tag, ofSchema)
  }
  return (value) => (hasType(value) && known.get(value.type)) || unknown
}

function hasType(value: unknown): value is { type: unknown } {
  return typeof value === 'object' && value !== null && 'type' in value
}
