import { expect, it } from 'vitest'
import { bubble, edge, group, leaving, textInput, variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { modelOf } from '../../support/lint.ts'

/** The ids of the blocks that may come after each block. */
function waysIn(definition: Json): Record<string, string[]> {
  const { blocks, graph } = modelOf(definition)
  return Object.fromEntries(
    blocks.map(({ compiled }) => [compiled.id, graph.next(compiled).map(({ id }) => id)]),
  )
}

const jump = (id: string, groupId: string) => ({ id, type: 'Jump', options: { groupId } })

it('leads along items, paths of cards, edges and down the group', () => {
  const items = [{ id: 'i', outgoingEdgeId: 'e2', paths: [{ id: 'p', outgoingEdgeId: 'e3' }] }]
  const definition = {
    groups: [
      group('g1', bubble('a'), { id: 'c', type: 'cards', items }, leaving(textInput('t'), 'e3'), bubble('z')),
      group('g2', bubble('b')),
      group('g3', bubble('d')),
    ],
    edges: [edge('e2', 'g2'), edge('e3', 'g3')],
  }
  expect(waysIn(definition)).toEqual({ a: ['c'], c: ['b', 'd', 't'], t: ['d'], z: [], b: [], d: [] })
})

it('leads behind jumps where something returns, and to every group by a title', () => {
  const groups = [
    group('g1', jump('j', 'g2'), bubble('a')),
    group('g2', bubble('b'), { id: 'r', type: 'Return' }),
    group('g3', jump('k', '{{A}}')),
  ]
  expect(waysIn({ groups, variables: [variable('A')] })).toMatchObject({
    j: ['b', 'a'],
    r: expect.arrayContaining(['a']),
    k: ['j', 'b', 'k'],
  })
})

it('has not many more ways than blocks, however many return or jump by title', () => {
  const blocks = Array.from({ length: 300 }, (_, index) => [
    jump(`j${index}`, '{{A}}'),
    { id: `r${index}`, type: 'Return' },
  ]).flat()
  const groups = [
    group('g0', ...blocks),
    ...blocks.map((_, index) => group(`g${index + 1}`, bubble(`b${index}`))),
  ]
  const ways = Object.values(waysIn({ groups, variables: [variable('A')] })).flat()
  expect(ways.length).toBeLessThan(5 * blocks.length)
})
