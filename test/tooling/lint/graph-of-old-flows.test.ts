import { describe, expect, it } from 'vitest'
import { bubble, edge, group, leaving, textInput } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { lintBy } from '../../support/lint.ts'

type Definition = Json

const codes = [
  'duplicate-id',
  'no-start',
  'dangling-edge',
  'missing-group',
  'unreachable-group',
  'endless-loop',
]

const told = (definition: Definition) =>
  codes.flatMap((code) => lintBy(code, definition)).map(({ code, pointer }) => `${code} ${pointer}`)

const start = { id: 's', type: 'start', label: 'Start' }

describe('findings about a graph', () => {
  it.each<[string, Definition, string[]]>([
    [
      'a bubble that leads to itself',
      { groups: [group('g1', leaving(bubble('a'), 'e'))], edges: [edge('e', 'g1')] },
      ['endless-loop /groups/0/blocks/0'],
    ],
    [
      'nothing of a jump without a target, which falls through',
      {
        groups: [group('g1', leaving({ id: 'j', type: 'Jump' }, 'e'), textInput('i'))],
        edges: [edge('e', 'g1')],
      },
      [],
    ],
    [
      'nothing of an old start block in the middle of a group, which falls through',
      {
        version: '5',
        groups: [
          group('g1', leaving(start, 'e')),
          group('g2', bubble('a'), leaving({ ...start, id: 's2' }, 'e'), textInput('i')),
        ],
        edges: [edge('e', 'g2')],
      },
      [],
    ],
    [
      'where the first of two edges of one id leads',
      {
        groups: [group('g1', bubble('a'))],
        edges: [edge('e-start', 'g1'), edge('e', 'gone'), edge('e', 'g1')],
      },
      ['duplicate-id /edges/2/id', 'missing-group /edges/1/to/groupId'],
    ],
    [
      'a dangling start of an old version once',
      { version: '5', groups: [group('g1', leaving(start, 'gone'))], edges: [] },
      ['dangling-edge /groups/0/blocks/0/outgoingEdgeId'],
    ],
    [
      'dangling edges of events beside a start that leads nowhere',
      {
        groups: [],
        events: [
          { id: 's', type: 'start' },
          { id: 'c', type: 'command', outgoingEdgeId: 'gone' },
        ],
      },
      ['no-start /events/0', 'dangling-edge /events/1/outgoingEdgeId'],
    ],
  ])('is %s', (_, definition, expected) => {
    expect(told(definition)).toEqual(expected)
  })
})
