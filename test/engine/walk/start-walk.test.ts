import { describe, expect, it } from 'vitest'
import { checkStartFrom } from '../../../src/engine/walk/start-walk.ts'
import type { ServiceError } from '../../../src/lib/errors.ts'
import { bubble, edge, group, leaving, textInput } from '../../fixtures/short-flows.ts'
import { programOf, walkFlow } from '../../support/walk-flow.ts'

const definition = {
  groups: [
    group('g1', bubble('one')),
    group('g2', leaving(bubble('two'), 'e1'), bubble('three')),
    group('g3'),
  ],
  events: [
    { id: 'start', type: 'start', outgoingEdgeId: 'e1' },
    { id: 'help', type: 'command', outgoingEdgeId: 'e2' },
    { id: 'lost', type: 'command', outgoingEdgeId: 'gone' },
    { id: 'idle', type: 'reply' },
  ],
  edges: [edge('e1', 'g1'), edge('e2', 'g2', 'three')],
}
const fromGroup = (groupId: string) => ({ type: 'group', groupId }) as const
const fromBlock = (blockId: string, groupId?: string) =>
  ({ type: 'block', blockId, ...(groupId !== undefined && { groupId }) }) as const
const fromEvent = (eventId: string) => ({ type: 'event', eventId }) as const

describe('a start', () => {
  it.each([
    ['nothing in particular', undefined, ['one']],
    ['a group, at its first block', fromGroup('g2'), ['two', 'three']],
    ['an empty group', fromGroup('g3'), []],
    ['a block of a group', { ...fromGroup('g2'), blockId: 'three' }, ['three']],
    ['a block, with what is below it', fromBlock('two'), ['two', 'three']],
    ['a block of the group that is named', fromBlock('three', 'g2'), ['three']],
    ['an event, along its edge', fromEvent('help'), ['three']],
    ['the start event', fromEvent('start'), ['one']],
    ['an event without an edge', fromEvent('idle'), []],
  ])('from %s', (_, from, expected) => {
    const { texts, output } = walkFlow(definition, from && { from })
    expect([texts, output.logs]).toEqual([expected, []])
  })

  it('reports an edge that is named and missing, and no block', () => {
    const { texts, output } = walkFlow(definition, { from: fromEvent('lost') })
    expect(texts).toEqual([])
    expect(output.logs).toEqual([
      { status: 'error', description: 'Edge "gone" of the start does not exist: nothing can be shown' },
    ])
  })

  it('reports a missing group behind its edge, and no block', () => {
    const { output } = walkFlow({ ...definition, edges: [edge('e1', 'gone')] })
    expect(output.logs).toEqual([
      { status: 'error', description: 'Group "gone" does not exist: nothing follows' },
    ])
  })

  it('is empty from a place that the flow does not have', () => {
    expect(walkFlow(definition, { from: fromGroup('gone') }).texts).toEqual([])
    expect(walkFlow(definition, { from: fromEvent('gone') }).texts).toEqual([])
  })
})

describe('a place to start from', () => {
  const refusal = (from: Parameters<typeof checkStartFrom>[1]) => {
    try {
      checkStartFrom(programOf(definition), from)
    } catch (error) {
      return error
    }
    return undefined
  }

  it.each([undefined, fromGroup('g3'), fromEvent('idle')])('is taken when the flow has it: %j', (from) => {
    expect(refusal(from)).toBeUndefined()
  })

  it.each([
    [fromGroup('help'), 'group', 'help'],
    [{ ...fromGroup('g1'), blockId: 'two' }, 'block', 'two'],
    [fromBlock('g2'), 'block', 'g2'],
    [fromBlock('two', 'g9'), 'group', 'g9'],
    [fromEvent('g1'), 'event', 'g1'],
  ] as const)('is refused by its name when the flow does not have it: %j', (from, kind, id) => {
    expect(refusal(from)).toMatchObject({
      code: 'BAD_REQUEST',
      message: `Start ${kind} doesn't exist`,
      problems: [
        { pointer: `/startFrom/${kind}Id`, message: `the flow has no ${kind} "${id}" to start from` },
      ],
    })
  })

  it('is quoted in part where its name is long', () => {
    const [problem] = (refusal(fromBlock('x'.repeat(5000))) as ServiceError).problems ?? []
    expect(problem?.message.length).toBeLessThan(200)
  })
})

describe('a message on a start', () => {
  const choice = { id: 'c', type: 'choice input', items: [{ id: 'x', content: 'Yes' }] }

  it('answers the first input, and what follows joins what came before it', () => {
    const log = { id: 'h', type: 'hologram' }
    const { output, texts } = walkFlow(
      { blocks: [log, textInput('i'), bubble('a'), textInput('j')] },
      { message: 'Ann' },
    )
    expect(output.answers).toEqual([{ resultId: 'result-1', part: { blockId: 'i', content: 'Ann' } }])
    expect([texts, output.input?.value.id, output.logs.length]).toEqual([['a'], 'j', 1])
  })

  it('answers one input only', () => {
    const { output, conversation } = walkFlow(
      { blocks: [textInput('i'), textInput('j')] },
      { message: 'Ann' },
    )
    expect([output.answers.length, output.input?.value.id, conversation.waitingBlock?.id]).toEqual([
      1,
      'j',
      'j',
    ])
  })

  it.each([
    ['a bubble came first', [bubble('a'), textInput('i')]],
    ['the input shows choices', [choice]],
    ['nothing asks', []],
    [
      'an action is awaited',
      [{ id: 'w', type: 'Wait', options: { secondsToWaitFor: '1', shouldPause: true } }],
    ],
  ])('is left alone when %s', (_, blocks) => {
    const [bare, sent] = [walkFlow({ blocks }), walkFlow({ blocks }, { message: 'Yes' })]
    expect(sent.output).toEqual(bare.output)
    expect(sent.conversation.waitingBlock?.id).toBe(bare.conversation.waitingBlock?.id)
    expect(sent.conversation.acceptedReplies).toBe(0)
  })
})

describe('two starts of one flow', () => {
  const links = { id: 'l', type: 'Flow link', options: { flowId: 'other' } }
  const draws = {
    id: 'ab',
    type: 'AB test',
    items: [
      { id: 'a', outgoingEdgeId: 'e1' },
      { id: 'b', outgoingEdgeId: 'e2' },
    ],
  }
  const flow = {
    groups: [group('g0', links, draws), ...definition.groups],
    edges: definition.edges,
  }
  const linked = [{ id: 'other', blocks: [bubble('other', '{{= 1 + 1 =}}'), textInput('i')] }]

  it('produce the same, whenever the world answers the same', () => {
    const run = () => walkFlow(flow, { linked, effects: { random: () => 0.7 } }).reply('x')
    const [first, second] = [run(), run()]
    expect(first.texts).toEqual(['three'])
    const told = ({ messages, logs, answers }: typeof first.output) => [
      messages.map(({ value }) => value),
      logs,
      answers,
    ]
    expect(told(second.output)).toEqual(told(first.output))
    expect(second.output.finished.map(({ resultId }) => resultId)).toEqual(['id-1'])
    expect(second.asked).toEqual(first.asked)
  })
})
