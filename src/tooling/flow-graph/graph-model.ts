import { asList, asName, asRecord, asText, type LooseJson } from './loose-json.ts'

/** Nodes and edges of a flow as they are drawn. Lengths are units of the drawing: pixels at a scale of 1. */
export interface GraphModel {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly edges: readonly GraphEdge[]
  /** Whether every node says where it stands. */
  readonly isPlaced: boolean
}

/** A group with its blocks, or an event. */
export interface GraphNode {
  readonly id: string
  readonly kind: 'group' | 'event'
  readonly title: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly rows: readonly GraphRow[]
  /** Blocks that are not drawn, as there are too many. */
  readonly hidden: number
}

/** A block, or an item of it that has a way of its own. */
export interface GraphRow {
  readonly kind: 'block' | 'item'
  readonly blockId: string
  readonly text: string
  readonly type: string
  /** From the top of the node. */
  readonly y: number
  readonly height: number
}

export interface GraphEdge {
  readonly id: string
  readonly from: Anchor
  readonly to: Anchor
}

/** Where an edge begins or ends: at a row of a node, or at its title. */
export interface Anchor {
  readonly nodeId: string
  readonly blockId: string | undefined
  /** From the top of the node. */
  readonly y: number
}

const size = { width: 260, title: 36, block: 28, item: 24, padding: 6, event: 140 } as const

/** A flow may have blocks without end, and a card of a thousand rows is of no use. */
const mostRows = 60

const longestText = 40

const cut = (text: string) => (text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text)

/** Reads the graph of a definition, of which nothing is certain. `labels` are the first words of blocks, by id. */
export function readGraph(
  definition: unknown,
  labels: ReadonlyMap<string, { readonly label: string }>,
): GraphModel {
  const { groups, events, edges } = asRecord(definition)
  const nodes = new Map<string, GraphNode>()
  const sources = new Map<string, Anchor>()
  const isPlaced = [...asList(groups), ...asList(events)].every((one) => placeOf(asRecord(one)) !== undefined)
  for (const event of asList(events)) addEvent(asRecord(event), nodes, sources)
  for (const group of asList(groups)) addGroup(asRecord(group), labels, nodes, sources)
  const drawn = new Map<string, GraphEdge>()
  for (const one of asList(edges)) {
    const { id, to } = asRecord(one)
    const from = sources.get(asName(id))
    const target = targetOf(asRecord(to), nodes)
    if (from && target) drawn.set(asName(id), { id: asName(id), from, to: target })
  }
  return { nodes, edges: [...drawn.values()], isPlaced }
}

function placeOf({ graphCoordinates }: LooseJson): { readonly x: number; readonly y: number } | undefined {
  const { x, y } = asRecord(graphCoordinates)
  return isPlace(x) && isPlace(y) ? { x, y } : undefined
}

const isPlace = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 1e6

function addEvent(event: LooseJson, nodes: Map<string, GraphNode>, sources: Map<string, Anchor>): void {
  const id = asName(event['id'])
  const command = asText(asRecord(event['options'])['command'])
  const title = cut(command === undefined ? asName(event['type']) : `${asName(event['type'])}: ${command}`)
  const place = placeOf(event) ?? { x: 0, y: 0 }
  nodes.set(id, {
    id,
    kind: 'event',
    title,
    ...place,
    width: size.event,
    height: size.title,
    rows: [],
    hidden: 0,
  })
  addSource(event, { nodeId: id, blockId: undefined, y: size.title / 2 }, sources)
}

function addGroup(
  group: LooseJson,
  labels: ReadonlyMap<string, { readonly label: string }>,
  nodes: Map<string, GraphNode>,
  sources: Map<string, Anchor>,
): void {
  const id = asName(group['id'])
  const rows: GraphRow[] = []
  let bottom: number = size.title
  let hidden = 0
  const add = (part: LooseJson, row: Omit<GraphRow, 'y' | 'height'>) => {
    const isShown = rows.length < mostRows
    const height = row.kind === 'block' ? size.block : size.item
    const y = isShown ? bottom : bottom - height
    addSource(part, { nodeId: id, blockId: row.blockId, y: y + height / 2 }, sources)
    if (!isShown) {
      hidden += row.kind === 'block' ? 1 : 0
      return
    }
    rows.push({ ...row, y, height })
    bottom += height
  }
  for (const one of asList(group['blocks'])) {
    const block = asRecord(one)
    const blockId = asName(block['id'])
    const type = asName(block['type'])
    add(block, { kind: 'block', blockId, type, text: cut(labels.get(blockId)?.label ?? type) })
    for (const [part, text] of waysOf(block)) add(part, { kind: 'item', blockId, type, text: cut(text) })
  }
  nodes.set(id, {
    id,
    kind: 'group',
    title: cut(asText(group['title']) || id),
    ...(placeOf(group) ?? { x: 0, y: 0 }),
    width: size.width,
    height: bottom + size.padding + (hidden > 0 ? size.item : 0),
    rows,
    hidden,
  })
}

/** The parts of a block that lead somewhere by themselves, with what they are called. */
function* waysOf(block: LooseJson): Generator<[LooseJson, string]> {
  for (const [at, one] of asList(block['items']).entries()) {
    const item = asRecord(one)
    const text = asText(item['content']) ?? asText(item['title']) ?? `${asName(block['type'])} ${at + 1}`
    if (item['outgoingEdgeId'] !== undefined) yield [item, text]
    for (const path of asList(item['paths'])) yield [asRecord(path), asText(asRecord(path)['text']) ?? text]
  }
}

function addSource(part: LooseJson, anchor: Anchor, sources: Map<string, Anchor>): void {
  const edgeId = asText(part['outgoingEdgeId'])
  if (edgeId !== undefined && !sources.has(edgeId)) sources.set(edgeId, anchor)
}

function targetOf(to: LooseJson, nodes: ReadonlyMap<string, GraphNode>): Anchor | undefined {
  const node = nodes.get(asName(to['groupId']))
  if (!node) return undefined
  const blockId = asText(to['blockId'])
  const row = node.rows.find((one) => one.kind === 'block' && one.blockId === blockId)
  return { nodeId: node.id, blockId, y: row ? row.y + row.height / 2 : size.title / 2 }
}

/** Where the row of a block lies in the drawing; undefined for one that is not drawn. */
export function placeOfBlock({ nodes }: GraphModel, blockId: string) {
  for (const { x, y, width, rows } of nodes.values()) {
    const row = rows.find((one) => one.blockId === blockId)
    if (row) return { x, y: y + row.y, width, height: row.height }
  }
  return undefined
}

interface Point {
  readonly x: number
  readonly y: number
}

interface Curve {
  /** As the attribute `d` of a path. */
  readonly path: string
  /** How far it bends out to the left and to the right at most. */
  readonly reach: { readonly left: number; readonly right: number }
  readonly middle: Point
  readonly end: Point
}

/** The curve of an edge, from the right side of a node to the left side of another. */
export function curveOf({ from, to }: GraphEdge, { nodes }: GraphModel): Curve | undefined {
  const start = pointAt(from, nodes, 'right')
  const end = pointAt(to, nodes, 'left')
  if (!start || !end) return undefined
  const isBack = end.x < start.x
  const bend = Math.max(40, Math.min(isBack ? 160 : 400, Math.abs(end.x - start.x) / 2))
  const path = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`
  const reach = { left: Math.min(start.x, end.x - bend), right: Math.max(end.x, start.x + bend) }
  return { path, reach, middle: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }, end }
}

function pointAt(
  { nodeId, y }: Anchor,
  nodes: GraphModel['nodes'],
  side: 'left' | 'right',
): Point | undefined {
  const node = nodes.get(nodeId)
  return node && { x: side === 'left' ? node.x : node.x + node.width, y: node.y + y }
}
