import { FlowDefinition } from '../../../schemas/flow.ts'
import { slug } from '../yaml-text/identifiers.ts'
import { readNodes } from '../yaml-text/read-nodes.ts'
import {
  at,
  type Entry,
  type FormProblem,
  isNull,
  type ListNode,
  type MapNode,
  type Node,
  nameOf,
  type Span,
  scalarText,
} from '../yaml-text/yaml-nodes.ts'
import { readEvents, readVariables } from './declarations.ts'
import { type Declaration, Draft, type DraftPart, type NameUse } from './draft.ts'
import { compileSteps } from './steps.ts'
import { jsonOfNode, refuseOthers, type Shape, shapeAt, textAt } from './values.ts'

/** A flow in YAML, compiled (docs/yaml.md). */
interface YamlFlow {
  /** The definition, which nothing has checked yet; of a text with problems as far as it is understood. */
  readonly definition: unknown
  /** Reasons for which the text is no flow. */
  readonly problems: readonly FormProblem[]
  /** The part of the text that the target of a JSON pointer into the definition comes from. */
  spanOf(pointer: string): Span
  /** Where the text names variables and groups, but for placeholders. */
  readonly uses: readonly NameUse[]
  readonly declarations: readonly Declaration[]
}

const flowShape = FlowDefinition as unknown as Shape

/** Parts that stand as they do in JSON. */
const plainKeys = [
  ...['name', 'publicId', 'isClosed', 'isArchived', 'updatedAt', 'workspaceId'],
  ...['settings', 'theme', 'localizations'],
]
const knownKeys = [
  'flow',
  'groups',
  'variables',
  'start',
  'events',
  'edges',
  'version',
  '$schema',
  ...plainKeys,
]

const versionsWithoutEvents = ['3', '4', '5']

/** Compiles a flow. Never throws, and gives the same for the same text. */
export function compileYamlFlow(text: string): YamlFlow {
  const read = readNodes(text)
  const whole = { start: 0, end: text.length }
  if ('problems' in read) return refused(read.problems, whole)
  const { root } = read
  if (root.kind !== 'map') {
    const message = `a flow is a map with "flow" and "groups", and not ${nameOf(root)}`
    return refused([{ ...spanOf(root), message }], whole)
  }
  const draft = new Draft(writtenIds(root))
  const definition = compileRoot(root, draft)
  return {
    definition,
    problems: draft.problems,
    spanOf: (pointer) => draft.origins.spanOf(definition, pointer),
    uses: draft.uses,
    declarations: draft.declarations,
  }
}

function refused(problems: YamlFlow['problems'], whole: Span): YamlFlow {
  return { definition: undefined, problems, spanOf: () => whole, uses: [], declarations: [] }
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })

function compileRoot(root: MapNode, draft: Draft): DraftPart {
  refuseOthers(root, knownKeys, draft)
  const id = textAt(root, 'flow', draft)
  if (!at(root, 'flow')) draft.report(firstOf(root), 'the id of the flow is missing: flow: my-flow')
  const version = textAt(root, 'version', draft) ?? '6.1'
  const variables = readVariables(at(root, 'variables'), draft)
  const headings = readHeadings(root, draft)
  const plain = plainKeys.flatMap((key) => {
    const node = at(root, key)
    return node ? [[key, jsonOfNode(node, shapeAt(flowShape, key), draft)] as const] : []
  })
  const [first] = headings
  const hasEvents = !versionsWithoutEvents.includes(version)
  if (!hasEvents && at(root, 'start'))
    draft.report(
      at(root, 'start') as Node,
      `version ${version} starts at the first step of the first group: begin it with "start:"`,
    )
  const events = hasEvents ? readEvents(root, first && { groupId: first.id }, draft) : undefined
  for (const heading of headings) compileGroup(heading, draft)
  const rawEdges = at(root, 'edges')
  const written = rawEdges ? jsonOfNode(rawEdges, shapeAt(flowShape, 'edges'), draft) : []
  const definition = {
    version,
    id: id ?? '',
    ...Object.fromEntries(plain),
    variables,
    ...(events && { events }),
    groups: draft.groups,
    edges: Array.isArray(written) ? [...draft.edges, ...written] : written,
  }
  const places = Object.fromEntries([...root.entries].map(([key, { value }]) => [key, value]))
  return draft.origins.note(definition, firstOf(root), { ...places, id: at(root, 'flow') })
}

/** The whole text would hide where something is. */
const firstOf = (root: MapNode): Span => [...root.entries.values()][0]?.key ?? root

interface Heading {
  readonly id: string
  readonly title: string
  readonly entry: Entry
  readonly details: MapNode | undefined
}

const groupKeys = ['steps', 'id', 'title', 'lint']

/** The groups by their names, before anything leads there. */
function readHeadings(root: MapNode, draft: Draft): readonly Heading[] {
  const node = at(root, 'groups')
  if (node?.kind !== 'map') {
    draft.report(node ?? firstOf(root), '"groups" is a map, by title the steps of each group')
    return []
  }
  return [...node.entries].map(([key, entry]) => {
    const details = entry.value.kind === 'map' ? entry.value : undefined
    if (details) refuseOthers(details, groupKeys, draft)
    const id =
      (details && textAt(details, 'id', draft)) ?? draft.ids.groups.make(slug(key, { otherwise: 'group' }))
    const title = (details && textAt(details, 'title', draft)) ?? key
    const written = {
      key: entry.key,
      id: details && at(details, 'id'),
      name: details && at(details, 'title'),
    }
    draft.declare({ kind: 'group', key, id, name: title, at: written })
    return { id, title, entry, details }
  })
}

function compileGroup({ id, title, entry, details }: Heading, draft: Draft): void {
  const steps = details ? at(details, 'steps') : entry.value
  const lint = details && at(details, 'lint')
  const blocks: DraftPart[] = draft.origins.note([], steps ?? entry.key)
  const group = { id, title, blocks, ...(lint && { lint: jsonOfNode(lint, undefined, draft) }) }
  draft.groups.push(draft.origins.note(group, entry.key, { blocks: steps }))
  if (steps?.kind === 'list') compileSteps(steps, group, undefined, draft)
  else if (!steps || !isNull(steps))
    draft.report(
      steps ?? entry.key,
      `the steps of a group are a list, and not ${steps ? nameOf(steps) : 'left out'}`,
    )
}

/** Ids that stand anywhere in the text: none of them is given to something else. */
function writtenIds(node: Node): string[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return listedIds(node)
  return [...node.entries].flatMap(([key, { value }]) =>
    key === 'id' ? (scalarText(value) ?? []) : writtenIds(value),
  )
}

const listedIds = (list: ListNode) => list.items.flatMap(writtenIds)
