import { describe, expect, it } from 'vitest'
import { TraceBuilder } from '../../../src/conversations/trace/trace-builder.ts'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { walkFlow } from '../../support/walk-flow.ts'

/** What is written down of the first turn of a definition. */
function recordStart(definition: Json, given: Parameters<typeof walkFlow>[1] = {}) {
  let now = 0
  const recorder = new TraceBuilder(() => now++)
  walkFlow(definition, { ...given, journal: recorder })
  return recorder.finish()
}

const hops = ({ steps }: ReturnType<typeof recordStart>) =>
  steps.map(({ block, went }) => [block.blockId, ...went.map(({ why }) => why)])

const compared = (operator: string, left: unknown, value: string) => {
  const comparison = { id: 'q', variableId: 'vL', comparisonOperator: operator, value }
  const items = [{ id: 'i', content: { comparisons: [comparison] } }]
  const { steps } = recordStart({
    variables: [{ id: 'vL', name: 'L', value: left }],
    blocks: [{ id: 'c', type: 'Condition', items }],
  })
  return steps[0]?.comparisons?.[0]
}

describe('a recorded turn', () => {
  it('says why it went from each block to the next', () => {
    const link = { id: 'l', type: 'Flow link', options: { flowId: 'other' } }
    const other = { id: 'other', blocks: [bubble('o')] }
    const recorded = recordStart(
      { blocks: [bubble('a'), link, { id: 'j', type: 'Jump', options: { groupId: 'nowhere' } }] },
      { linked: [other] },
    )
    expect(recorded.came).toEqual([{ why: 'start edge', edgeId: 'e-start' }])
    expect(hops(recorded)).toEqual([
      ['a', 'next in group'],
      ['l', 'link'],
      ['o', 'link ended'],
      ['j', 'missing group', 'end'],
    ])
    expect(recorded.steps.map(({ block }) => block.flowId)).toEqual(['flow-1', 'flow-1', 'other', 'flow-1'])
  })

  it('says that a budget ended it', () => {
    const loop = { id: 'j', type: 'Jump', options: { groupId: 'g1' } }
    const recorded = recordStart({ blocks: [loop] }, { limits: { blocksPerTurn: 2 } })
    expect(hops(recorded).at(-1)).toEqual(['j', 'limit'])
  })

  it('has the time until the next block, and what a block logged', () => {
    const { steps } = recordStart({ blocks: [{ id: 'x', type: 'unheard of' }, textInput('i')] })
    expect(steps.map(({ ms }) => ms)).toEqual([1, 1])
    expect(steps[0]?.logs).toEqual([
      'Block type "unheard of" is unknown to this server: the block was skipped',
    ])
  })

  it.each([
    ['Greater than', '7', '18', 'numbers', [7, 18], false],
    ['Greater than', 'forty-two', '8', 'different sizes', [9, 8], true],
    ['Less than', '2026-01-02', '2026-01-03', 'dates', [1767312000000, 1767398400000], true],
    ['Less than', 'abc', 'abcd', 'lengths', [3, 4], true],
    ['Greater than', ['a', 'b'], '1', 'lengths', [2, 1], true],
    ['Greater than', null, '1', 'presence', undefined, false],
    ['Equal to', 'a', 'a', 'texts', undefined, true],
    ['Equal to', ['a'], 'a', 'lists', undefined, true],
    ['Contains', 'abc', 'b', 'parts', undefined, true],
    ['Contains', ['abc'], 'b', 'elements', undefined, false],
    ['Starts with', 'abc', 'a', 'parts', undefined, true],
    ['Matches regex', 'abc', '^a', 'patterns', undefined, true],
    ['Is set', 'abc', '', 'presence', undefined, true],
  ])('%s %j %j compares %s', (operator, left, value, by, sizes, holds) => {
    expect(compared(operator, left, value)).toEqual({
      pointer: '/items/0/content/comparisons/0',
      variableId: 'vL',
      variable: 'L',
      operator,
      left,
      right: value,
      by,
      ...(sizes && { sizes }),
      holds,
    })
  })

  it('cuts long values, and ends where it grows too long', () => {
    const blocks = Array.from({ length: 300 }, (_, index) => bubble(`b${index}`, '{{Long}}'))
    const long = variable('Long', { value: 'x'.repeat(5000) })
    const { steps, isCut } = recordStart({ variables: [long], blocks })
    expect(JSON.stringify(steps[0]?.message)).toMatch(/"x{1024}…"/)
    expect([isCut, JSON.stringify(steps).length < 300_000]).toEqual([true, true])
  })

  it('is as any other for the visitor', () => {
    const definition = { variables: [variable('A')], blocks: [bubble('b', 'Hi {{A}}'), textInput('i')] }
    const recorder = new TraceBuilder(() => 0)
    expect(walkFlow(definition, { journal: recorder }).output).toEqual(walkFlow(definition).output)
  })
})
