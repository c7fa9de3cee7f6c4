import { describe, expect, it } from 'vitest'
import type { Flow } from '../../../schemas/flow.ts'
import { flowLink } from '../../../src/blocks/logic/flow-link.ts'
import { compileFlow } from '../../../src/engine/compile/compile-flow.ts'
import type { CompiledBlock, Target } from '../../../src/engine/model/program.ts'
import { runBlock, type Surroundings } from '../../support/run-block.ts'

function programOf(flow: Partial<Flow>) {
  const lists = { groups: [], edges: [], events: [], variables: [] }
  const whole: Flow = { id: 'flow-2', version: '6', settings: {}, theme: {}, ...lists, ...flow }
  return compileFlow(whole, new Map(), 'hash')
}

const linked = programOf({
  groups: [
    { id: 'g1', title: 'Hello', blocks: [{ id: 't1', type: 'text' }] },
    {
      id: 'g2',
      title: 'Basket',
      blocks: [
        { id: 't2', type: 'text' },
        { id: 't3', type: 'text' },
      ],
    },
    { id: 'g3', title: 'Basket', blocks: [] },
    { id: 'g4', title: '', blocks: [] },
  ],
  edges: [{ id: 'e1', to: { groupId: 'g2', blockId: 't3' } }],
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
})

const legacy = programOf({
  version: '5',
  groups: [
    { id: 'g1', title: 'Hello', blocks: [{ id: 't1', type: 'text', outgoingEdgeId: 'e1' }] },
    { id: 'g2', title: 'Start', blocks: [{ id: 's1', type: 'start', label: 'Start' }] },
  ],
  edges: [{ id: 'e1', to: { groupId: 'g1' } }],
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
})

function run(options: object | undefined, given: Surroundings = {}) {
  const block = { id: 'b1', type: 'Flow link', ...(options && { options }) }
  return runBlock(flowLink, block, { effects: { link: { program: linked } }, ...given })
}

/** Where the linked flow is entered, as the id of a block; of the group when that is empty. */
function enteredAt(step: ReturnType<typeof run>) {
  if (step.next?.to !== 'link') return step
  const { target } = step.next.entry
  if (target.kind === 'block') return target.block.id
  return target.kind === 'empty group' ? target.group.id : target
}

function failed(details: string) {
  return { logs: [{ status: 'error', description: 'Flow link could not be followed', details }] }
}

const own: Target = { kind: 'block', block: { id: 'own' } as CompiledBlock }

describe('Flow link to another flow', () => {
  it('enters at the block that the start leads to', () => {
    expect(enteredAt(run({ flowId: 'flow-2' }))).toBe('t3')
  })

  it('enters a group by its id', () => {
    expect(enteredAt(run({ flowId: 'flow-2', groupId: 'g2' }))).toBe('t2')
  })

  it('enters the first group of a title, which a variable of the linking flow holds', () => {
    const variables = { Next: 'Basket' }
    expect(enteredAt(run({ flowId: 'flow-2', groupId: '{{Next}}' }, { variables }))).toBe('t2')
  })

  it('enters a group without blocks', () => {
    expect(enteredAt(run({ flowId: 'flow-2', groupId: 'g3' }))).toBe('g3')
  })

  it('enters a flow below version 6 at the top of the group that holds its start block', () => {
    expect(enteredAt(run({ flowId: 'flow-2' }, { effects: { link: { program: legacy } } }))).toBe('s1')
  })

  it.each([
    [{ mergeResults: true }, false, true],
    [{ mergeResults: false }, false, false],
    [{}, false, false],
    [{ mergeResults: true }, true, true],
    [{ mergeResults: false }, true, false],
    [{}, true, true],
  ])('given %j and a linking flow below version 6: %s, merges: %s', (options, isLegacy, mergesResults) => {
    expect(run({ flowId: 'flow-2', ...options }, { isLegacy }).next).toMatchObject({
      entry: { program: linked, mergesResults },
    })
  })

  it.each([undefined, {}, { flowId: '' }, { groupId: 'g1' }])(
    'tells that no flow is named by %j',
    (options) => {
      expect(run(options)).toEqual(failed('No flow id is set'))
    },
  )

  it('tells why there is no flow to enter', () => {
    const refusal = 'Flow "flow-7" was not found'
    expect(run({ flowId: 'flow-7' }, { effects: { link: { refusal } } })).toEqual(failed(refusal))
  })

  it.each(['g7', '{{Nope}}', '{{Next}}'])('tells that the group %j was not found', (groupId) => {
    const variables = { Next: 'Hall' }
    expect(run({ flowId: 'flow-2', groupId }, { variables })).toEqual(
      failed(`Group "${groupId}" was not found`),
    )
  })

  it.each([
    ['without a start', programOf({ events: [] })],
    ['whose start is not connected', programOf({ events: [{ id: 'start', type: 'start' }] })],
    [
      'whose start leads to a missing group',
      programOf({
        events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
        edges: [{ id: 'e1', to: { groupId: 'g7' } }],
      }),
    ],
    ['below version 6 without a start block', programOf({ version: '4' })],
  ])('tells that a flow %s can not be entered', (_, program) => {
    expect(run({ flowId: 'flow-2' }, { effects: { link: { program } } })).toEqual(
      failed('Flow "flow-2" has no start to enter by'),
    )
  })
})

describe('Flow link into the flow itself', () => {
  const step = (options: object, given: Surroundings = {}) => run(options, { effects: {}, ...given })
  const entered = { next: { to: 'link', entry: { program: undefined, target: own, mergesResults: true } } }

  it.each(['current', 'flow-1'])('needs no other flow for %j', (flowId) => {
    expect(step({ flowId }, { entry: own })).toEqual(entered)
  })

  it('shares its results, whatever the block says', () => {
    expect(step({ flowId: 'current', mergeResults: false }, { entry: own })).toEqual(entered)
  })

  it.each([
    ['g2', 'id', 'g2'],
    ['{{Next}}', 'title', 'Basket'],
  ])('finds the group %j by its %s', (groupId, by, value) => {
    const findGroup: Surroundings['findGroup'] = (...asked) =>
      asked.join() === `${by},${value}` ? { target: own, block: () => undefined } : undefined
    const variables = { Next: 'Basket' }
    expect(step({ flowId: 'current', groupId }, { variables, findGroup })).toEqual(entered)
  })

  it('tells that a group was not found', () => {
    expect(step({ flowId: 'current', groupId: 'g7' })).toEqual(failed('Group "g7" was not found'))
  })

  it('tells that it can not be entered without a start', () => {
    expect(step({ flowId: 'current' })).toEqual(failed('Flow "current" has no start to enter by'))
  })
})
