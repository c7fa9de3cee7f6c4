import { slug } from '../yaml-text/identifiers.ts'
import { at, isNull, type MapNode, type Node, nameOf, scalarText } from '../yaml-text/yaml-nodes.ts'
import { labelKeys } from './block-shapes.ts'
import { toCondition } from './build-conditions.ts'
import type { Draft, DraftPart } from './draft.ts'
import { branchesOf } from './raw-items.ts'
import { type Branch, readWay } from './read-way.ts'
import { type Shape, shapeAt, toPart } from './values.ts'

export interface ChoiceContext {
  readonly type: string
  /** Id of the input, or of the card. */
  readonly id: string
  /** Of an item. */
  readonly shape: Shape | undefined
}

interface Choices {
  readonly items: readonly DraftPart[]
  readonly branches: readonly Branch[]
}

/** The key under which an item keeps its label; that of a button of a card is its text. */
const labelKeyOf = (type: string) => (type === 'button' ? 'text' : (labelKeys[type] ?? 'content'))

/** The items of an input, and where they lead. */
export function choicesIn(node: Node | undefined, context: ChoiceContext, draft: Draft): Choices {
  if (!node) return { items: [], branches: [] }
  if (node.kind !== 'list') {
    draft.report(node, `"choices" is a list, and not ${nameOf(node)}`)
    return { items: [], branches: [] }
  }
  const made = node.items.flatMap((item) => choice(item, context, draft))
  const items = draft.origins.note(
    made.map(({ item }) => item),
    node,
  )
  return { items, branches: made.flatMap(({ branches }) => branches) }
}

interface Choice {
  readonly item: DraftPart
  readonly branches: readonly Branch[]
}

function choice(node: Node, context: ChoiceContext, draft: Draft): readonly Choice[] {
  const label = scalarText(node)
  if (label !== undefined) return [{ item: itemOf(label, node, context, draft), branches: [] }]
  if (node.kind !== 'map') {
    draft.report(
      node,
      `a choice is a text, "label: where it goes" or a map with "label", and not ${nameOf(node)}`,
    )
    return []
  }
  return [isWhole(node, context) ? wholeChoice(node, context, draft) : shortChoice(node, context, draft)]
}

const isWhole = (map: MapNode, { shape }: ChoiceContext) =>
  map.entries.size !== 1 ||
  [...map.entries.keys()].some((key) => key === 'label' || shapeAt(shape, key) !== undefined)

function itemOf(label: string, node: Node, { type, id }: ChoiceContext, draft: Draft): DraftPart {
  const part = { id: draft.ids.items.make(id, slug(label)), [labelKeyOf(type)]: label }
  return draft.origins.note(part, node)
}

/** `- A bill: Bills`. */
function shortChoice(map: MapNode, context: ChoiceContext, draft: Draft): Choice {
  const [[label, { key, value }]] = [...map.entries] as [[string, { key: Node; value: Node }]]
  const item = itemOf(label, key, context, draft)
  if (isNull(value))
    draft.report(key, 'where it goes is missing: name a group, write steps, or leave out the colon')
  const way = isNull(value) ? undefined : readWay(value, draft)
  return { item, branches: way ? [{ origin: item, way, label }] : [] }
}

const ownKeys = ['label', 'to', 'then', 'when', 'id', 'buttons']

/** `- { label, when, to, … }`. */
function wholeChoice(map: MapNode, context: ChoiceContext, draft: Draft): Choice {
  const { type, id, shape } = context
  const labelKey = labelKeyOf(type)
  const label = scalarText(at(map, 'label'))
  const more = toPart(map, { shape, left: ownKeys }, draft)
  const named = label ?? String(more[labelKey] ?? '')
  const ownId = scalarText(at(map, 'id')) ?? draft.ids.items.make(id, slug(named))
  const item: DraftPart = { id: ownId, ...(label !== undefined && { [labelKey]: label }), ...more }
  draft.origins.merge(draft.origins.note(item, map, { [labelKey]: at(map, 'label') }), item, more)
  hide(item, { when: at(map, 'when'), type }, draft)
  const branches = branchesOf(map, { origin: item }, draft).map((branch) => ({ ...branch, label: named }))
  const buttons = at(map, 'buttons')
  if (!buttons) return { item, branches }
  const pathShape = shapeAt(shape, 'paths')?.items
  if (type !== 'cards') draft.report(buttons, '"buttons" belong to cards')
  const inside = choicesIn(buttons, { type: 'button', id: ownId, shape: pathShape }, draft)
  item['paths'] = inside.items
  return { item, branches: [...branches, ...inside.branches] }
}

/** `when`: the item is shown where a condition holds. */
function hide(
  item: DraftPart,
  { when, type }: { readonly when: Node | undefined; readonly type: string },
  draft: Draft,
): void {
  const condition = when && toCondition(when, draft)
  if (!condition) return
  const displayCondition = draft.origins.note({ isEnabled: true, condition }, when)
  if (type !== 'cards') item['displayCondition'] = displayCondition
  else item['options'] = draft.origins.note({ ...Object(item['options']), displayCondition }, when)
}
