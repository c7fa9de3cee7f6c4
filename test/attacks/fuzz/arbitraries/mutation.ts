import fc from 'fast-check'
import { blockSchemas } from '../../../../schemas/blocks/index.ts'
import { tagsOf } from '../../../../schemas/tagged-union.ts'
import { hostileKey, hostileNumber, hostileText, hostileValue } from './hostile.ts'

/** What each kind of change needs to know, beside its place. */
interface Details {
  replace: { readonly by: unknown }
  remove: unknown
  repeat: unknown
  wrap: unknown
  swap: { readonly from: number }
  copy: { readonly from: number }
  relink: { readonly from: number }
  rename: { readonly to: string }
  add: { readonly key: string; readonly value: unknown }
  retype: { readonly to: string }
  renumber: { readonly to: unknown }
  insert: { readonly text: string; readonly index: number }
}

type Kind = keyof Details

type EditOf<K extends Kind> = { readonly kind: K; readonly at: number } & Details[K]

/** A change at a place of a JSON value. Places are counted, so that an edit fits whatever it is applied to. */
export type Edit = { [K in Kind]: EditOf<K> }[Kind]

const blockTypes = [
  ...blockSchemas.flatMap((schema) => tagsOf(schema)),
  'start',
  'command',
  'reply',
  'invalidReply',
  'hologram',
]

const place = { at: fc.nat(3000) }
const kind = <K extends Kind>(...kinds: K[]) => fc.constantFrom(...kinds)

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...place, kind: kind('replace'), by: hostileValue }) },
  { weight: 3, arbitrary: fc.record({ ...place, kind: kind('remove', 'repeat', 'wrap') }) },
  { weight: 3, arbitrary: fc.record({ ...place, kind: kind('swap', 'copy', 'relink'), from: fc.nat(3000) }) },
  { weight: 3, arbitrary: fc.record({ ...place, kind: kind('relink'), from: fc.nat(3000) }) },
  { weight: 1, arbitrary: fc.record({ ...place, kind: kind('rename'), to: hostileKey }) },
  { weight: 1, arbitrary: fc.record({ ...place, kind: kind('add'), key: hostileKey, value: hostileValue }) },
  { weight: 2, arbitrary: fc.record({ ...place, kind: kind('retype'), to: fc.constantFrom(...blockTypes) }) },
  { weight: 2, arbitrary: fc.record({ ...place, kind: kind('renumber'), to: hostileNumber }) },
  {
    weight: 4,
    arbitrary: fc.record({ ...place, kind: kind('insert'), text: hostileText, index: fc.nat(50) }),
  },
)

/** A few changes, sometimes none. */
export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(edit, { maxLength: 6 })

/** As `edits`, for values that should mostly stay as they are. */
export const rareEdits: fc.Arbitrary<readonly Edit[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: edits },
)

type Container = Record<string | number, unknown>

interface Slot {
  readonly container: Container
  readonly key: string | number
}

/** Applies edits to a copy of a value. */
export function mutate(value: unknown, changes: readonly Edit[]): unknown {
  if (changes.length === 0) return value
  const root: Container = { value: structuredClone(value) }
  for (const change of changes) apply(change, slotsIn(root))
  return root['value']
}

/** Every place inside a value where a value stands, the outermost first. */
function slotsIn(root: Container): Slot[] {
  const slots: Slot[] = [{ container: root, key: 'value' }]
  for (const { container, key } of slots) {
    const value = container[key]
    if (typeof value !== 'object' || value === null) continue
    const keys = Array.isArray(value) ? value.keys() : Object.keys(value)
    for (const inner of keys) slots.push({ container: value as Container, key: inner })
  }
  return slots
}

type Applier<K extends Kind> = (change: EditOf<K>, slot: Slot, slots: readonly Slot[]) => void

const appliers: { readonly [K in Kind]: Applier<K> } = {
  replace: ({ by }, slot) => put(slot, by),
  remove: (_, slot) => remove(slot),
  repeat(_, slot) {
    const { container, key } = slot
    if (Array.isArray(container)) container.splice(Number(key), 0, structuredClone(read(slot)))
  },
  wrap: (_, slot) => put(slot, [read(slot)]),
  swap(change, slot, slots) {
    const other = pick(slots, change.from)
    const [mine, theirs] = [read(slot), read(other)]
    put(slot, theirs)
    put(other, mine)
  },
  copy: (change, slot, slots) => put(slot, read(pick(slots, change.from))),
  relink(change, _, slots) {
    const links = slots.filter(
      (slot) => /^id$|Ids?$/.test(String(slot.key)) && typeof read(slot) === 'string',
    )
    if (links.length > 0) put(pick(links, change.at), read(pick(links, change.from)))
  },
  rename({ to }, slot) {
    if (Array.isArray(slot.container)) return
    const value = read(slot)
    remove(slot)
    put({ container: slot.container, key: to }, value)
  },
  add({ key, value }, slot) {
    const container = read(slot)
    if (Array.isArray(container)) container.push(structuredClone(value))
    else if (typeof container === 'object' && container !== null) {
      put({ container: container as Container, key }, value)
    }
  },
  retype({ at, to }, _, slots) {
    const tags = slots.filter(({ key }) => key === 'type')
    if (tags.length > 0) put(pick(tags, at), to)
  },
  renumber({ at, to }, _, slots) {
    const numbers = slots.filter((slot) => typeof read(slot) === 'number')
    if (numbers.length > 0) put(pick(numbers, at), to)
  },
  insert({ at, text, index }, _, slots) {
    const texts = slots.filter((slot) => typeof read(slot) === 'string')
    if (texts.length === 0) return
    const chosen = pick(texts, at)
    const whole = String(read(chosen))
    const cut = index % (whole.length + 1)
    put(chosen, whole.slice(0, cut) + text + whole.slice(cut))
  },
}

function apply<K extends Kind>(change: EditOf<K>, slots: readonly Slot[]): void {
  appliers[change.kind](change, pick(slots, change.at), slots)
}

const pick = (slots: readonly Slot[], at: number): Slot => slots[at % slots.length]!

const read = ({ container, key }: Slot) => container[key]

/**
 * Puts a copy, as an edit is applied more than once and nothing may end up inside itself. Defines it, as an assignment
 * to `__proto__` would set a prototype.
 */
function put({ container, key }: Slot, original: unknown): void {
  const value = structuredClone(original)
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
}

function remove({ container, key }: Slot): void {
  if (Array.isArray(container)) container.splice(Number(key), 1)
  else delete container[key]
}
