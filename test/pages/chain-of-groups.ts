/** A flow of groups in rows, each of which leads to the next one by its last block. */
export function chainOfGroups(count: number) {
  const groups = Array.from({ length: count }, (_, nth) => ({
    id: `g${nth}`,
    title: `Group ${nth}`,
    graphCoordinates: { x: (nth % 25) * 360, y: Math.floor(nth / 25) * 220 },
    blocks: [
      {
        id: `b${nth}-0`,
        type: 'text',
        content: { richText: [{ type: 'p', children: [{ text: `Part ${nth}` }] }] },
      },
      { id: `b${nth}-1`, type: 'Set variable', options: { variableId: 'v', expressionToEvaluate: `${nth}` } },
      {
        id: `b${nth}-2`,
        type: 'choice input',
        items: [{ id: `i${nth}`, content: 'On' }],
        ...(nth + 1 < count && { outgoingEdgeId: `e${nth}` }),
      },
    ],
  }))
  const edges = groups.slice(1).map(({ id }, nth) => ({
    id: `e${nth}`,
    from: { blockId: `b${nth}-2` },
    to: { groupId: id },
  }))
  return {
    version: '6.1',
    id: `chain-of-${count}`,
    events: [{ id: 'start', type: 'start', outgoingEdgeId: 'first', graphCoordinates: { x: -200, y: 0 } }],
    groups,
    edges: [{ id: 'first', from: { eventId: 'start' }, to: { groupId: 'g0' } }, ...edges],
    variables: [{ id: 'v', name: 'V' }],
  }
}
