import { describe, expect, it } from 'vitest'
import { blockOf } from '../../../schemas/common.ts'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { type AnyBlock, type BlockHandler, defineBlock } from '../../../src/engine/model/block-handler.ts'
import { ask } from '../../../src/engine/model/effects.ts'
import { LimitExceeded } from '../../../src/engine/model/limits.ts'
import type { Step } from '../../../src/engine/model/step.ts'
import { JsonFragment } from '../../../src/engine/templates/json-fragment.ts'
import { bubble, edge, group, leaving, textInput } from '../../fixtures/short-flows.ts'
import { walkFlow } from '../../support/walk-flow.ts'

/** The real registry, with `hologram` served by a handler of the test. */
function withHologram(handler: Partial<BlockHandler>) {
  const hologram = defineBlock<AnyBlock, unknown>({
    schema: blockOf('hologram', {}),
    kind: 'logic',
    compile: () => undefined,
    run: () => ({}),
    ...handler,
  })
  return new Map([...blockRegistry, ['hologram', hologram]])
}

const hologram = { id: 'h', type: 'hologram' }
const doing = (step: Step) => withHologram({ run: () => step })

const fail = () => {
  throw new Error('broken')
}

function* failLater() {
  yield* ask({ type: 'now' })
  return fail()
}

describe('a handler that throws', () => {
  it.each([
    ['runs', { run: fail }],
    ['goes on after an effect', { run: failLater }],
    ['is prepared', { compile: fail }],
  ])('when its block %s has produced nothing but a log and a defect', (_, handler) => {
    const { output, texts } = walkFlow(
      { blocks: [bubble('a'), hologram, bubble('b')] },
      { registry: withHologram(handler) },
    )
    expect(texts).toEqual(['a', 'b'])
    expect(output.logs).toEqual([
      {
        status: 'error',
        description: 'A block failed and was skipped',
        details: 'Block "h" (hologram) in group "Group 1" (g1)',
      },
    ])
    expect(output.defects.map(({ error, block }) => [String(error), block.id])).toEqual([
      ['Error: broken', 'h'],
    ])
  })

  it.each([
    ['bubble', ['below']],
    ['logic', ['beside']],
    ['integration', ['beside']],
    ['input', ['beside']],
  ] as const)('is left by the default way of its kind: %s', (kind, expected) => {
    const definition = {
      groups: [group('g1', leaving(hologram, 'e'), bubble('below')), group('g2', bubble('beside'))],
      edges: [edge('e', 'g2')],
    }
    const registry = withHologram({ kind, run: fail })
    expect(walkFlow(definition, { registry }).texts).toEqual(expected)
  })

  it('ends the turn when what it throws is a spent budget', () => {
    const run = () => {
      throw new LimitExceeded('blocksPerTurn', 'enough')
    }
    const { output, texts } = walkFlow(
      { blocks: [hologram, bubble('b')] },
      { registry: withHologram({ run }) },
    )
    expect(texts).toEqual([])
    expect(output.defects).toEqual([])
    expect(output.logs.map(({ description }) => description)).toEqual([
      'The conversation was stopped: enough',
    ])
  })
})

describe('a block of an unknown type', () => {
  it('is reported, and left to the block below whatever its own edge', () => {
    const { output, texts } = walkFlow({
      groups: [group('g1', leaving(hologram, 'e'), bubble('below')), group('g2', bubble('beside'))],
      edges: [edge('e', 'g2')],
    })
    expect(texts).toEqual(['below'])
    expect(output.logs).toEqual([
      {
        status: 'error',
        description: 'Block type "hologram" is unknown to this server: the block was skipped',
        details: 'Block "h" (hologram) in group "G1" (g1)',
      },
    ])
  })
})

describe('what a step produced', () => {
  const redirect = { type: 'redirect' as const, redirect: { url: 'https://a.example/', isNewTab: false } }
  const picture = new JsonFragment({
    id: 'h',
    type: 'image' as const,
    content: { url: 'https://a.example/' },
  })

  it('names the bubble before it in its actions, not its own message', () => {
    const definition = { blocks: [bubble('a'), hologram, { ...hologram, id: 'h2' }] }
    const { output } = walkFlow(definition, { registry: doing({ message: picture, actions: [redirect] }) })
    expect(output.actions.map(({ value }) => value)).toEqual([
      { ...redirect, lastBubbleBlockId: 'a' },
      { ...redirect, lastBubbleBlockId: 'h' },
    ])
  })

  it('names no bubble in its actions when none was shown', () => {
    const { output } = walkFlow({ blocks: [hologram] }, { registry: doing({ actions: [redirect] }) })
    expect(output.actions.map(({ value }) => value)).toEqual([redirect])
  })

  it('does not count a bubble that waits as one that actions run after', () => {
    const { turn } = walkFlow(
      { blocks: [bubble('a'), hologram] },
      { registry: doing({ message: picture, next: { to: 'wait' } }) },
    )
    turn.output.act({ type: 'redirect', redirect: {} })
    expect(turn.output.actions.at(-1)?.value.lastBubbleBlockId).toBe('a')
  })

  it('is written in order, the last value of a variable winning, and to declared variables only', () => {
    const assignments = [
      { variableId: 'v', value: 'first' },
      { variableId: 'nobody', value: 'lost' },
      { variableId: 'v', value: ['second', 3] },
      { variableId: 'w', value: 4, isSessionVariable: true },
    ]
    const variables = [
      { id: 'v', name: 'V' },
      { id: 'w', name: 'W' },
    ]
    const { turn } = walkFlow({ variables, blocks: [hologram] }, { registry: doing({ assignments }) })
    expect([...turn.currentFrame.variables.changed]).toEqual([
      ['v', ['second', '3']],
      ['w', '4'],
    ])
    expect([...turn.currentFrame.variables.sessionOnly]).toEqual(['w'])
  })

  it('reaches the transcript when a block of the flow asks for one', () => {
    const registry = withHologram({ needsTranscript: () => true })
    const kept = walkFlow({ blocks: [bubble('a'), hologram, bubble('b')] }, { registry })
    expect(kept.conversation.transcript).toEqual(['Assistant: "a"', 'Assistant: "b"'])
    expect(walkFlow({ blocks: [bubble('a')] }).conversation.transcript).toBeUndefined()
  })
})

describe('where a walk leaves the conversation', () => {
  it('is at the input that it asked for, which is the last thing', () => {
    const { conversation, output, texts } = walkFlow({ blocks: [bubble('a'), textInput('i'), bubble('b')] })
    expect(conversation.waitingBlock?.id).toBe('i')
    expect(output.input?.value.id).toBe('i')
    expect(texts).toEqual(['a'])
  })

  it('is nowhere when it is over, and when a reply leads to its end', () => {
    expect(walkFlow({ blocks: [bubble('a')] }).conversation.waitingBlock).toBeUndefined()
    const replied = walkFlow({ blocks: [textInput('i')] }).reply('x')
    expect([replied.conversation.waitingBlock, replied.output.input]).toEqual([undefined, undefined])
  })
})

describe('an edge', () => {
  const details = 'Block "c" (Redirect) in group "G1" (g1)'
  const leavingBy = (...edges: object[]) =>
    walkFlow({
      groups: [group('g1', { id: 'c', type: 'Redirect', outgoingEdgeId: 'e' }, bubble('x'))],
      edges,
    })

  it('that nothing carries ends the path, and the log names the block that it leaves', () => {
    const { output, texts } = leavingBy()
    expect(texts).toEqual([])
    expect(output.logs).toEqual([
      { status: 'error', description: 'Edge "e" does not exist: the path ends here', details },
    ])
  })

  it('to a missing group ends it all, and the log names the block that it leaves', () => {
    const { output, texts } = leavingBy(edge('e', 'gone'))
    expect(texts).toEqual([])
    expect(output.logs).toEqual([
      { status: 'error', description: 'Group "gone" does not exist: nothing follows', details },
    ])
  })

  it('to a block that is elsewhere leads to the top of the group, with a log', () => {
    const { output, texts } = walkFlow({
      groups: [
        group('g1', { id: 'c', type: 'Redirect', outgoingEdgeId: 'e' }),
        group('g2', bubble('top'), bubble('y')),
      ],
      edges: [edge('e', 'g2', 'c')],
    })
    expect(texts).toEqual(['top', 'y'])
    expect(output.logs).toEqual([
      {
        status: 'error',
        description: 'Block "c" is not in its group, which runs from the top instead',
        details,
      },
    ])
  })
})
