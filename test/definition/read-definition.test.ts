import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../src/definition/read-definition.ts'
import type { Problem } from '../../src/lib/errors.ts'
import { ServiceError } from '../../src/lib/errors.ts'

const start = { id: 'start', type: 'start', outgoingEdgeId: 'e1' }
const textInput = { id: 'b1', type: 'text input', options: { isLong: false } }
const current = {
  version: '6.1',
  id: 'flow-1',
  events: [start],
  groups: [{ id: 'g1', title: 'Group 1', blocks: [textInput] }],
  edges: [{ id: 'e1', from: { eventId: 'start' }, to: { groupId: 'g1' } }],
  variables: [{ id: 'v1', name: 'Name', value: 'Ada' }],
  settings: { general: { isBrandingEnabled: false } },
  theme: { customCss: '' },
}
const old = {
  id: 'flow-1',
  groups: [
    {
      id: 'g0',
      title: 'Start',
      blocks: [{ id: 's', groupId: 'g0', type: 'start', label: 'Start', outgoingEdgeId: 'e1' }],
    },
    { id: 'g1', title: 'Group 1', graphCoordinates: { x: 1, y: 2 }, blocks: [textInput] },
  ],
  edges: [{ id: 'e1', from: { groupId: 'g0', blockId: 's' }, to: { groupId: 'g1' } }],
  variables: [],
  settings: {},
  theme: {},
}

function refusal(definition: unknown): readonly Problem[] {
  try {
    readDefinition(definition)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    expect(error).toMatchObject({ code: 'BAD_REQUEST', message: 'Input validation failed' })
    return error.problems ?? []
  }
  throw new Error('the definition was taken')
}

const withBlock = (block: unknown) => ({ ...current, groups: [{ id: 'g1', title: '', blocks: [block] }] })

describe('a definition that is right', () => {
  it('is returned with the very parts that were sent', () => {
    const flow = readDefinition(current)
    expect(flow).toEqual(current)
    for (const part of ['groups', 'events', 'edges', 'variables', 'settings', 'theme'] as const) {
      expect(flow[part]).toBe(current[part])
    }
  })

  it('gets empty lists and objects for what may be missing', () => {
    expect(readDefinition({ version: '6', id: 'f', groups: [], events: [start] })).toEqual({
      version: '6',
      id: 'f',
      groups: [],
      events: [start],
      edges: [],
      variables: [],
      settings: {},
      theme: {},
    })
  })

  it('may hold null for what is not set in any of its parts, and is not changed itself', () => {
    const unset = { isLong: false, labels: { placeholder: null }, variableId: null }
    const sent = {
      ...current,
      events: [{ ...start, graphCoordinates: null }],
      groups: [
        {
          ...current.groups[0],
          title: 'Group 1',
          blocks: [{ ...textInput, outgoingEdgeId: null, options: unset }],
        },
      ],
      edges: [{ ...current.edges[0], to: { groupId: 'g1', blockId: null } }],
      settings: { general: { isBrandingEnabled: false, rememberUser: null } },
      theme: { customCss: null },
    }
    const before = structuredClone(sent)
    expect(readDefinition(sent)).toEqual({
      ...current,
      groups: [{ ...current.groups[0], blocks: [{ ...textInput, options: { isLong: false, labels: {} } }] }],
      theme: {},
    })
    expect(sent).toEqual(before)
  })

  it('keeps what matters to a publication, and drops the rest', () => {
    const publication = {
      name: 'Welcome',
      publicId: 'welcome',
      isClosed: true,
      isArchived: false,
      updatedAt: '2026-11-21T09:17:01.712Z',
      workspaceId: 'w1',
    }
    const exported = {
      ...current,
      ...publication,
      icon: '🦊',
      folderId: null,
      customDomain: null,
      riskLevel: 3,
    }
    expect(readDefinition(exported)).toEqual({ ...current, ...publication })
  })

  it('may hold null, or a strange label, for what was never set', () => {
    const unset = { publicId: null, isClosed: null, isArchived: null, name: 7, updatedAt: 0, workspaceId: {} }
    expect(readDefinition({ ...current, ...unset })).toEqual(current)
  })

  it.each([
    ['a group without a title', { groups: [{ id: 'g1', blocks: [] }] }],
    ['an edge that comes from nowhere', { edges: [{ id: 'e1', to: { groupId: 'g1', blockId: 'b1' } }] }],
    [
      'an edge from a path',
      { edges: [{ id: 'e', from: { blockId: 'b', itemId: 'i', pathId: 'p' }, to: { groupId: 'g' } }] },
    ],
    [
      'ids that are not unique',
      { edges: [...current.edges, ...current.edges], groups: [...current.groups, ...current.groups] },
    ],
    [
      'a list of texts as a value',
      { variables: [{ id: 'v', name: 'n', value: ['a', null], isSessionVariable: true }] },
    ],
    ['null as a value', { variables: [{ id: 'v', name: 'n', value: null }] }],
    [
      'a command',
      { events: [start, { id: 'c', type: 'command', options: { command: 'x', resumeAfter: true } }] },
    ],
    [
      'replies',
      {
        events: [
          start,
          {
            id: 'r',
            type: 'reply',
            graphCoordinates: { x: 0.5, y: -1 },
            options: { contentVariableId: 'v1' },
          },
          {
            id: 'i',
            type: 'invalidReply',
            options: { inputNameVariableId: 'v1', inputTypeVariableId: 'v1' },
          },
        ],
      },
    ],
    ['an event of an unknown type', { events: [start, { id: 'x', type: 'timer', options: 7 }] }],
    [
      'a block of an unknown type',
      { groups: [{ id: 'g', blocks: [{ id: 'b', type: 'hologram', options: 7 }] }] },
    ],
    ['unknown keys', { future: 1, groups: [{ id: 'g', future: 1, blocks: [{ ...textInput, future: 1 }] }] }],
  ])('may hold %s', (_, part) => {
    expect(readDefinition({ ...current, ...part })).toMatchObject(
      'future' in part ? { groups: part.groups } : part,
    )
  })
})

describe('the version of a definition', () => {
  it.each(['3', '4', '5', '6', '6.1'])('%s is kept', (version) => {
    expect(readDefinition({ ...current, version }).version).toBe(version)
  })

  it.each([
    ['3 without events', {}, '3'],
    ['3 when it is null', { version: null }, '3'],
    ['3 when the events are null', { events: null }, '3'],
    ['3 when the list of events is empty', { events: [] }, '3'],
    ['6 with events', { events: [start] }, '6'],
  ])('is taken for %s', (_, part, version) => {
    expect(readDefinition({ ...old, ...part }).version).toBe(version)
  })

  it.each(['2', '7', '6.10', '', 2, 6.05, {}, false])('%j is refused', (version) => {
    expect(refusal({ ...current, version })).toEqual([
      { pointer: '/version', message: 'must be one of: 3, 4, 5, 6, 6.1' },
    ])
  })
})

describe('a definition of an old version', () => {
  it.each(['3', '4', '5'])('%s starts by the edge of its first block', (version) => {
    const flow = readDefinition({ ...old, version })
    expect(flow.events).toEqual([{ id: 'g0', type: 'start', outgoingEdgeId: 'e1' }])
    expect(flow.groups).toBe(old.groups)
    expect(flow.edges).toBe(old.edges)
  })

  it('starts by position, whatever the first block is', () => {
    const groups = [{ id: 'g', title: '', blocks: [{ ...textInput, outgoingEdgeId: 'e9' }] }]
    expect(readDefinition({ ...old, groups }).events).toEqual([
      { id: 'g', type: 'start', outgoingEdgeId: 'e9' },
    ])
  })

  it.each([
    ['no groups', [], 'start'],
    ['an empty first group', [{ id: 'g', title: '', blocks: [] }], 'g'],
    ['a first block without an edge', [{ id: 'g', title: '', blocks: [textInput] }], 'g'],
  ])('leads nowhere with %s', (_, groups, id) => {
    expect(readDefinition({ ...old, version: '5', groups }).events).toEqual([{ id, type: 'start' }])
  })

  it.each([[null], [[]], [[start]], ['junk']])('has its events %j ignored', (events) => {
    expect(readDefinition({ ...old, version: '5', events }).events[0]?.id).toBe('g0')
  })

  it.each(['3', '4'])('%s gets the groups and blocks that it lacks', (version) => {
    expect(readDefinition({ version, id: 'f' }).groups).toEqual([])
    expect(readDefinition({ version, id: 'f', groups: null, edges: null }).groups).toEqual([])
    const groups = [{ id: 'a' }, { id: 'b', blocks: null }, { id: 'c', blocks: [textInput] }]
    const filled = readDefinition({ version, id: 'f', groups }).groups
    expect(filled).toEqual([{ id: 'a', blocks: [] }, { id: 'b', blocks: [] }, groups[2]])
    expect(filled[2]).toBe(groups[2])
    expect(groups[0]).toEqual({ id: 'a' })
  })

  it.each(['3', '4', '5'])('%s has null where nothing is set', (version) => {
    const edges = old.edges.map((edge) => ({ ...edge, to: { ...edge.to, blockId: null } }))
    expect(readDefinition({ ...old, version, edges }).edges).toEqual(old.edges)
  })

  it.each(['3', '4'])('%s loses the edges that are none', (version) => {
    const [edge] = old.edges
    const edges = [null, edge, { id: 'x' }, { id: 'y', to: {} }, 7]
    expect(readDefinition({ ...old, version, edges }).edges).toEqual([edge])
  })

  it('keeps the id of a request that is stored elsewhere', () => {
    const block = { id: 'w', type: 'Webhook', options: {}, webhookId: 'wh1' }
    const groups = [{ id: 'g', title: '', blocks: [block] }]
    expect(readDefinition({ ...old, version: '3', groups }).groups[0]?.blocks[0]).toBe(block)
  })

  it('5 is read as strictly as the current one', () => {
    const edges = [{ id: 'x', to: {} }]
    const groups = [{ id: 'a' }]
    expect(refusal({ version: '5', id: 'f' })).toEqual([
      { pointer: '', message: "must have required property 'groups'" },
    ])
    expect(refusal({ version: '5', id: 'f', groups, edges })).toEqual([
      { pointer: '/groups/0', message: "must have required property 'blocks'" },
      { pointer: '/edges/0/to', message: "must have required property 'groupId'" },
    ])
  })
})

describe('a definition that is wrong', () => {
  it('is refused with the place of a wrong option', () => {
    const blocks = [textInput, textInput, { ...textInput, options: { isLong: 'yes' } }]
    expect(refusal({ ...current, groups: [{ id: 'g1', title: '', blocks }] })).toEqual([
      { pointer: '/groups/0/blocks/2/options/isLong', message: 'must be boolean' },
    ])
  })

  it.each([
    [null, '', 'must be object'],
    ['flow', '', 'must be object'],
    [[], '', 'must be object'],
    [{ ...current, id: 7 }, '/id', 'must be string'],
    [{ ...current, id: undefined }, '', "must have required property 'id'"],
    [{ ...current, groups: {} }, '/groups', 'must be array'],
    [{ ...current, edges: null }, '/edges', 'must be array'],
    [{ ...current, settings: null }, '/settings', 'must be object'],
    [{ ...current, theme: [] }, '/theme', 'must be object'],
    [{ ...current, isClosed: 'yes' }, '/isClosed', 'must be boolean,null'],
    [{ ...current, groups: [null] }, '/groups/0', 'must be object'],
    [{ ...current, groups: [{ title: '', blocks: [] }] }, '/groups/0', "must have required property 'id'"],
    [{ ...current, groups: [{ id: 'g', title: 7, blocks: [] }] }, '/groups/0/title', 'must be string'],
    [
      { ...current, groups: [{ id: 'g', graphCoordinates: { x: '1' }, blocks: [] }] },
      '/groups/0/graphCoordinates/x',
      'must be number',
    ],
    [withBlock(7), '/groups/0/blocks/0', 'must be object'],
    [withBlock([]), '/groups/0/blocks/0', 'must be object'],
    [withBlock({ id: 'b' }), '/groups/0/blocks/0', "must have required property 'type'"],
    [withBlock({ id: 'b', type: 7 }), '/groups/0/blocks/0/type', 'must be string'],
    [withBlock({ type: 'hologram' }), '/groups/0/blocks/0', "must have required property 'id'"],
    [withBlock({ ...textInput, outgoingEdgeId: 7 }), '/groups/0/blocks/0/outgoingEdgeId', 'must be string'],
    [{ ...current, edges: [{ id: 'e', from: 7, to: { groupId: 'g' } }] }, '/edges/0/from', 'must be object'],
    [
      { ...current, variables: [{ id: 'v', name: 'n', value: 7 }] },
      '/variables/0/value',
      'must be string,array,null',
    ],
    [
      { ...current, variables: [{ id: 'v', name: 'n', value: [7] }] },
      '/variables/0/value/0',
      'must be string,null',
    ],
    [{ ...current, settings: { general: 7 } }, '/settings/general', 'must be object'],
    [
      { ...current, theme: { chat: { roundness: 'x' } } },
      '/theme/chat/roundness',
      'must be one of: none, medium, large',
    ],
  ])('is refused with one problem: %j', (definition, pointer, message) => {
    expect(refusal(definition)).toEqual([{ pointer, message }])
  })

  it.each([
    ['misses its events', undefined, '', "must have required property 'events'"],
    ['has null for them', null, '/events', 'must be array'],
    ['has none', [], '/events', 'must hold a start event'],
    [
      'begins with another',
      [{ id: 'c', type: 'command' }],
      '/events/0/type',
      'must be start: the first event is',
    ],
    ['has a second start', [start, start], '/events/1/type', 'must not be start: only the first event is'],
    ['has one without a type', [start, { id: 'x' }], '/events/1', "must have required property 'type'"],
    ['has one that is none', [start, null], '/events/1', 'must be object'],
    [
      'has wrong options',
      [start, { id: 'c', type: 'command', options: { command: 7 } }],
      '/events/1/options/command',
      'must be string',
    ],
  ])('is refused when it %s', (_, events, pointer, message) => {
    for (const version of ['6', '6.1']) {
      expect(refusal({ ...current, version, events })).toEqual([{ pointer, message }])
    }
  })

  it('has everything reported that is wrong in its parts', () => {
    const wrong = {
      ...current,
      groups: [
        { id: 'g', title: 7, blocks: [7] },
        { id: 'h', blocks: [{ type: 7, outgoingEdgeId: 7 }] },
      ],
      variables: [{}],
    }
    expect(refusal(wrong)).toEqual([
      { pointer: '/groups/0/title', message: 'must be string' },
      { pointer: '/groups/1/blocks/0', message: "must have required property 'id'" },
      { pointer: '/groups/1/blocks/0/outgoingEdgeId', message: 'must be string' },
      { pointer: '/groups/1/blocks/0/type', message: 'must be string' },
      { pointer: '/variables/0', message: "must have required property 'id'" },
      { pointer: '/variables/0', message: "must have required property 'name'" },
    ])
  })

  it('has its envelope reported before its parts', () => {
    expect(refusal({ ...current, id: 7, groups: [7] })).toEqual([
      { pointer: '/id', message: 'must be string' },
    ])
  })

  it('has twenty problems listed and the others counted', () => {
    const problems = refusal({ ...current, variables: Array(100).fill(7) })
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toEqual({ pointer: '', message: '… and 80 more' })
  })
})

describe('a hostile definition', () => {
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

  it('may be 128 levels deep and no deeper', () => {
    expect(() => readDefinition({ ...current, future: nested(127) })).not.toThrow()
    expect(refusal({ ...current, future: nested(128) })).toEqual([
      { pointer: `/future${'/0'.repeat(127)}`, message: 'must not lie deeper than 128 levels' },
    ])
    expect(refusal({ ...current, groups: nested(200_000) })).toHaveLength(1)
  })

  it.each([
    ['values', { ...current, anything: Array(250_001).fill(0) }],
    ['variables', { ...current, variables: Array(50_000).fill(0) }],
    [
      'blocks',
      withBlock(undefined).groups && { ...current, groups: [{ id: 'g', blocks: Array(50_000).fill({}) }] },
    ],
    ['events', { ...current, events: Array(50_000).fill(start) }],
    [
      'comparisons',
      { ...current, settings: { whatsApp: { startCondition: { comparisons: Array(50_000).fill(0) } } } },
    ],
  ])('of many wrong %s is refused', (_, definition) => {
    expect(refusal(definition).length).toBeGreaterThan(0)
  })

  it('may name its keys as it likes', () => {
    const text = JSON.stringify(current).replace(
      '{',
      '{"__proto__":{"version":"9"},"constructor":1,"toString":null,',
    )
    expect(readDefinition(JSON.parse(text))).toEqual(current)
  })

  it('may name a block type as it likes', () => {
    for (const type of ['__proto__', 'constructor', 'toString', '']) {
      expect(() => readDefinition(withBlock({ id: 'b', type }))).not.toThrow()
    }
  })
})

describe('a version that is a number', () => {
  it.each([
    [6, '6'],
    [6.1, '6.1'],
  ])('is taken for its text: %d', (version, text) => {
    const given = Object.freeze({ ...current, version })
    expect(readDefinition(given).version).toBe(text)
  })

  it('fills in what old versions lack, as its text does', () => {
    const { groups: _, ...bare } = old
    expect(readDefinition({ ...bare, version: 3 })).toEqual(readDefinition({ ...bare, version: '3' }))
  })

  it.each([7, 0, Number.NaN])('is refused where no version is called so: %d', (version) => {
    expect(() => readDefinition({ ...current, version })).toThrow('Input validation failed')
  })
})

describe('a definition with many values', () => {
  const holding = (length: number) => ({ ...current, theme: { more: Array(length).fill(0) } })

  it('is refused beyond the bound, and read below it', () => {
    expect(() => readDefinition(holding(250_000))).toThrow('Input validation failed')
    expect(readDefinition(holding(249_000)).version).toBe(current.version)
  })
})
