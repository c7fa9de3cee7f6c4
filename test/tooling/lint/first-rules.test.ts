import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sentenceOf } from '../../../src/tooling/lint/finding.ts'
import { bubble, edge, group, leaving } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { lintBy } from '../../support/lint.ts'

const codes = [
  'duplicate-id',
  'dangling-edge',
  'missing-group',
  'missing-block',
  'unknown-block-type',
  'no-start',
  'unreachable-group',
  'endless-loop',
  'duplicate-variable-name',
  'unknown-variable',
  'invalid-option',
  'invalid-pattern',
  'not-available',
  'invalid-code',
  'head-code-too-long',
]
const findingsOf = (definition: Json) => codes.flatMap((code) => lintBy(code, definition))

/** The findings of a definition, without their hints. */
const told = (definition: Json) =>
  findingsOf(definition).map(({ code, severity, pointer, blockId }) =>
    [severity, code, pointer, blockId].filter(Boolean).join(' '),
  )

const sets = (id: string, options: Json) => ({ id, type: 'Set variable', options })
const decides = (id: string, ...items: Json[]) => ({
  id,
  type: 'Condition',
  items: items.map((item, index) => ({ id: `${id}-${index}`, ...item })),
})
const variables = [{ id: 'v', name: 'V' }]

describe('a flow without a fault', () => {
  it('has no findings', () => {
    const definition = {
      variables,
      groups: [
        group('g1', bubble('a', '{{V}}'), leaving(decides('c', { outgoingEdgeId: 'e' }), 'e')),
        group('g2', bubble('b')),
      ],
      edges: [edge('e', 'g2', 'b')],
    }
    expect(findingsOf(definition)).toEqual([])
  })

  const folder = join(import.meta.dirname, '../../../flows')

  it.each(readdirSync(folder).filter((name) => name.endsWith('.json')))('has no findings: %s', (file) => {
    expect(findingsOf(JSON.parse(readFileSync(join(folder, file), 'utf8')))).toEqual([])
  })
})

describe('findings about the graph', () => {
  it('is an edge that nothing carries: of a block', () => {
    expect(findingsOf({ blocks: [bubble('a'), leaving(bubble('b'), 'gone')] })).toMatchObject([
      {
        code: 'dangling-edge',
        severity: 'error',
        pointer: '/groups/0/blocks/1/outgoingEdgeId',
        blockId: 'b',
        message: 'No edge has the id "gone": the path ends here.',
      },
    ])
  })

  it('is an edge that nothing carries: of an item', () => {
    const definition = {
      blocks: [decides('c', { outgoingEdgeId: 'e' }, { outgoingEdgeId: 'gone' }, {})],
      edges: [edge('e', 'g1')],
    }
    expect(findingsOf(definition)).toMatchObject([
      {
        code: 'dangling-edge',
        severity: 'error',
        pointer: '/groups/0/blocks/0/items/1/outgoingEdgeId',
        blockId: 'c',
        message: 'No edge has the id "gone" that an item names.',
      },
    ])
  })

  it('is an edge that nothing carries: of an event', () => {
    const events = [
      { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
      { id: 'idle', type: 'command' },
      { id: 'help', type: 'command', outgoingEdgeId: 'gone' },
    ]
    expect(told({ blocks: [bubble('a')], events })).toEqual(['error dangling-edge /events/2/outgoingEdgeId'])
    const lost = [{ id: 'start', type: 'start', outgoingEdgeId: 'lost' }]
    expect(told({ blocks: [bubble('a')], events: lost })).toEqual([
      'error dangling-edge /events/0/outgoingEdgeId',
    ])
  })

  it('is an edge that nothing carries: of the first block of an old flow, where it starts', () => {
    const start = { id: 's', type: 'start', label: 'Start', outgoingEdgeId: 'gone' }
    const pointers = findingsOf({ version: '5', groups: [group('g1', start)] }).map(({ pointer }) => pointer)
    expect([...new Set(pointers)]).toEqual(['/groups/0/blocks/0/outgoingEdgeId'])
  })

  it('is an edge to a missing group', () => {
    const definition = { blocks: [leaving(bubble('a'), 'e')], edges: [edge('e', 'gone')] }
    expect(findingsOf(definition)).toMatchObject([
      {
        code: 'missing-group',
        severity: 'error',
        pointer: '/edges/1/to/groupId',
        message: 'No group has the id "gone".',
      },
    ])
  })

  it('is an edge to a block that is not in its group', () => {
    const definition = {
      groups: [group('g1', leaving(bubble('a'), 'e')), group('g2', bubble('b'))],
      edges: [edge('e', 'g2', 'a')],
    }
    expect(findingsOf(definition)).toMatchObject([
      {
        code: 'missing-block',
        severity: 'error',
        pointer: '/edges/1/to/blockId',
        message: 'Block "a" is not in group "g2", which runs from its top instead.',
      },
    ])
  })

  it('is a start that leads nowhere, at its event or at the groups of an old flow', () => {
    const groups = [group('g1')]
    const events = [{ id: 'start', type: 'start' }]
    expect(told({ events, groups: [] })).toEqual(['warning no-start /events/0'])
    expect(told({ version: '5', groups })).toEqual(['warning no-start /groups'])
  })

  it('is head code that is too long to be inspected', () => {
    const withHead = (customHeadCode: string) => ({
      blocks: [bubble('a')],
      settings: { metadata: { customHeadCode } },
    })
    expect(told(withHead('x'.repeat(8 * 1024)))).toEqual([])
    expect(told(withHead('x'.repeat(8 * 1024 + 1)))).toEqual([
      'error head-code-too-long /settings/metadata/customHeadCode',
    ])
  })

  it('is a group that nothing leads to', () => {
    const definition = {
      groups: [group('g1', bubble('a')), { id: 'g2', blocks: [] }, group('g3', bubble('c'))],
    }
    expect(findingsOf(definition)).toMatchObject([
      {
        code: 'unreachable-group',
        severity: 'warning',
        pointer: '/groups/1',
        message: 'Nothing leads to group "g2".',
      },
      {
        code: 'unreachable-group',
        severity: 'warning',
        pointer: '/groups/2',
        message: 'Nothing leads to group "G3".',
      },
    ])
  })

  it('is the first group too, when the start leads elsewhere', () => {
    const groups = [group('g1', bubble('a')), group('g2', bubble('b'))]
    expect(told({ groups, edges: [edge('e-start', 'g2')] })).toEqual(['warning unreachable-group /groups/0'])
  })

  it('is no group that an edge, a jump or a link leads to, nor the first of an old flow', () => {
    const named = (type: string, groupId: string) => ({ id: type, type, options: { groupId } })
    const groups = [
      group('g1', leaving(named('Jump', 'g2'), 'e1'), named('Flow link', 'g3')),
      group('g2', bubble('b')),
      group('g3', bubble('c')),
      group('g4', bubble('d')),
      group('g5'),
    ]
    const edges = [edge('e1', 'g4'), edge('e2', 'g5')]
    expect(told({ groups, edges })).toEqual([])
    expect(
      told({
        version: '5',
        groups: [group('g1', leaving({ id: 's', type: 'start', label: 'Start' }, 'e')), group('g2')],
        edges: [edge('e', 'g2')],
      }),
    ).toEqual([])
  })

  it('is no group at all when a jump is by title', () => {
    const jump = (groupId: string) => ({ id: 'j', type: 'Jump', options: { groupId } })
    const groups = (groupId: string) => [group('g1', jump(groupId)), group('g2', bubble('b'))]
    expect(told({ variables, groups: groups('{{V}}') })).toEqual([])
    expect(told({ variables, groups: groups('g1') })).toContain('warning unreachable-group /groups/1')
  })
})

describe('an endless loop', () => {
  const pass = (id: string) => ({ id, type: 'Return' })
  const hologram = (id: string) => ({ id, type: 'hologram' })
  const loops = (...groups: Json[]) =>
    told({ groups, edges: [edge('e1', 'g1'), edge('e2', 'g2'), edge('e3', 'g3')] }).filter((line) =>
      line.includes('endless-loop'),
    )
  const redirect = (id: string) => ({ id, type: 'Redirect' })

  it('is reported once, at the block where it closes', () => {
    const groups = [
      group('g1', leaving(redirect('in'), 'e2')),
      group('g2', redirect('a'), leaving(redirect('b'), 'e3')),
      group('g3', leaving(redirect('c'), 'e2')),
    ]
    const definition = { groups, edges: [edge('e2', 'g2'), edge('e3', 'g3')] }
    expect(findingsOf(definition)).toMatchObject([
      {
        code: 'endless-loop',
        severity: 'error',
        pointer: '/groups/1/blocks/0',
        blockId: 'a',
        message:
          'From here the flow comes back here without ever asking or deciding anything: it never ends.',
      },
    ])
  })

  it('is reported for each of several', () => {
    expect(
      loops(group('g1', leaving(redirect('a'), 'e1')), group('g2', leaving(redirect('b'), 'e2'))),
    ).toEqual(['error endless-loop /groups/0/blocks/0 a', 'error endless-loop /groups/1/blocks/0 b'])
  })

  it('goes along the edge of a block that does not fall through, and below one of an unknown type', () => {
    expect(loops(group('g1', leaving(redirect('a'), 'e1'), bubble('never')))).toHaveLength(1)
    expect(loops(group('g1', leaving(hologram('a'), 'e1'), bubble('below')))).toEqual([])
    expect(loops(group('g1', leaving(hologram('a'), 'e1')))).toHaveLength(1)
  })

  it.each([
    ['an input asks', { id: 'x', type: 'text input' }],
    ['a condition decides', decides('x')],
    ['a wait pauses', { id: 'x', type: 'Wait', options: { secondsToWaitFor: '1', shouldPause: true } }],
    ['a return may leave', pass('x')],
    ['a jump leads nowhere', { id: 'x', type: 'Jump', options: { groupId: 'gone' } }],
  ])('is none where %s', (_, block) => {
    expect(loops(group('g1', redirect('a'), block, leaving(redirect('b'), 'e1')))).toEqual([])
  })

  it('is none where a path ends, or leads nowhere', () => {
    expect(loops(group('g1', redirect('a'), redirect('b')))).toEqual([])
    expect(loops(group('g1', leaving(redirect('a'), 'e2')), group('g2'))).toEqual([])
    expect(loops(group('g1', leaving(redirect('a'), 'gone')))).toEqual([])
  })
})

describe('findings about names', () => {
  it('is an id that is taken: of groups, edges, events, variables and blocks', () => {
    const definition = {
      groups: [group('g1', bubble('a'), bubble('a')), group('g1', bubble('a'))],
      edges: [edge('e', 'g1'), edge('e', 'g1')],
      events: [
        { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
        { id: 'start', type: 'command' },
      ],
      variables: [...variables, { id: 'v', name: 'W' }],
    }
    expect(told(definition)).toEqual([
      'error duplicate-id /groups/1/id',
      'error duplicate-id /edges/2/id',
      'error duplicate-id /events/1/id',
      'error duplicate-id /variables/1/id',
      'error duplicate-id /groups/0/blocks/1/id a',
      'error duplicate-id /groups/1/blocks/0/id a',
    ])
    const [first] = findingsOf(definition)
    expect(first && sentenceOf(first)).toBe(
      'The id "g1" is taken by an earlier one, which wins. Give this one its own.',
    )
  })

  it('is no id that different kinds of things share', () => {
    const events = [{ id: 'e', type: 'start', outgoingEdgeId: 'e' }]
    const definition = {
      groups: [{ id: 'e', blocks: [bubble('e')] }],
      edges: [edge('e', 'e')],
      events,
      variables: [{ id: 'e', name: 'e' }],
    }
    expect(told(definition).filter((line) => line.includes('duplicate'))).toEqual([])
  })

  it('is a variable name that is taken', () => {
    const definition = {
      blocks: [bubble('a')],
      variables: [...variables, { id: 'w', name: 'W' }, { id: 'x', name: 'V' }],
    }
    expect(findingsOf(definition)).toMatchObject([
      {
        code: 'duplicate-variable-name',
        severity: 'warning',
        pointer: '/variables/2/name',
        message: 'Another variable is named "V" too; the first with a value is read.',
      },
    ])
  })

  it('is a placeholder that no variable answers to, once for each text', () => {
    expect(
      findingsOf({
        variables,
        blocks: [bubble('a'), { id: 'r', type: 'Redirect', options: { url: '{{V}}{{W}}{{W}}' } }],
      }),
    ).toMatchObject([
      {
        code: 'unknown-variable',
        severity: 'warning',
        pointer: '/groups/0/blocks/1/options/url',
        blockId: 'r',
        message: 'No variable is named "W": the placeholder stays empty. Declare it or correct the name.',
      },
    ])
  })

  it('is a placeholder beside inline code and texts', () => {
    const url = 'a{{= 1 + 1 =}}b{{V}}{{W}}'
    expect(told({ variables, blocks: [{ id: 'r', type: 'Redirect', options: { url } }] })).toEqual([
      'warning unknown-variable /groups/0/blocks/0/options/url r',
    ])
  })

  it('is ten placeholders of one text at most', () => {
    const url = Array.from({ length: 12 }, (_, index) => `{{N${index}}}`).join('')
    expect(findingsOf({ blocks: [{ id: 'r', type: 'Redirect', options: { url } }] })).toHaveLength(10)
  })

  it('is a variable to write that is not declared', () => {
    expect(
      told({ variables, blocks: [sets('a', { variableId: 'v' }), sets('s', { variableId: 'gone' })] }),
    ).toEqual(['warning unknown-variable /groups/0/blocks/1/options/variableId s'])
  })
})

describe('findings about a block', () => {
  const blockIn = (block: Json) => told({ variables, blocks: [block] })

  it('is a type that is unknown', () => {
    expect(findingsOf({ blocks: [{ id: 'h', type: 'hologram' }] })).toMatchObject([
      {
        code: 'unknown-block-type',
        severity: 'error',
        pointer: '/groups/0/blocks/0/type',
        blockId: 'h',
        message: 'The type "hologram" is unknown to this server: the block is skipped.',
      },
    ])
  })

  it('is code that is none', () => {
    const options = { variableId: 'v', isCode: true, expressionToEvaluate: '1 +' }
    expect(blockIn(sets('s', options))).toEqual([
      'warning invalid-code /groups/0/blocks/0/options/expressionToEvaluate s',
    ])
  })

  it('is nothing for code that only a sandbox runs', () => {
    const options = { variableId: 'v', isCode: true, expressionToEvaluate: 'while (true) {} return 1' }
    expect(blockIn(sets('s', options))).toEqual([])
  })

  it('has an action that does not run here', () => {
    expect(blockIn({ id: 'o', type: 'gmail', options: { action: 'Dance' } })).toEqual([
      'warning not-available /groups/0/blocks/0 o',
    ])
  })

  it('is an option that does not work', () => {
    expect(blockIn({ id: 'd', type: 'date input', options: { format: 'nope!n' } })).toEqual([
      'error invalid-option /groups/0/blocks/0/options/format d',
    ])
  })

  it('is a pattern that is none', () => {
    const comparison = { id: 'q', variableId: 'v', comparisonOperator: 'Matches regex', value: '/(/' }
    const block = decides('c', {}, { content: { comparisons: [{ id: 'p' }, comparison] } })
    expect(blockIn(block)).toEqual([
      'warning invalid-pattern /groups/0/blocks/0/items/1/content/comparisons/1/value c',
    ])
  })
})
