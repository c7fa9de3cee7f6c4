import { describe, expect, it } from 'vitest'
import { rootFrameOf } from '../../../src/engine/model/conversation.ts'
import { leaveFrame } from '../../../src/engine/walk/flow-links.ts'
import { asks, edge, group, leaving, says, sets, walkFlow } from '../../support/walk-flow.ts'

const link = (id: string, flowId: string, options = {}) => ({
  id,
  type: 'Flow link',
  options: { flowId, ...options },
})
const merging = { mergeResults: true }
const variable = (name: string, value: unknown = null) => ({ id: `v${name}`, name, value })
const flow = (id: string, ...blocks: object[]) => ({ id, blocks })

describe('a link into another flow', () => {
  it('puts it in front, with the place behind the link to come back to', () => {
    const linked = [flow('b', asks('i'))]
    const { conversation } = walkFlow(flow('a', link('l', 'b'), says('after')), { linked })
    expect(
      conversation.frames.map(({ program, resumeAt, mergesResults }) => [
        program.id,
        resumeAt?.id,
        mergesResults,
      ]),
    ).toEqual([
      ['b', 'after', false],
      ['a', undefined, false],
    ])
  })

  it('leaves three flows at once when only the first has somewhere to go on', () => {
    const linked = [flow('b', link('lb', 'c')), flow('c', link('lc', 'd')), flow('d', asks('i'), says('d'))]
    const walked = walkFlow(flow('a', link('la', 'b'), says('a')), { linked })
    expect(walked.conversation.frames.map(({ program }) => program.id)).toEqual(['d', 'c', 'b', 'a'])
    const replied = walked.reply('x')
    expect(replied.texts).toEqual(['d', 'a'])
    expect(replied.conversation.frames.map(({ program }) => program.id)).toEqual(['a'])
  })

  it('goes on in each flow that has somewhere to go on, innermost first', () => {
    const linked = [flow('b', link('lb', 'c'), says('b')), flow('c', says('c'))]
    expect(walkFlow(flow('a', link('la', 'b'), says('a')), { linked }).texts).toEqual(['c', 'b', 'a'])
  })

  it('stays where it is when an edge to a missing group ends it all', () => {
    const linked = [{ ...flow('b', leaving(says('b'), 'e')), edges: [edge('e', 'gone')] }]
    const { texts, conversation } = walkFlow(flow('a', link('l', 'b'), says('a')), { linked })
    expect(texts).toEqual(['b'])
    expect(conversation.frames.map(({ program }) => program.id)).toEqual(['b', 'a'])
    expect(conversation.waitingBlock).toBeUndefined()
  })
})

describe('the flow that was started', () => {
  it('is never left', () => {
    const { turn, conversation } = walkFlow(flow('a', says('a')))
    expect(rootFrameOf(conversation).program.id).toBe('a')
    expect(() => leaveFrame(turn)).toThrow('the flow that was started is never left')
  })
})

describe('the way back from a link', () => {
  const linked = [flow('b', says('b'))]
  const backAlong = (...edges: object[]) =>
    walkFlow(
      {
        id: 'a',
        groups: [
          group('g1', leaving(link('l', 'b'), 'e'), says('below')),
          group('g2', says('top'), says('inner')),
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
  const self = flow('a', says('m'), link('l', 'current'), says('back'))

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
      groups: [group('g1', leaving(link('l', 'current'), 'e'), says('below')), group('g2', says('beside'))],
      edges: [edge('e', 'g2')],
    }
    expect(walkFlow(definition, { limits: { linkDepth: 0 } }).texts).toEqual(['beside'])
  })
})

describe('values', () => {
  const shown = says('shown', '{{Name}}|{{Guest}}')
  const inner = (...blocks: object[]) => ({
    ...flow('b', ...blocks),
    variables: [variable('Name', 'Bob'), variable('Guest'), variable('Other', 'kept')],
  })
  const outer = (options: object) => ({
    ...flow('a', sets('s', 'vName', 'Ann'), link('l', 'b', options), shown),
    variables: [variable('Name')],
  })

  it('go in by name, and defaults hold where a namesake holds nothing', () => {
    const definition = {
      ...flow('a', link('l', 'b')),
      variables: [variable('Name', ''), variable('Guest', [])],
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
    const linked = [inner(sets('x', 'vName', 'Cid'), sets('y', 'vGuest', 'Dan'))]
    expect(walkFlow(outer(options), { linked }).texts).toEqual([expected])
  })

  it('come back only where they hold something', () => {
    const linked = [inner({ id: 'x', type: 'Set variable', options: { variableId: 'vName', type: 'Empty' } })]
    expect(walkFlow(outer(merging), { linked }).texts).toEqual(['Ann|'])
  })

  it('of undeclared names travel through every flow that merges, and into the next link', () => {
    const linked = [
      flow('b', link('lb', 'c', merging)),
      { ...flow('c', sets('s', 'vGuest', 'Dan')), variables: [variable('Guest')] },
      { ...flow('d', shown), variables: [variable('Guest', 'nobody')] },
    ]
    const definition = flow('a', link('l', 'b', merging), link('l2', 'd'), { ...shown, id: 'own' })
    const { texts, turn } = walkFlow(definition, { linked })
    expect(texts).toEqual(['|Dan', '|Dan'])
    expect([...turn.currentFrame.variables.inherited]).toEqual([['Guest', 'Dan']])
  })

  it('come from the nearest flow that knows the name', () => {
    const linked = [
      { ...flow('b', sets('s', 'vName', 'near'), link('lb', 'c')), variables: [variable('Name')] },
      { ...flow('c', says('m', '{{Name}} {{Far}}')), variables: [variable('Name'), variable('Far')] },
    ]
    const variables = [variable('Name', 'far'), variable('Far', 'away')]
    const { texts } = walkFlow({ ...flow('a', link('l', 'b')), variables }, { linked })
    expect(texts).toEqual(['near away'])
  })

  it('are one set when a flow links to itself', () => {
    const definition = {
      ...flow('a'),
      groups: [
        group('g1', link('l', 'current', { groupId: 'g2' }), shown),
        group('g2', sets('s', 'vName', 'Ann')),
      ],
      variables: [variable('Name', 'Bob')],
    }
    const { blocks: _, ...whole } = definition
    expect(walkFlow(whole).texts).toEqual(['Ann|'])
  })
})

describe('a part of the flow itself', () => {
  it('shares values, answers and result with the rest', () => {
    const groups = [group('g1', link('l', 'current', { groupId: 'g2' })), group('g2', asks('i'))]
    const [part, whole] = walkFlow({ groups }).conversation.frames
    expect(part).toMatchObject({ resultId: 'result-1', mergesResults: true })
    expect([part?.variables === whole?.variables, part?.answers === whole?.answers]).toEqual([true, true])
  })
})

describe('answers', () => {
  const linked = [{ ...flow('b', asks('i', 'vName')), variables: [variable('Name')] }]
  const answersAfter = (options: object) => {
    const definition = {
      ...flow('a', asks('first', 'vName'), asks('second'), link('l', 'b', options), asks('last')),
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
    const walked = walkFlow(flow('a', asks('first'), link('l', 'b')), { linked }).reply('1')
    expect([...walked.turn.currentFrame.answers]).toEqual([])
  })
})

describe('the result of a linked flow', () => {
  const linked = [flow('b', asks('i'), link('lb', 'c')), flow('c', asks('j'))]
  const resultsOf = ({ conversation }: ReturnType<typeof walkFlow>) =>
    conversation.frames.map(({ resultId }) => resultId)

  it('is its own when it does not merge, by a fresh id', () => {
    const walked = walkFlow(flow('a', link('l', 'b')), { linked })
    expect(resultsOf(walked)).toEqual(['id-1', 'result-1'])
    expect(walked.asked.filter(({ type }) => type !== 'yield')).toEqual([
      { type: 'link', flowId: 'b' },
      { type: 'id' },
    ])
  })

  it('is that of the flow below when it merges', () => {
    const walked = walkFlow(flow('a', link('l', 'b', merging)), { linked })
    expect(resultsOf(walked)).toEqual(['result-1', 'result-1'])
    expect(walked.asked.map(({ type }) => type)).not.toContain('id')
  })

  it('takes its values along, which are counted as characters with each link', () => {
    const variables = [variable('Name', 'x'.repeat(100))]
    const definition = { ...flow('a', link('l', 'b')), variables }
    const stops = (charactersPerTurn: number, options = {}) =>
      walkFlow(
        { ...definition, blocks: [link('l', 'b', options)] },
        { linked: [{ ...flow('b'), variables }], limits: { charactersPerTurn } },
      ).turn.isStopped
    expect([stops(100), stops(99), stops(100, merging), stops(99, merging)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('is not begun when its values have no room, and the link is passed by', () => {
    const variables = [variable('Name')]
    const blocks = [sets('s', 'vName', `"${'x'.repeat(60)}"`), link('l', 'b'), says('after')]
    const { output, texts } = walkFlow(
      { variables, blocks },
      { linked: [{ ...flow('b', says('b')), variables }], limits: { variablesLength: 100 } },
    )
    expect(texts).toEqual(['after'])
    expect(output.logs).toMatchObject([{ description: expect.stringContaining('limited to 100 characters') }])
  })

  it('leaves room for what gets shorter', () => {
    const variables = [variable('Name', 'y'.repeat(5)), variable('Other')]
    const blocks = [
      sets('s', 'vOther', `"${'x'.repeat(60)}"`),
      link('l', 'b', merging),
      sets('t', 'vOther', '"short"'),
      says('after', '{{Other}}'),
    ]
    const { texts } = walkFlow(
      { variables, blocks },
      { linked: [{ ...flow('b'), variables }], limits: { variablesLength: 130 } },
    )
    expect(texts).toEqual(['short'])
  })

  it('is none in a preview', () => {
    const walked = walkFlow(flow('a', link('l', 'b'), says('x')), { linked, isLive: false })
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
    const merged = walkFlow(flow('a', link('l', 'b', merging)), { linked: [flow('b', says('b'))] })
    expect(merged.output.finished).toEqual([])
    const groups = [group('g1', link('l', 'current', { groupId: 'g2' })), group('g2')]
    expect(walkFlow({ groups }).output.finished).toEqual([])
  })
})
