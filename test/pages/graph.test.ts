import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Definition, TraceTurn } from '../../client/client.ts'
import { readTraversal, shortNumbers } from '../../pages/try/graph/traversal.ts'
import { begin, boundsOf, fitTo, reveal, visibleParts, zoom } from '../../pages/try/graph/viewport.ts'
import { nextBlock } from '../../pages/try/graph/walk-by-keys.ts'
import { readParts } from '../../pages/try/state/flow-parts.ts'
import { curveOf, type GraphModel, readGraph } from '../../src/tooling/flow-graph/graph-model.ts'
import { placeNodes } from '../../src/tooling/flow-graph/place-nodes.ts'
import { chainOfGroups } from './chain-of-groups.ts'

const flows = join(import.meta.dirname, '../../flows')
const samples = readdirSync(flows).filter((name) => name.endsWith('.json'))
const window = { width: 800, height: 600 }

const graphOf = (definition: unknown): GraphModel =>
  readGraph(definition as Definition, readParts(definition as Definition).blocks)

describe('the graph of a flow', () => {
  it.each(samples)('has every group, event and edge of %s', (file) => {
    const definition = JSON.parse(readFileSync(join(flows, file), 'utf8'))
    const graph = graphOf(definition)
    const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).sort()
    expect([...graph.nodes.keys()].sort()).toEqual(ids([...definition.groups, ...(definition.events ?? [])]))
    expect(ids(graph.edges)).toEqual(ids(definition.edges))
    expect(graph.edges.every((edge) => curveOf(edge, graph) !== undefined)).toBe(true)
  })

  it('lets an edge begin at the row of its item, and end at the row of its block', () => {
    const graph = graphOf({
      groups: [
        {
          id: 'g',
          blocks: [
            { id: 't', type: 'text' },
            { id: 'c', type: 'choice input', items: [{ id: 'a', content: 'A', outgoingEdgeId: 'e' }] },
          ],
        },
      ],
      edges: [{ id: 'e', from: { blockId: 'c', itemId: 'a' }, to: { groupId: 'g', blockId: 'c' } }],
    })
    const rows = graph.nodes.get('g')?.rows.map(({ kind, text, y, height }) => [kind, text, y + height / 2])
    expect(rows?.map(([kind, text]) => [kind, text])).toEqual([
      ['block', 'text'],
      ['block', 'choice input'],
      ['item', 'A'],
    ])
    expect(graph.edges).toMatchObject([{ from: { y: rows?.[2]?.[2] }, to: { y: rows?.[1]?.[2] } }])
  })

  it('has the words of a text as they read, whatever they are made of', () => {
    const link = { type: 'a', url: 'https://example.org', children: [{ text: 'here' }] }
    const richText = [
      { type: 'p', children: [{ text: 'Hi' }, { text: ', look ' }, link, { text: '.' }] },
      { type: 'p', children: [{ text: 'Bye.' }] },
    ]
    const graph = graphOf({
      groups: [{ id: 'g', blocks: [{ id: 't', type: 'text', content: { richText } }] }],
    })
    expect(graph.nodes.get('g')?.rows.map(({ text }) => text)).toEqual(['Hi, look here. Bye.'])
  })

  it('is read from any JSON', () => {
    const part = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom('g', 'b', 'e', '<script>alert(1)</script>'),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(
          fc.constantFrom(
            'groups',
            'blocks',
            'edges',
            'events',
            'items',
            'paths',
            'id',
            'to',
            'type',
            'options',
            'graphCoordinates',
            'outgoingEdgeId',
            'groupId',
            'content',
            'x',
            'y',
          ),
          tie('value'),
        ),
      ),
    })).value
    fc.assert(
      fc.property(part, part, part, (groups, edges, events) => {
        const graph = graphOf({ groups, edges, events })
        for (const edge of graph.edges) curveOf(edge, graph)
        const { nodes } = placeNodes(graph)
        visibleParts(graph, fitTo(boundsOf(nodes.values()), window), window)
        for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) nextBlock(graph, 'b', key)
      }),
    )
  })

  it('stands where its author put it, and beside each other where nobody did', () => {
    const placed = graphOf(chainOfGroups(9))
    expect(placeNodes(placed)).toBe(placed)
    const { groups, ...rest } = chainOfGroups(9)
    const bare = graphOf({ ...rest, groups: groups.map(({ graphCoordinates, ...group }) => group) })
    const { nodes } = placeNodes(bare)
    const all = [...nodes.values()]
    const overlap = all.some((one, at) =>
      all
        .slice(at + 1)
        .some(
          (other) =>
            one.x < other.x + other.width &&
            other.x < one.x + one.width &&
            one.y < other.y + other.height &&
            other.y < one.y + one.height,
        ),
    )
    expect(overlap).toBe(false)
  })

  it('begins where the flow does: what only a jump leads to stands behind', () => {
    const { nodes } = placeNodes(
      graphOf({
        events: [{ id: 's', type: 'start', outgoingEdgeId: 'e0' }],
        groups: [
          { id: 'aside', blocks: [{ id: 'x', type: 'text', outgoingEdgeId: 'e2' }] },
          { id: 'first', blocks: [{ id: 'a', type: 'text', outgoingEdgeId: 'e1' }] },
          { id: 'second', blocks: [{ id: 'b', type: 'text' }] },
        ],
        edges: [
          { id: 'e0', to: { groupId: 'first' } },
          { id: 'e1', to: { groupId: 'second' } },
          { id: 'e2', to: { groupId: 'second' } },
        ],
      }),
    )
    const byPlace = [...nodes.values()].sort((one, other) => one.x - other.x).map(({ id }) => id)
    expect(byPlace).toEqual(['s', 'first', 'second', 'aside'])
  })
})

describe('the window on a graph', () => {
  const graph = graphOf(chainOfGroups(500))
  const bounds = boundsOf(graph.nodes.values())

  it('holds the place that is zoomed at', () => {
    const viewport = { x: 30, y: -40, scale: 0.8 }
    const point = { x: 200, y: 100 }
    const at = ({ x, y, scale }: typeof viewport) => [(point.x - x) / scale, (point.y - y) / scale]
    for (const factor of [2, 0.5, 1e9, 1e-9])
      at(zoom(viewport, factor, point)).forEach((place, axis) => {
        expect(place).toBeCloseTo(at(viewport)[axis] as number, 6)
      })
  })

  it('draws what is in sight alone, and all of it from afar', () => {
    const near = visibleParts(graph, begin(bounds, graph.nodes.get('g7'), window), window)
    expect(near.nodes.map(({ id }) => id)).toContain('g7')
    expect(near.nodes.length).toBeLessThan(60)
    expect(visibleParts(graph, fitTo(bounds, window), window).nodes).toHaveLength(501)
  })

  it('draws no more than a page bears', () => {
    const large = graphOf(chainOfGroups(5_000))
    const { nodes, edges } = visibleParts(large, fitTo(boundsOf(large.nodes.values()), window), window)
    expect(nodes.length).toBeLessThanOrEqual(800)
    expect(edges.length).toBeLessThanOrEqual(1_600)
  })

  it('moves to what is to be seen, unless it is in sight', () => {
    const viewport = begin(bounds, graph.nodes.get('g0'), window)
    expect(reveal(viewport, graph.nodes.get('g0') as never, window)).toBe(viewport)
    const moved = reveal(viewport, graph.nodes.get('g499') as never, window)
    expect(visibleParts(graph, moved, window).nodes.map(({ id }) => id)).toContain('g499')
  })
})

describe('the way that a conversation took', () => {
  const hop = (edgeId?: string) => ({ why: 'own edge', ...(edgeId && { edgeId }) })
  const step = (blockId: string, ...edges: string[]) => ({ block: { blockId }, went: edges.map(hop) })

  it('is numbered along its edges', () => {
    const turns = [
      { came: [hop('e0')], steps: [step('b0', 'e1'), step('b1', 'e2')] },
      { came: [], steps: [step('b1', 'e2')] },
    ] as unknown as TraceTurn[]
    const { edges, blocks } = readTraversal(turns)
    expect(Object.fromEntries(edges)).toEqual({ e0: [1], e1: [2], e2: [3, 4] })
    expect([...blocks]).toEqual(['b0', 'b1'])
  })

  it.each([
    [[1], '1'],
    [[1, 4, 9], '1, 4, 9'],
    [[1, 2, 3, 4, 5], '1, 2 … 5'],
  ])('shows the numbers %j as “%s”', (numbers, shown) => {
    expect(shortNumbers(numbers)).toBe(shown)
  })
})

describe('keys', () => {
  const graph = graphOf(chainOfGroups(3))

  it.each([
    ['ArrowDown', 'b0-0', 'b0-1'],
    ['ArrowDown', 'b0-2', undefined],
    ['ArrowUp', 'b0-1', 'b0-0'],
    ['ArrowRight', 'b0-2', 'b1-0'],
    ['ArrowLeft', 'b1-0', 'b0-2'],
    ['Enter', 'b1-0', 'b1-0'],
  ])('%s leads from %s to %s', (key, from, to) => {
    expect(nextBlock(graph, from, key)).toBe(to)
  })
})
