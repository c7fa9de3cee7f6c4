import type { TSchema } from '@sinclair/typebox'
import { FlowDefinition } from '../../../../../schemas/flow.ts'
import { escapeToken } from '../../../../lib/json-pointer.ts'
import { nearestName } from '../../../../lib/nearest-name.ts'
import { membersOf, tagsIn } from '../../model/block-schema.ts'
import { defineRule, type RuleContext } from '../../rule.ts'

/** Keys that any part may have: what reads them is not the service. */
const freeKeys = new Set(['$schema', 'lint'])

/** Elements of a list that are looked at between two pauses. */
const slice = 200

/** Keys that no schema knows, in files that name theirs. */
export const undeclaredKey = defineRule({
  code: 'undeclared-key',
  severity: 'error',
  isForHandWritten: true,
  title: 'A key that nothing reads, in a file that is written by hand',
  description:
    'A file that says `"$schema"` is written by hand, and keeps nothing of an editor: a key that the schema does not know is a mistake there (`minimum` for `min`, `url` on the block in place of `options.webhook`), which would be ignored in silence. The hint names the key that was probably meant, or where it belongs. A level that is set for the rule holds for every file.',
  *checkFlowByTurns({ model, report }) {
    const { definition } = model
    if (typeof definition !== 'object' || definition === null) return
    checkKeys(definition, FlowDefinition, { pointer: '', report, entersLists: false })
    for (const [name, list] of Object.entries(definition)) {
      const schema = FlowDefinition.properties[name as keyof typeof FlowDefinition.properties] as
        | TSchema
        | undefined
      if (!schema?.['items'] || !Array.isArray(list)) continue
      for (const [index, part] of list.entries()) {
        if (index % slice === slice - 1) yield
        check(part, schema['items'], { pointer: `/${name}/${index}`, report, entersLists: name !== 'groups' })
      }
    }
  },
  checkBlock({ block, pointer, compiled }, { report }) {
    const schema = compiled.handler?.schema
    if (schema) check(block, schema, { pointer, report, entersLists: true })
  },
})

interface Check {
  readonly pointer: string
  readonly report: RuleContext['report']
  /** Off where the elements of lists are looked at by themselves. */
  readonly entersLists: boolean
}

function check(value: unknown, schema: TSchema, at: Check): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const items: TSchema | undefined = schema['items']
    if (!items || !at.entersLists) return
    for (const [index, item] of value.entries()) check(item, items, inside(at, index))
    return
  }
  const members = membersOf(schema)
  const { type } = value as { type?: unknown }
  const found = members?.find((member) => tagsIn(member).includes(String(type)))
  if (!members || found) checkKeys(value, found ?? schema, at)
}

function checkKeys(value: object, schema: TSchema, at: Check): void {
  const known: Readonly<Record<string, TSchema>> | undefined = schema['properties']
  if (!known || schema['additionalProperties']) return
  for (const [key, part] of Object.entries(value)) {
    const declared = Object.hasOwn(known, key) ? known[key] : undefined
    if (declared) check(part, declared, inside(at, key))
    else if (!freeKeys.has(key)) {
      const message = `The key "${key}" is not known here, and nothing reads it.`
      at.report({ pointer: inside(at, key).pointer, message, hint: hintFor(key, known) })
    }
  }
}

const inside = (at: Check, key: string | number): Check => ({
  ...at,
  pointer: `${at.pointer}/${escapeToken(key)}`,
})

function hintFor(key: string, known: Readonly<Record<string, TSchema>>): string {
  const names = Object.keys(known)
  const near =
    nearestName(key, names)?.name ?? names.find((name) => isPartOf(name, key) || isPartOf(key, name))
  if (near !== undefined) return `Did you mean "${near}"?`
  const place = placeOf(key, known)
  if (place !== undefined) return `It belongs into "${place}".`
  return `Known are: ${names.filter((name) => name !== 'id').join(', ')}.`
}

/** A word that is cut short, or written out. */
const isPartOf = (part: string, whole: string) => part.length >= 3 && whole.startsWith(part)

/** Place below at which a key is known, two levels down at most. */
function placeOf(key: string, known: Readonly<Record<string, TSchema>>, levels = 2): string | undefined {
  for (const [name, schema] of Object.entries(known)) {
    const below: Readonly<Record<string, TSchema>> | undefined = schema['properties']
    if (!below) continue
    if (Object.hasOwn(below, key)) return name
    const place = levels > 1 ? placeOf(key, below, levels - 1) : undefined
    if (place !== undefined) return `${name}.${place}`
  }
  return undefined
}
