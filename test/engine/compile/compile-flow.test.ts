import { describe, expect, it } from 'vitest'
import { blockOf } from '../../../schemas/common.ts'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { type AnyBlock, type BlockHandler, defineBlock } from '../../../src/engine/model/block-handler.ts'
import { bubble, edge, group } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { programOf, walkFlow } from '../../support/walk-flow.ts'

/** The real registry with `probe`, whose handler keeps a list of what it prepared. */
function withProbe(handler: Partial<BlockHandler> = {}) {
  const prepared: string[] = []
  const probe = defineBlock<AnyBlock, unknown>({
    schema: blockOf('probe', {}),
    kind: 'logic',
    compile: ({ id }) => prepared.push(id),
    run: () => ({}),
    ...handler,
  })
  return { prepared, registry: new Map([...blockRegistry, ['probe', probe]]) }
}

const probe = (id: string, rest: Json = {}) => ({ id, type: 'probe', ...rest })
const waiting = { id: 'i', type: 'text input' }

describe('a block', () => {
  const blocks = [probe('a'), waiting, probe('b')]

  it('is not prepared before it runs', () => {
    const { prepared, registry } = withProbe()
    programOf({ blocks }, registry)
    expect(prepared).toEqual([])
    const walked = walkFlow({ blocks }, { registry })
    expect(prepared).toEqual(['a'])
    walked.reply('x')
    expect(prepared).toEqual(['a', 'b'])
  })

  it('is prepared once, however often it runs', () => {
    const { prepared, registry } = withProbe()
    const definition = {
      groups: [group('g1', probe('a', { outgoingEdgeId: 'e' }))],
      edges: [edge('e', 'g1')],
    }
    expect(walkFlow(definition, { registry, limits: { blocksPerTurn: 5 } }).turn.budget.trail).toHaveLength(5)
    expect(prepared).toEqual(['a'])
  })

  it('is prepared for remarks whether it runs or not, and they are made once', () => {
    const { prepared, registry } = withProbe()
    const all = programOf({ blocks }, registry).groups.get('g1')?.blocks ?? []
    for (const block of [...all, ...all]) expect(block.findings).toEqual([])
    expect(prepared).toEqual(['a', 'b'])
  })

  it('is prepared with the variables and the age of its flow', () => {
    const seen: unknown[] = []
    const { registry } = withProbe({
      compile: (_, { isLegacy, variables }) =>
        seen.push(
          isLegacy,
          variables.all.map(({ id }) => id),
        ),
    })
    const variables = [{ id: 'v', name: 'V' }]
    walkFlow({ blocks: [probe('a')], variables }, { registry })
    const old = programOf({ version: '5', groups: [group('g', probe('a'))], variables }, registry)
    expect(old.blocks.get('a')?.findings).toEqual([])
    expect(seen).toEqual([false, ['v'], true, ['v']])
  })

  it('knows its place', () => {
    const { groups, blocks: all } = programOf({
      groups: [group('g1', bubble('a')), { id: 'g2', blocks: [bubble('b'), bubble('c')] }],
    })
    const [b, c] = [all.get('b'), all.get('c')]
    expect([b?.pointer, c?.pointer]).toEqual(['/groups/1/blocks/0', '/groups/1/blocks/1'])
    expect([b?.following, c?.following, all.get('a')?.following]).toEqual([c, undefined, undefined])
    expect([b?.group, b?.group.title]).toEqual([groups.get('g2'), ''])
  })

  it('of an unknown type has no handler, no items, no remarks, and always passes', () => {
    const block = programOf({
      blocks: [{ id: 'h', type: 'hologram', items: [{ id: 'x', outgoingEdgeId: 'e' }] }],
    }).blocks.get('h')
    expect(block).toMatchObject({
      handler: undefined,
      compiled: undefined,
      itemEdgeIds: [],
      findings: [],
      isPassThrough: true,
    })
  })

  it('passes always only when its handler says so', () => {
    const passes = (isPassThrough?: () => boolean) => {
      const { registry } = withProbe(isPassThrough && { isPassThrough })
      return programOf({ blocks: [probe('a')] }, registry).blocks.get('a')?.isPassThrough
    }
    expect([passes(), passes(() => false), passes(() => true)]).toEqual([false, false, true])
  })
})

describe('what a flow holds twice', () => {
  const twice = programOf({
    groups: [
      group('g1', bubble('a'), bubble('b'), bubble('a')),
      group('g2', bubble('b'), bubble('c')),
      group('g1', bubble('d')),
    ],
    edges: [edge('e', 'g1'), edge('e', 'g2'), edge('second', 'g2', 'b'), edge('inner', 'g1', 'a')],
    events: [
      { id: 'start', type: 'start', outgoingEdgeId: 'e' },
      { id: 'x', type: 'command', outgoingEdgeId: 'e' },
      { id: 'x', type: 'command', outgoingEdgeId: 'second' },
    ],
  })
  const pointerOf = (edgeId: string) => {
    const target = twice.edges.get(edgeId)
    return target?.kind === 'block' ? target.block.pointer : target
  }

  it('is found at its first place', () => {
    expect(twice.groups.get('g1')?.blocks).toHaveLength(3)
    expect(twice.blocks.get('b')?.pointer).toBe('/groups/0/blocks/1')
    expect(twice.events.get('x')?.outgoingEdgeId).toBe('e')
    expect([pointerOf('e'), pointerOf('inner')]).toEqual(['/groups/0/blocks/0', '/groups/0/blocks/0'])
  })

  it('is found in its group first when an edge names the group', () => {
    expect(pointerOf('second')).toBe('/groups/1/blocks/0')
  })
})

describe('an edge', () => {
  const { edges, groups } = programOf({
    groups: [group('g1', bubble('a'), bubble('b')), group('g2')],
    edges: [
      edge('top', 'g1'),
      edge('inner', 'g1', 'b'),
      edge('lost', 'g1', 'c'),
      edge('empty', 'g2'),
      edge('lost-empty', 'g2', 'c'),
      edge('gone', 'g3', 'a'),
    ],
  })
  const [a, b] = groups.get('g1')?.blocks ?? []

  it.each([
    ['top', { kind: 'block', block: a }],
    ['inner', { kind: 'block', block: b }],
    ['lost', { kind: 'block', block: a, missingBlockId: 'c' }],
    ['empty', { kind: 'empty group', group: groups.get('g2') }],
    ['lost-empty', { kind: 'empty group', group: groups.get('g2'), missingBlockId: 'c' }],
    ['gone', { kind: 'missing group', groupId: 'g3' }],
  ])('is resolved: %s', (id, target) => {
    const found = edges.get(id)
    expect(Object.keys(found ?? {}).sort()).toEqual(Object.keys(target).sort())
    for (const [key, part] of Object.entries(target)) expect(found?.[key as never]).toBe(part)
  })
})

describe('a program', () => {
  it('takes what it needs from the definition', () => {
    const program = programOf({
      version: '6.1',
      id: 'f',
      blocks: [{ id: 's', type: 'Set variable', options: { variableId: 'v', type: 'Transcript' } }],
      theme: { general: { progressBar: { isEnabled: true } } },
      settings: {
        security: { allowedOrigins: ['https://a.example'] },
        general: { systemMessages: { invalidMessage: 'No' } },
      },
    })
    expect(program).toMatchObject({
      hash: 'hash',
      id: 'f',
      version: '6.1',
      isLegacy: false,
      startEdgeId: 'e-start',
      allowedOrigins: ['https://a.example'],
      invalidMessage: { constant: 'No' },
      isProgressTracked: true,
      needsTranscript: true,
    })
  })

  it('keeps lists of texts in its settings and its theme as they are', () => {
    const { settings, theme } = programOf({
      blocks: [],
      settings: { security: { allowedOrigins: ['{{V}}'] } },
      theme: { general: { fonts: ['{{V}}'] } },
    })
    expect([settings.constant?.value, theme.constant?.value]).toEqual([
      { security: { allowedOrigins: ['{{V}}'] } },
      { general: { fonts: ['{{V}}'] } },
    ])
  })

  it('needs nothing when the definition says nothing', () => {
    expect(programOf({ blocks: [bubble('a')] })).toMatchObject({
      allowedOrigins: [],
      invalidMessage: undefined,
      isProgressTracked: false,
      needsTranscript: false,
      startProps: {},
    })
  })

  it.each([
    ['3', true],
    ['4', true],
    ['5', true],
    ['6', false],
    ['6.1', false],
  ])('of version %s: legacy is %s', (version, isLegacy) => {
    expect(programOf({ version, groups: [group('g', bubble('a'))] }).isLegacy).toBe(isLegacy)
  })

  it('gives its constant messages and inputs to every turn as the same piece', () => {
    const definition = { id: 'b', blocks: [bubble('m'), waiting] }
    const link = { id: 'l', type: 'Flow link', options: { flowId: 'b' } }
    const twice = { groups: [group('g1', link, { ...link, id: 'l2' })] }
    const first = walkFlow(twice, { linked: [definition] })
    const second = first.reply('x')
    expect(second.output.messages[0]).toBe(first.output.messages[0])
    expect(second.output.input).toBe(first.output.input)
    expect(first.output.messages[0]?.json).toBe(second.output.messages[0]?.json)
  })

  it('gives messages with values to each turn as a piece of its own', () => {
    const definition = {
      id: 'b',
      variables: [{ id: 'v', name: 'V', value: 'x' }],
      blocks: [bubble('m', '{{V}}'), waiting],
    }
    const link = { id: 'l', type: 'Flow link', options: { flowId: 'b' } }
    const first = walkFlow({ groups: [group('g1', link, { ...link, id: 'l2' })] }, { linked: [definition] })
    const second = first.reply('x')
    expect(second.output.messages[0]).not.toBe(first.output.messages[0])
    expect(second.output.messages[0]?.value).toEqual(first.output.messages[0]?.value)
  })
})
