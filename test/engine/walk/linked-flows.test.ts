import { describe, expect, it } from 'vitest'
import { computeProgress } from '../../../src/engine/turn/progress.ts'
import { bubble, edge, group, leaving, setVariable, textInput } from '../../fixtures/short-flows.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const link = (flowId: string, options = {}) => ({
  id: `to-${flowId}`,
  type: 'Flow link',
  options: { flowId, ...options },
})

const transcript = (variableId: string) => ({
  id: `transcript-${variableId}`,
  type: 'Set variable',
  options: { variableId, type: 'Transcript' },
})

describe('a flow behind a link', () => {
  it('lets the inputs behind a chain of last links count for the progress', () => {
    const linked = [
      { id: 'b', blocks: [link('c')] },
      { id: 'c', blocks: [textInput('c')] },
    ]
    const { conversation } = walkFlow({ id: 'a', blocks: [link('b'), textInput('x')] }, { linked })
    expect(computeProgress(conversation, false)).toBeCloseTo(100 / 3)
  })

  it('gives back the value of a name as it reads it itself', () => {
    const variables = [
      { id: 'n1', name: 'N' },
      { id: 'n2', name: 'N', value: 'default' },
    ]
    const inner = { id: 'b', variables, blocks: [setVariable('s', 'n1', 'Ann'), bubble('in', '{{N}}')] }
    const outer = [link('b', { mergeResults: true }), bubble('out', '{{N}}')]
    const { texts } = walkFlow(
      { id: 'a', variables: [{ id: 'n', name: 'N' }], blocks: outer },
      { linked: [inner] },
    )
    expect(texts).toEqual(['Ann', 'Ann'])
  })

  it('reads a transcript that began before the link', () => {
    const inner = {
      id: 'b',
      variables: [{ id: 't', name: 'T' }],
      blocks: [transcript('t'), bubble('m', '{{T}}')],
    }
    const { texts } = walkFlow({ id: 'a', blocks: [bubble('Hi'), link('b')] }, { linked: [inner] })
    expect(texts[1]).toContain('Hi')
  })

  it('keeps a transcript out of results when it gives it back', () => {
    const inner = { id: 'b', variables: [{ id: 't', name: 'T' }], blocks: [transcript('t')] }
    const outer = { id: 'a', variables: [{ id: 'x', name: 'T' }] }
    const blocks = [bubble('Hi'), link('b', { mergeResults: true })]
    const { turn } = walkFlow({ ...outer, blocks }, { linked: [inner] })
    expect(turn.currentFrame.variables.get('x')).toContain('Hi')
    expect([...turn.currentFrame.variables.sessionOnly]).toEqual(['x'])
  })

  it('shares the room for variables with the flow that it gives them back to', () => {
    const inner = { id: 'b', variables: [{ id: 'w', name: 'W' }], blocks: [setVariable('s', 'w', 'defghi')] }
    const blocks = [setVariable('s', 'v', 'abcdef'), link('b', { mergeResults: true })]
    const given = { linked: [inner], limits: { variablesLength: 8 } }
    const { turn, output } = walkFlow({ id: 'a', variables: [{ id: 'v', name: 'V' }], blocks }, given)
    expect(turn.currentFrame.variables.length).toBe(6)
    expect(output.logs).toEqual([
      {
        status: 'error',
        description: '"W" was not written: all variables together are limited to 8 characters',
        context: 'Variables',
      },
    ])
  })

  it('reports a block behind the link that is not in its group', () => {
    const groups = [group('g1', leaving(link('b'), 'e')), group('g2', bubble('top'))]
    const linked = [{ id: 'b', blocks: [bubble('b')] }]
    const { output, texts } = walkFlow({ id: 'a', groups, edges: [edge('e', 'g2', 'nope')] }, { linked })
    expect(texts).toEqual(['b', 'top'])
    expect(output.logs.map(({ description }) => description)).toEqual([
      'Block "nope" is not in its group, which runs from the top instead',
    ])
  })
})
