import { describe, expect, it } from 'vitest'
import { computeProgress } from '../../../src/engine/turn/progress.ts'
import { bubble, edge, group, leaving, textInput } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const choice = (id: string, items: Json[], options: Json = {}) => ({
  id,
  type: 'Condition',
  items: items.map((item, index) => ({ id: `${id}${index}`, ...item })),
  ...options,
})
const leads = (outgoingEdgeId: string) => ({ outgoingEdgeId })
const link = (flowId: string) => ({ id: `to-${flowId}`, type: 'Flow link', options: { flowId } })

const progress = ({ conversation }: ReturnType<typeof walkFlow>) => computeProgress(conversation, false)

/** The progress at the start, and after each of some replies. */
function progressAlong(definition: Json, replies: readonly string[], linked: Json[] = []): unknown[] {
  let walked = walkFlow(definition, { linked })
  const seen = [progress(walked)]
  for (const reply of replies) {
    walked = walked.reply(reply)
    seen.push(progress(walked))
  }
  return seen
}

/** The progress when the walk first stops, which tells how many inputs can still come. */
const aheadOf = (definition: Json, linked: Json[] = []) => {
  const now = Number(progress(walkFlow(definition, { linked })))
  return Math.round(100 / now) - 1
}

describe('the progress', () => {
  it('of three inputs in line is 25, 50, 75 and 100', () => {
    const blocks = [textInput('a'), bubble('m'), textInput('b'), textInput('c')]
    expect(progressAlong({ blocks }, ['1', '2', '3'])).toEqual([25, 50, 75, 100])
  })

  /** One input, whose answer decides between one input and three. */
  const between = {
    variables: [{ id: 'v', name: 'V' }],
    groups: [
      group('g1', leaving(textInput('ask', 'v'), 'e-choose')),
      group(
        'choose',
        choice(
          'c',
          [
            {
              ...leads('e-one'),
              content: {
                comparisons: [{ id: 'q', variableId: 'v', comparisonOperator: 'Equal to', value: '1' }],
              },
            },
          ],
          leads('e-three'),
        ),
      ),
      group('one', textInput('x')),
      group('three', textInput('k'), textInput('l'), textInput('m')),
    ],
    edges: [edge('e-choose', 'choose'), edge('e-one', 'one'), edge('e-three', 'three')],
  }

  it('of a choice between one input and three is 16.67 at the choice, then 66.67', () => {
    expect(progressAlong(between, ['1', '2'])).toEqual([100 / 6, 200 / 3, 100])
  })

  it('of a choice between one input and three is 40, 60 and 80 along the other way', () => {
    expect(progressAlong(between, ['3', '', '', ''])).toEqual([100 / 6, 40, 60, 80, 100])
  })

  it('is not rounded', () => {
    expect(progress(walkFlow({ blocks: [textInput('a'), textInput('b')] }))).toBe(100 / 3)
  })

  it('stays while a reply is refused', () => {
    const blocks = [{ id: 'n', type: 'number input' }, textInput('b')]
    expect(progressAlong({ blocks }, ['nonsense', '5'])).toEqual([100 / 3, 100 / 3, 200 / 3])
  })
})

describe('the progress when no input is awaited', () => {
  const wait = { id: 'w', type: 'Wait', options: { secondsToWaitFor: '1', shouldPause: true } }
  const embed = { id: 'e', type: 'embed', content: { url: 'x', waitForEvent: { isEnabled: true } } }

  it('is 100 at the end, and while an embed waits', () => {
    expect(progress(walkFlow({ blocks: [bubble('a')] }))).toBe(100)
    expect(progress(walkFlow({ blocks: [embed, textInput('i')] }))).toBe(100)
  })

  it('is absent while the reply of an action is', () => {
    const { conversation } = walkFlow({ blocks: [wait, textInput('i')] })
    expect(computeProgress(conversation, true)).toBeUndefined()
  })
})

describe('what can still come', () => {
  it('counts an input that several ways lead to once', () => {
    const definition = {
      groups: [
        group('g1', textInput('a'), choice('c', [leads('e1'), leads('e2')], leads('e1')), textInput('b')),
        group('g2', textInput('x')),
      ],
      edges: [edge('e1', 'g2'), edge('e2', 'g2', 'x')],
    }
    expect(aheadOf(definition)).toBe(3)
  })

  it('counts what is above the block at which a group was entered, once a way leads back there', () => {
    const entered = {
      groups: [
        group('start', bubble('m'), leaving(choice('c', []), 'in')),
        group('loop', textInput('a'), textInput('b'), leaving(textInput('c2'), 'back')),
      ],
      edges: [edge('in', 'loop', 'b'), edge('back', 'loop')],
    }
    expect(progressAlong(entered, ['1', '2', '3'])).toEqual([100 / 4, (100 * 2) / 5, 50, (100 * 4) / 7])
  })

  it('counts a loop once, however often it can be walked', () => {
    const definition = {
      groups: [group('g1', textInput('a')), group('g2', textInput('b'), leaving(textInput('c'), 'e'))],
      edges: [edge('e', 'g1'), edge('e2', 'g2')],
    }
    definition.groups[0] = group('g1', leaving(textInput('a'), 'e2'))
    expect(aheadOf(definition)).toBe(3)
    expect(progressAlong(definition, ['1', '2', '3'])).toEqual([25, 40, 50, (100 * 4) / 7])
  })

  it('begins at the block behind an edge to the middle of a group', () => {
    const definition = {
      groups: [group('g1', leaving(textInput('a'), 'e')), group('g2', textInput('x'), textInput('y'))],
      edges: [edge('e', 'g2', 'y')],
    }
    expect(aheadOf(definition)).toBe(2)
  })

  it('does not count what cannot be reached, nor what came before', () => {
    const definition = { groups: [group('g1', textInput('a'), textInput('b')), group('g2', textInput('x'))] }
    expect(progressAlong(definition, ['1'])).toEqual([100 / 3, 200 / 3])
  })
})

describe('what can still come across links', () => {
  const flow = (id: string, ...blocks: Json[]) => ({ id, blocks })

  it('includes what stands behind the link, at any depth', () => {
    const linked = [flow('b', link('c'), textInput('b')), flow('c', textInput('c'))]
    const definition = flow('a', link('b'), textInput('x'), textInput('y'))
    expect(aheadOf(definition, linked)).toBe(4)
    expect(progressAlong(definition, ['', '', '', ''], linked)).toEqual([20, 40, 60, 80, 100])
  })

  it('does not look into a link that was not entered yet', () => {
    expect(aheadOf(flow('a', textInput('i'), link('b')), [flow('b', textInput('b'))])).toBe(1)
  })

  it('is nothing more when the link is the last block', () => {
    const definition = { id: 'a', groups: [group('g1', link('b')), group('g2', textInput('x'))] }
    expect(aheadOf(definition, [flow('b', textInput('b'))])).toBe(1)
  })

  it('ends where the linked flow can not end', () => {
    const endless = { id: 'b', groups: [group('g1', leaving(textInput('b'), 'e'))], edges: [edge('e', 'g1')] }
    expect(aheadOf(flow('a', link('b'), textInput('x')), [endless])).toBe(1)
  })

  it.each([
    ['an empty group', [edge('e', 'g2')]],
    ['nothing', []],
  ])('includes the flow below when an edge leads to %s', (_, edges) => {
    const ending = { id: 'b', groups: [group('g1', leaving(textInput('b'), 'e')), group('g2')], edges }
    expect(aheadOf(flow('a', link('b'), textInput('x')), [ending])).toBe(2)
  })

  it('includes the flow below when only one of the ways ends', () => {
    const items = [leads('e'), leads('gone')]
    const ending = {
      id: 'b',
      groups: [group('g1', textInput('b'), choice('c', items, leads('e')))],
      edges: [edge('e', 'g1')],
    }
    expect(aheadOf(flow('a', link('b'), textInput('x')), [ending])).toBe(2)
  })

  it('counts an input of a flow that links to itself once', () => {
    const self = { id: 'l', type: 'Flow link', options: { flowId: 'current', groupId: 'g2' } }
    const definition = {
      groups: [
        group('g1', self, textInput('a'), textInput('b')),
        group('g2', textInput('x'), textInput('y')),
      ],
    }
    expect(aheadOf(definition)).toBe(4)
    const again = {
      groups: [
        group('g1', { ...self, options: { flowId: 'current', groupId: 'g3' } }, textInput('a')),
        group('g3', leaving(textInput('x'), 'e')),
      ],
      edges: [edge('e', 'g1', 'a')],
    }
    expect(aheadOf(again)).toBe(2)
  })
})
