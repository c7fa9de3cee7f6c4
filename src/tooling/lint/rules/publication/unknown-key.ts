import type { TSchema } from '@sinclair/typebox'
import type { Block } from '../../../../../schemas/blocks/index.ts'
import { escapeToken } from '../../../../lib/json-pointer.ts'
import { editDistance } from '../../../../lib/nearest-name.ts'
import { insideOf, twinOfType } from '../../model/block-schema.ts'
import { defineRule, type RuleContext } from '../../rule.ts'

/** Unknown keys of one block that are compared: a definition can have any number. */
const mostKeys = 500

/** Keys that nearly are keys of their block. */
export const unknownKey = defineRule({
  code: 'unknown-key',
  severity: 'warning',
  title: 'A key that is nearly one of the block',
  description:
    'Keys that a block does not know are ignored, so that a misspelt one has no effect, and nothing says so. Only keys that differ from a known one in a letter or two are reported, where the known one is absent: editors keep many things of their own in a flow. So are options that belong to the type of the same name in other capitals: `webhook` listens, `Webhook` calls. In files that name their schema `undeclared-key` looks at all keys.',
  checkBlock({ block, pointer, compiled }, { model, report }) {
    const schema = compiled.handler?.schema
    // Another rule looks at every key of these.
    if (model.isHandWritten || !schema) return
    checkTwin(block, { pointer, report, known: insideOf(schema, 'options') })
    checkObject(block, schema, { path: [pointer], keysLeft: mostKeys, report })
  },
})

/** Options of the type whose name differs in capitals alone. */
function checkTwin(
  block: Block,
  { pointer, report, known }: { pointer: string; report: RuleContext['report']; known: TSchema | undefined },
): void {
  const twin = twinOfType(block.type)
  const meant = twin && insideOf(twin.schema, 'options')
  if (!twin || !known || !meant || !('options' in block)) return
  const strays = Object.keys(block.options ?? {}).filter(
    (key) => !insideOf(known, key) && insideOf(meant, key),
  )
  if (strays.length === 0) return
  report({
    pointer: `${pointer}/type`,
    message: `A block of the type "${block.type}" ignores ${strays.map((key) => `"${key}"`).join(', ')}.`,
    hint: `Did you mean the type "${twin.type}"?`,
  })
}

interface Check {
  /** From the block down to what is being checked: hardly any of it is ever made a pointer. */
  readonly path: (string | number)[]
  /** Number of unknown keys that may still be compared. */
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
