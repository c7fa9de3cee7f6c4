import { at, isNull, type ListNode, type Node } from '../yaml-text/yaml-nodes.ts'
import { buildStep } from './build-step.ts'
import type { Draft, DraftPart, EdgeTarget } from './draft.ts'
import type { Built } from './read-way.ts'
import { type Branch, readTarget, type Way } from './read-way.ts'
import { refuseOthers } from './values.ts'

interface Group {
  readonly id: string
  readonly title: string
  readonly blocks: DraftPart[]
}

/** How a list of steps ends. */
interface End {
  readonly target: EdgeTarget | undefined
  readonly node: Node
}

/** Compiles steps into the blocks of a group, and those of their own ways into groups behind it. */
export function compileSteps(
  list: ListNode,
  group: Group,
  after: EdgeTarget | undefined,
  draft: Draft,
): void {
  const { steps, end } = withoutEnd(list, after, draft)
  const built = steps.flatMap((step) => buildStep(step, group.id, draft))
  if (built.length === 0 && end.target) built.push(jumpTo(end.target, group, end.node, draft))
  built.forEach(({ block }) => {
    group.blocks.push(block)
  })
  for (const [index, step] of built.entries()) {
    const next = built[index + 1]
    const below = next ? { groupId: group.id, blockId: String(next.block['id']) } : end.target
    for (const branch of step.branches) follow(branch, { group, rejoin: step.to ?? below }, draft)
    if (step.to) draft.connect(step.block, step.to, step.node)
    const isOpen = !next && !step.leaves && step.block['outgoingEdgeId'] === undefined
    if (isOpen && end.target) draft.connect(step.block, end.target, end.node)
  }
}

/** Tells the steps from the word behind them that says where they lead. */
function withoutEnd(
  list: ListNode,
  after: EdgeTarget | undefined,
  draft: Draft,
): { readonly steps: readonly Node[]; readonly end: End } {
  const ends = list.items.findIndex((item) => endingKey(item) !== undefined)
  if (ends === -1) return { steps: list.items, end: { target: after, node: list } }
  const node = list.items[ends] as Node & { kind: 'map' }
  const following = list.items[ends + 1]
  const key = endingKey(node) as 'go' | 'end'
  if (following) draft.report(following, `nothing runs behind "${key}": write it as the last step`)
  refuseOthers(node, [key], draft)
  const to = at(node, key) as Node
  return {
    steps: list.items.slice(0, ends),
    end: { target: key === 'go' ? readTarget(to, draft) : undefined, node },
  }
}

function endingKey(node: Node): 'go' | 'end' | undefined {
  const [first] = node.kind === 'map' ? node.entries.keys() : []
  return first === 'go' || first === 'end' ? first : undefined
}

/** A group that does nothing but lead on. */
function jumpTo(target: EdgeTarget, group: Group, node: Node, draft: Draft): Built {
  const id = draft.ids.blocks.make(group.id, 'go')
  const options = draft.origins.note({ ...target }, node)
  const block = draft.origins.note({ id, type: 'Jump', options }, node)
  return { block, branches: [], leaves: true, to: undefined, node }
}

interface Surroundings {
  readonly group: Pick<Group, 'title'>
  /** Where steps of a way go on. */
  readonly rejoin: EdgeTarget | undefined
}

function follow(branch: Branch, { group, rejoin }: Surroundings, draft: Draft): void {
  const { origin, others = [], label, endsWithoutEdge = false } = branch
  const connect = (target: EdgeTarget, node: Node) => {
    for (const each of [origin, ...others]) draft.connect(each, target, node)
  }
  const way = shortened(branch.way, draft)
  if (way === 'end' && endsWithoutEdge) return
  if (way !== 'end' && way.kind === 'target') {
    connect(way.target, way.node)
    return
  }
  const node = branch.way.node as ListNode
  if (node.items.length === 0) {
    if (rejoin) connect(rejoin, node)
    return
  }
  const id = draft.ids.groups.make(String(origin['id']))
  const title = `${group.title} › ${label}`.slice(0, 200).toWellFormed()
  const blocks = draft.origins.note([] as DraftPart[], node)
  const inside = draft.origins.note({ id, title, blocks }, node)
  draft.groups.push(inside)
  connect({ groupId: id }, node)
  compileSteps(node, inside, rejoin, draft)
}

/** A way whose only step is a word that says where it leads. */
function shortened(way: Way, draft: Draft): Way | 'end' {
  if (way.kind === 'target' || way.node.items.length !== 1) return way
  const [only] = way.node.items as readonly [Node]
  const key = endingKey(only)
  if (key === 'end') return 'end'
  if (key !== 'go' || only.kind !== 'map') return way
  const node = at(only, 'go') as Node
  const target = isNull(node) ? undefined : readTarget(node, draft)
  return target ? { kind: 'target', target, node } : way
}
