import { at, type MapNode, type Node, nameOf, scalarText } from '../yaml-text/yaml-nodes.ts'
import type { Draft, DraftPart } from './draft.ts'
import { type Branch, readWay } from './read-way.ts'
import { type Shape, shapeAt, toPart } from './values.ts'

interface ItemContext {
  readonly blockId: string
  readonly shape: Shape | undefined
  readonly endsWithoutEdge: boolean
}

/** Items as they stand in JSON, which may say where they lead by `to` or `then`. */
export function rawItems(
  node: Node,
  context: ItemContext,
  draft: Draft,
): { readonly items: readonly DraftPart[]; readonly branches: readonly Branch[] } {
  const branches: Branch[] = []
  if (node.kind !== 'list') {
    draft.report(node, `"items" is a list, and not ${nameOf(node)}`)
    return { items: [], branches }
  }
  const items = node.items.flatMap((item, index) => {
    if (item.kind !== 'map') {
      draft.report(item, `an item is a map, and not ${nameOf(item)}`)
      return []
    }
    const made = toPart(item, { shape: context.shape, left: ['to', 'then', 'paths', 'id'] }, draft)
    const id = scalarText(at(item, 'id')) ?? draft.ids.items.make(context.blockId, String(index + 1))
    const part = { id, ...made }
    draft.origins.merge(draft.origins.note(part, item), part, made)
    branches.push(...branchesOf(item, { origin: part, endsWithoutEdge: context.endsWithoutEdge }, draft))
    const paths = at(item, 'paths')
    if (paths) {
      const inside = rawItems(
        paths,
        { ...context, blockId: id, shape: shapeAt(context.shape, 'paths')?.items },
        draft,
      )
      Object.assign(part, { paths: inside.items })
      branches.push(...inside.branches)
    }
    return [part]
  })
  return { items: draft.origins.note(items, node), branches }
}

/** The way of an item, under `to` or `then`. */
export function branchesOf(
  map: MapNode,
  { origin, endsWithoutEdge }: Pick<Branch, 'origin' | 'endsWithoutEdge'>,
  draft: Draft,
): readonly Branch[] {
  const [to, then] = [at(map, 'to'), at(map, 'then')]
  if (to && then) draft.report(then, 'leads somewhere else than "to": keep one of the two')
  const node = to ?? then
  const way = node && readWay(node, draft)
  return way ? [{ origin, way, label: String(origin['id']), endsWithoutEdge: endsWithoutEdge === true }] : []
}
