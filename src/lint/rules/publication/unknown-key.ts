import type { TSchema } from '@sinclair/typebox'
import { schemaOfType } from '../../model/block-schema.ts'
import { escapeToken } from '../../model/json-pointer.ts'
import { editDistance } from '../../model/nearest-name.ts'
import { defineRule, type RuleContext } from '../../rule.ts'

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
    const schema = schemaOfType(block.type)
    if (schema) checkObject(block, schema, { path: [pointer], keysLeft: mostKeys, report })
  },
})

interface Check {
  /** From the block down to what is being checked: hardly any of it is ever made a pointer. */
  readonly path: (string | number)[]
  /** How many unknown keys may still be compared. */
  keysLeft: number
  readonly report: RuleContext['report']
}

function checkObject(value: unknown, schema: TSchema, check: Check): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) checkItems(value, schema['items'] as TSchema | undefined, check)
  else checkKeys(value as Record<string, unknown>, schema['properties'] as Properties | undefined, check)
}

function checkItems(items: readonly unknown[], schema: TSchema | undefined, check: Check): void {
  if (!schema) return
  for (let index = 0; index < items.length; index++) checkInside(index, items[index], schema, check)
}

type Properties = Readonly<Record<string, TSchema>>

function checkKeys(value: Record<string, unknown>, known: Properties | undefined, check: Check): void {
  if (!known) return
  for (const key in value) {
    const schema = Object.hasOwn(known, key) ? known[key] : undefined
    if (schema) checkInside(key, value[key], schema, check)
    else if (check.keysLeft-- > 0) checkKey({ key, value, known: Object.keys(known) }, check)
  }
}

function checkInside(key: string | number, value: unknown, schema: TSchema, check: Check): void {
  if (typeof value !== 'object') return
  check.path.push(key)
  checkObject(value, schema, check)
  check.path.pop()
}

interface UnknownKey {
  readonly key: string
  readonly value: object
  readonly known: readonly string[]
}

function checkKey({ key, value, known }: UnknownKey, { path: [block, ...inside], report }: Check): void {
  if (key.length < 4 || key.length > 60) return
  const meant = known.find(
    (other) =>
      other.length > 3 && !Object.hasOwn(value, other) && isNear(key.toLowerCase(), other.toLowerCase()),
  )
  if (meant === undefined) return
  report({
    pointer: [block, ...[...inside, key].map(escapeToken)].join('/'),
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
