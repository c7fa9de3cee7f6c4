import { firstWords } from '../yaml-text/identifiers.ts'
import { at, type MapNode, type Node, nameOf, scalarText } from '../yaml-text/yaml-nodes.ts'
import { toConditions } from './build-conditions.ts'
import { buildTyped, finishStep, idIn } from './build-typed.ts'
import type { Draft, DraftPart } from './draft.ts'
import { branchesOf } from './raw-items.ts'
import type { Built, WrittenStep } from './read-way.ts'
import { type Branch, readWay } from './read-way.ts'
import { refuseOthers } from './values.ts'

const stepKeys = ['id', 'lint']

/** `if: …` with a way, and another for where it does not hold. */
export function buildIf({ map, groupId }: WrittenStep, draft: Draft): readonly Built[] {
  refuseOthers(map, ['if', 'to', 'then', 'else', ...stepKeys], draft)
  const id = idIn(map, draft) ?? draft.ids.blocks.make(groupId, 'if', wordsOf(map))
  const cases = caseItems(map, { blockId: id, name: 'then' }, draft)
  // The way of `if` is that of its item: what holds goes there, and the rest below.
  const own = withoutTo(map)
  return [conditionBlock({ map: own, id, key: 'if', cases: [cases] }, draft)]
}

const withoutTo = (map: MapNode): MapNode => ({
  ...map,
  entries: new Map([...map.entries].filter(([key]) => key !== 'to')),
})

/** `cases:`, of which the first that holds counts. */
export function buildCases({ map, main, groupId }: WrittenStep, draft: Draft): readonly Built[] {
  refuseOthers(map, ['cases', 'else', ...stepKeys], draft)
  const list = main.kind === 'list' ? main.items : []
  if (main.kind !== 'list') draft.report(main, `"cases" is a list of { if, to }, and not ${nameOf(main)}`)
  const maps = list.flatMap((node) => {
    if (node.kind === 'map') return [node]
    draft.report(node, `a case is a map with "if" and "to", and not ${nameOf(node)}`)
    return []
  })
  const [first] = maps
  const id = idIn(map, draft) ?? draft.ids.blocks.make(groupId, 'if', first ? wordsOf(first) : 'none')
  const cases = maps.map((one) => {
    refuseOthers(one, ['if', 'to', 'then', 'id'], draft)
    return caseItems(one, { blockId: id, ownId: idIn(one, draft), name: wordsOf(one) }, draft)
  })
  return [conditionBlock({ map, id, key: 'cases', cases }, draft)]
}

function wordsOf(map: MapNode): string {
  const condition = at(map, 'if')
  return firstWords(scalarText(condition) ?? '', 'condition')
}

interface Case {
  readonly items: readonly DraftPart[]
  readonly branches: readonly Branch[]
}

/** The items of one condition, which needs several where it mixes `and` with `or`; all lead the same way. */
function caseItems(
  map: MapNode,
  {
    blockId,
    ownId,
    name,
  }: { readonly blockId: string; readonly ownId?: string | undefined; readonly name: string },
  draft: Draft,
): Case {
  const condition = at(map, 'if')
  if (!condition) draft.report(map, 'the condition is missing: write it under "if"')
  const contents = condition ? toConditions(condition, draft) : []
  const items = contents.map((content, index) => {
    const id = ownId !== undefined && index === 0 ? ownId : draft.ids.items.make(ownId ?? blockId, name)
    return draft.origins.note({ id, content } as DraftPart, map, { content: condition })
  })
  if (!at(map, 'to') && !at(map, 'then'))
    draft.report(map, 'where it goes is missing: write it under "to" or "then"')
  const [first, ...others] = items
  if (!first) return { items, branches: [] }
  const branches = branchesOf(map, { origin: first, endsWithoutEdge: true }, draft)
  return {
    items,
    branches: branches.map((branch) => ({ ...branch, label: scalarText(condition) ?? 'if', others })),
  }
}

interface ConditionParts {
  readonly map: MapNode
  readonly id: string
  readonly key: string
  readonly cases: readonly Case[]
}

function conditionBlock({ map, id, key, cases }: ConditionParts, draft: Draft): Built {
  const items = draft.origins.note(
    cases.flatMap((one) => one.items),
    at(map, key) ?? map,
  )
  const inside = { type: map.entries.get(key)?.key, items: at(map, key) }
  const branches = cases.flatMap((one) => one.branches)
  const built = finishStep({ id, type: 'Condition', items }, { map, node: map, inside, branches }, draft)
  const otherwise = elseOf(map, built.block, draft)
  return { ...built, branches: [...built.branches, ...otherwise] }
}

function elseOf(map: MapNode, origin: DraftPart, draft: Draft): readonly Branch[] {
  const node = at(map, 'else')
  const way = node && readWay(node, draft)
  return way ? [{ origin, way, label: 'else' }] : []
}

/** A handoff, whose `else` is the way where nobody comes in time. */
export function buildHandoff(step: WrittenStep, draft: Draft): readonly Built[] {
  const built = buildTyped({ ...step, left: ['else'] }, 'Handoff', draft)
  const node = at(step.map, 'else')
  if (!node) return [built]
  return [withItems(built, [{ node, name: 'else' }], draft)]
}

/** A draw of two ways, `a` and `b`. */
export function buildSplit(step: WrittenStep, draft: Draft): readonly Built[] {
  const built = buildTyped({ ...step, left: ['a', 'b'] }, 'AB test', draft)
  if (at(step.map, 'items')) return [built]
  const ways = ['a', 'b'].map((name) => ({ node: at(step.map, name), name, path: name }))
  return [withItems(built, ways, draft)]
}

interface NamedWay {
  readonly node: Node | undefined
  readonly name: string
  readonly path?: string
}

function withItems(built: Built, ways: readonly NamedWay[], draft: Draft): Built {
  const branches: Branch[] = []
  const items = ways.map(({ node, name, path }) => {
    const item: DraftPart = {
      id: draft.ids.items.make(String(built.block['id']), name),
      ...(path !== undefined && { path }),
    }
    draft.origins.note(item, node ?? built.node)
    const way = node && readWay(node, draft)
    if (way) branches.push({ origin: item, way, label: name })
    return item
  })
  built.block['items'] = draft.origins.note(items, built.node)
  return { ...built, branches: [...built.branches, ...branches] }
}
