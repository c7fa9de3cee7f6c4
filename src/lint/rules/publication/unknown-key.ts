import type { TSchema } from '@sinclair/typebox'
import { blockSchemas } from '../../../../schemas/blocks/index.ts'
import { tagsOf } from '../../../../schemas/tagged-union.ts'
import { escapeToken } from '../../model/json-pointer.ts'
import { editDistance } from '../../model/nearest-name.ts'
import { defineRule, type RuleContext } from '../../rule.ts'

const schemaByType: ReadonlyMap<string, TSchema> = new Map(
  blockSchemas.flatMap((schema) => tagsOf(schema).map((type) => [type, schema] as const)),
)

/** Unknown keys of one block that are compared: strangers can send any number. */
const mostKeys = 500

/** Keys that nearly are keys of their block. */
export const unknownKey = defineRule({
  code: 'unknown-key',
  severity: 'warning',
  title: 'A key that is nearly one of the block',
  description:
    'Keys that a block does not know are ignored, so that a misspelt one has no effect, and nothing says so. Only keys that differ from a known one in a letter or two are reported, where the known one is absent: editors keep many things of their own in a flow.',
  checkBlock({ block, pointer }, { report }) {
    const schema = schemaByType.get(block.type)
    if (schema) checkObject({ value: block, schema, pointer, left: { keys: mostKeys } }, report)
  },
})

interface Checked {
  /** How many unknown keys may still be compared. */
  readonly left: { keys: number }
  readonly value: unknown
  readonly schema: TSchema
  readonly pointer: string
}

function checkObject({ value, schema, pointer, left }: Checked, report: RuleContext['report']): void {
  if (Array.isArray(value)) {
    const items = schema['items'] as TSchema | undefined
    if (!items) return
    for (const [index, item] of value.entries()) {
      checkObject({ value: item, schema: items, pointer: `${pointer}/${index}`, left }, report)
    }
    return
  }
  const known = schema['properties'] as Record<string, TSchema> | undefined
  if (typeof value !== 'object' || value === null || !known) return
  for (const [key, inside] of Object.entries(value)) {
    const at = `${pointer}/${escapeToken(key)}`
    const schemaOfKey = Object.hasOwn(known, key) ? known[key] : undefined
    if (schemaOfKey) checkObject({ value: inside, schema: schemaOfKey, pointer: at, left }, report)
    else if (left.keys-- > 0) checkKey({ key, value, known: Object.keys(known), at }, report)
  }
}

interface UnknownKey {
  readonly key: string
  readonly value: object
  readonly known: readonly string[]
  readonly at: string
}

function checkKey({ key, value, known, at }: UnknownKey, report: RuleContext['report']): void {
  if (key.length < 4 || key.length > 60) return
  const meant = known.find(
    (other) =>
      other.length > 3 && !Object.hasOwn(value, other) && isNear(key.toLowerCase(), other.toLowerCase()),
  )
  if (meant === undefined) return
  report({
    pointer: at,
    message: `The key "${key}" is not known, and ignored.`,
    hint: `Did you mean "${meant}"?`,
  })
}

/** Short keys are near to each other by chance; a key that is longer by a word is no slip either. */
function isNear(key: string, other: string): boolean {
  const distance = editDistance(key, other)
  if (distance <= (other.length > 6 ? 2 : 1)) return true
  return other.length > 8 && key.length > 8 && (other.startsWith(key) || key.startsWith(other))
}
