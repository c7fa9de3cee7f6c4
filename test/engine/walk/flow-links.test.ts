import { describe, expect, it } from 'vitest'
import { leaveFrame } from '../../../src/engine/walk/flow-links.ts'
import { bubble, edge, group, leaving, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const link = (id: string, flowId: string, options = {}) => ({
  id,
  type: 'Flow link',
  options: { flowId, ...options },
})
const merging = { mergeResults: true }
const flow = (id: string, ...blocks: object[]) => ({ id, blocks })

describe('a link into another flow', () => {
  it('pushes its frame, with the block after the link to come back to', () => {
    const linked = [flow('b', textInput('i'))]
    const { conversation } = walkFlow(flow('a', link('l', 'b'), bubble('after')), { linked })
    expect(
      conversation.frames.map(({ program, resumeAt, mergesResults }) => [
        program.id,
        resumeAt?.id,
        mergesResults,
      ]),
    ).toEqual([
      ['a', undefined, false],
      ['b', 'after', false],
    ])
  })

  it('leaves three flows at once when only the first has somewhere to go on', () => {
    const linked = [
      flow('b', link('lb', 'c')),
      flow('c', link('lc', 'd')),
      flow('d', textInput('i'), bubble('d')),
    ]
    const walked = walkFlow(flow('a', link('la', 'b'), bubble('a')), { linked })
    expect(walked.conversation.frames.map(({ program }) => program.id)).toEqual(['a', 'b', 'c', 'd'])
    const replied = walked.reply('x')
    expect(replied.texts).toEqual(['d', 'a'])
    expect(replied.conversation.frames.map(({ program }) => program.id)).toEqual(['a'])
  })

  it('goes on in each flow that has somewhere to go on, innermost first', () => {
    const linked = [flow('b', link('lb', 'c'), bubble('b')), flow('c', bubble('c'))]
    expect(walkFlow(flow('a', link('la', 'b'), bubble('a')), { linked }).texts).toEqual(['c', 'b', 'a'])
  })

  it('stays where it is when an edge to a missing group ends it all', () => {
    const linked = [{ ...flow('b', leaving(bubble('b'), 'e')), edges: [edge('e', 'gone')] }]
    const { texts, conversation } = walkFlow(flow('a', link('l', 'b'), bubble('a')), { linked })
    expect(texts).toEqual(['b'])
    expect(conversation.frames.map(({ program }) => program.id)).toEqual(['a', 'b'])
    expect(conversation.waitingBlock).toBeUndefined()
  })
})

describe('the flow that was started', () => {
  it('is never left', () => {
    const { turn, conversation } = walkFlow(flow('a', bubble('a')))
    expect(conversation.frames[0].program.id).toBe('a')
    expect(() => leaveFrame(turn)).toThrow('the flow that was started is never left')
  })
})

describe('the way back from a link', () => {
  const linked = [flow('b', bubble('b'))]
  const backAlong = (...edges: object[]) =>
    walkFlow(
      {
        id: 'a',
        groups: [
          group('g1', leaving(link('l', 'b'), 'e'), bubble('below')),
          group('g2', bubble('top'), bubble('inner')),
          group('g3'),
        ],
        edges,
      },
      { linked },
    )

  it('is its own edge, to a group or a block of it', () => {
    expect(backAlong(edge('e', 'g2')).texts).toEqual(['b', 'top', 'inner'])
    expect(backAlong(edge('e', 'g2', 'inner')).texts).toEqual(['b', 'inner'])
  })

  it('is the end when its own edge leads to an empty group, and nothing is wrong with that', () => {
    const { texts, output } = backAlong(edge('e', 'g3'))
    expect([texts, output.logs]).toEqual([['b'], []])
  })

  it.each([['a missing group', [edge('e', 'gone')]] as const, ['nothing', []] as const])(
    'is the end, with a log, when its own edge leads to %s',
    (_, edges) => {
      const { texts, output } = backAlong(...edges)
      expect(texts).toEqual(['b'])
      expect(output.logs).toEqual([
        {
          status: 'error',
          description: 'Edge "e" leads nowhere: nothing follows the link',
          details: 'Block "l" (Flow link) in group "G1" (g1)',
        },
      ])
    },
  )
})

describe('links inside each other', () => {
  const self = flow('a', bubble('m'), link('l', 'current'), bubble('back'))

  it('are followed as deep as allowed, and the one too many is passed by with a log', () => {
    const { texts, output } = walkFlow(self, { limits: { linkDepth: 2 } })
    expect(texts).toEqual(['m', 'm', 'm', 'back', 'back', 'back'])
    expect(output.logs).toEqual([
      {
        status: 'error',
        description: 'Flow link could not be followed: links are limited to 2 inside each other',
        details: 'Block "l" (Flow link) in group "Group 1" (g1)',
      },
    ])
  })

  it('are passed by along their own edge when they have one', () => {
    const definition = {
      groups: [
        group('g1', leaving(link('l', 'current'), 'e'), bubble('below')),
        group('g2', bubble('beside')),
      ],
      edges: [edge('e', 'g2')],
    }
    expect(walkFlow(definition, { limits: { linkDepth: 0 } }).texts).toEqual(['beside'])
  })
})

describe('values', () => {
  const shown = bubble('shown', '{{Name}}|{{Guest}}')
  const inner = (...blocks: object[]) => ({
    ...flow('b', ...blocks),
    variables: [variable('Name', { value: 'Bob' }), variable('Guest'), variable('Other', { value: 'kept' })],
  })
  const outer = (options: object) => ({
    ...flow('a', setVariable('s', 'vName', 'Ann'), link('l', 'b', options), shown),
    variables: [variable('Name')],
  })

  it('go in by name, and defaults hold where a namesake holds nothing', () => {
    const definition = {
      ...flow('a', link('l', 'b')),
      variables: [variable('Name', { value: '' }), variable('Guest', { value: [] })],
    }
    const { texts } = walkFlow(definition, { linked: [inner(shown)] })
    expect(texts).toEqual(['Bob|'])
    expect(walkFlow(outer({}), { linked: [inner(shown)] }).texts[0]).toBe('Ann|')
  })

  it.each([
    [merging, 'Cid|Dan'],
    [{ mergeResults: false }, 'Ann|'],
    [{}, 'Ann|'],
  ])('come back as %j says, unknown names included', (options, expected) => {
    const linked = [inner(setVariable('x', 'vName', 'Cid'), setVariable('y', 'vGuest', 'Dan'))]
    expect(walkFlow(outer(options), { linked }).texts).toEqual([expected])
  })

  it('come back only where they hold something', () => {
    const linked = [inner({ id: 'x', type: 'Set variable', options: { variableId: 'vName', type: 'Empty' } })]
    expect(walkFlow(outer(merging), { linked }).texts).toEqual(['Ann|'])
  })

  it('of undeclared names travel through every flow that merges, and into the next link', () => {
    const linked = [
      flow('b', link('lb', 'c', merging)),
      { ...flow('c', setVariable('s', 'vGuest', 'Dan')), variables: [variable('Guest')] },
      { ...flow('d', shown), variables: [variable('Guest', { value: 'nobody' })] },
    ]
    const definition = flow('a', link('l', 'b', merging), link('l2', 'd'), { ...shown, id: 'own' })
    const { texts, turn } = walkFlow(definition, { linked })
    expect(texts).toEqual(['|Dan', '|Dan'])
    expect([...turn.currentFrame.variables.inherited]).toEqual([['Guest', 'Dan']])
  })

  it('come from the nearest flow that knows the name', () => {
    const linked = [
      { ...flow('b', setVariable('s', 'vName', 'near'), link('lb', 'c')), variables: [variable('Name')] },
      { ...flow('c', bubble('m', '{{Name}} {{Far}}')), variables: [variable('Name'), variable('Far')] },
    ]
    const variables = [variable('Name', { value: 'far' }), variable('Far', { value: 'away' })]
    const { texts } = walkFlow({ ...flow('a', link('l', 'b')), variables }, { linked })
    expect(texts).toEqual(['near away'])
  })

  it('are one set when a flow links to itself', () => {
    const definition = {
      ...flow('a'),
      groups: [
        group('g1', link('l', 'current', { groupId: 'g2' }), shown),
        group('g2', setVariable('s', 'vName', 'Ann')),
      ],
      variables: [variable('Name', { value: 'Bob' })],
    }
    const { blocks: _, ...whole } = definition
    expect(walkFlow(whole).texts).toEqual(['Ann|'])
  })
})

describe('a part of the flow itself', () => {
  it('shares values, answers and result with the rest', () => {
    const groups = [group('g1', link('l', 'current', { groupId: 'g2' })), group('g2', textInput('i'))]
    const [whole, part] = walkFlow({ groups }).conversation.frames
    expect(part).toMatchObject({ resultId: 'result-1', mergesResults: true })
    expect([part?.variables === whole?.variables, part?.answers === whole?.answers]).toEqual([true, true])
  })
})

describe('answers', () => {
  const linked = [{ ...flow('b', textInput('i', 'vName')), variables: [variable('Name')] }]
  const answersAfter = (options: object) => {
    const definition = {
      ...flow(
        'a',
        textInput('first', 'vName'),
        textInput('second'),
        link('l', 'b', options),
        textInput('last'),
      ),
      variables: [variable('Name')],
    }
    const walked = walkFlow(definition, { linked }).reply('1').reply('2').reply('3')
    return [...walked.turn.currentFrame.answers]
  }

  it('go in and come back when the link merges, the latest last', () => {
    expect(answersAfter(merging)).toEqual([
      ['Group 1 (1)', '2'],
      ['Name', '3'],
    ])
  })

  it('stay apart when it does not', () => {
    expect(answersAfter({})).toEqual([
      ['Name', '1'],
      ['Group 1 (1)', '2'],
    ])
    const walked = walkFlow(flow('a', textInput('first'), link('l', 'b')), { linked }).reply('1')
    expect([...walked.turn.currentFrame.answers]).toEqual([])
  })
})

describe('the result of a linked flow', () => {
  const linked = [flow('b', textInput('i'), link('lb', 'c')), flow('c', textInput('j'))]
  const resultsOf = ({ conversation }: ReturnType<typeof walkFlow>) =>
    conversation.frames.map(({ resultId }) => resultId)

  it('is its own when it does not merge, by a fresh id', () => {
    const walked = walkFlow(flow('a', link('l', 'b')), { linked })
    expect(resultsOf(walked)).toEqual(['result-1', 'id-1'])
    expect(walked.asked.filter(({ type }) => type !== 'yield')).toEqual([
      { type: 'link', flowId: 'b' },
      { type: 'id' },
    ])
  })

  it('is that of its caller when it merges', () => {
    const walked = walkFlow(flow('a', link('l', 'b', merging)), { linked })
    expect(resultsOf(walked)).toEqual(['result-1', 'result-1'])
    expect(walked.asked.map(({ type }) => type)).not.toContain('id')
  })

  it('takes its values along, which are counted as characters with each link', () => {
    const variables = [variable('Name', { value: 'x'.repeat(100) })]
    const definition = { ...flow('a', link('l', 'b')), variables }
    const stops = (charactersPerTurn: number, options = {}) =>
      walkFlow(
        { ...definition, blocks: [link('l', 'b', options)] },
        { linked: [{ ...flow('b'), variables }], limits: { charactersPerTurn } },
      ).turn.budget.isStopped
    expect([stops(100), stops(99), stops(100, merging), stops(99, merging)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('is not begun when its values have no room, and the link is passed by', () => {
    const variables = [variable('Name')]
    const blocks = [setVariable('s', 'vName', `"${'x'.repeat(60)}"`), link('l', 'b'), bubble('after')]
    const { output, texts } = walkFlow(
      { variables, blocks },
      { linked: [{ ...flow('b', bubble('b')), variables }], limits: { variablesLength: 100 } },
    )
    expect(texts).toEqual(['after'])
    expect(output.logs).toMatchObject([{ description: expect.stringContaining('limited to 100 characters') }])
  })

  it('leaves room for what gets shorter', () => {
    const variables = [variable('Name', { value: 'y'.repeat(5) }), variable('Other')]
    const blocks = [
      setVariable('s', 'vOther', `"${'x'.repeat(60)}"`),
      link('l', 'b', merging),
      setVariable('t', 'vOther', '"short"'),
      bubble('after', '{{Other}}'),
    ]
    const { texts } = walkFlow(
      { variables, blocks },
      { linked: [{ ...flow('b'), variables }], limits: { variablesLength: 130 } },
    )
    expect(texts).toEqual(['short'])
  })

  it('is none in a preview', () => {
    const walked = walkFlow(flow('a', link('l', 'b'), bubble('x')), { linked, isLive: false })
    expect(resultsOf(walked)).toEqual([undefined, undefined])
    expect(walked.asked.map(({ type }) => type)).not.toContain('id')
    expect(walked.reply('1').reply('2').output.finished).toEqual([])
  })

  it('is finished when its flow ends, innermost first', () => {
    const walked = walkFlow(flow('a', link('l', 'b')), { linked }).reply('1')
    expect(walked.output.finished).toEqual([])
    expect(walked.reply('2').output.finished.map(({ program, resultId }) => [program.id, resultId])).toEqual([
      ['c', 'id-2'],
      ['b', 'id-1'],
    ])
  })

  it('is not finished by the end of a flow that merges, nor of a part of the flow itself', () => {
    const merged = walkFlow(flow('a', link('l', 'b', merging)), { linked: [flow('b', bubble('b'))] })
    expect(merged.output.finished).toEqual([])
    const groups = [group('g1', link('l', 'current', { groupId: 'g2' })), group('g2')]
    expect(walkFlow({ groups }).output.finished).toEqual([])
  })
})
