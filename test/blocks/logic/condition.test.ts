import { describe, expect, it } from 'vitest'
import { condition } from '../../../src/blocks/logic/branches.ts'
import { converse, declare, logsOf, messagesOf } from '../../support/converse.ts'
import { impatientLimits } from '../../support/limits.ts'
import { prepareBlock, runBlock } from '../../support/run-block.ts'

const is = (value: string) => ({
  comparisons: [{ id: `q-${value}`, variableId: 'vPlan', comparisonOperator: 'Equal to', value }],
})

const block = {
  id: 'c1',
  type: 'Condition',
  items: [
    { id: 'none', outgoingEdgeId: 'e-none' },
    { id: 'pro', outgoingEdgeId: 'e-pro', content: is('pro') },
    { id: 'pro-again', outgoingEdgeId: 'e-again', content: is('pro') },
    { id: 'free', content: is('free') },
  ],
}

const leave = (Plan: string | null) => runBlock(condition, block, { variables: { Plan } })

describe('a condition block', () => {
  it('leaves by the first item that holds', () => {
    expect(leave('pro')).toEqual({ next: { to: 'edge', edgeId: 'e-pro' }, item: { item: 'pro' } })
  })

  it('ends the path at an item that holds and leads nowhere', () => {
    expect(leave('free')).toEqual({ next: { to: 'end' }, item: { item: 'free' } })
  })

  it('leaves by the default way when no item holds', () => {
    expect(leave('basic')).toEqual({})
  })

  it.each([{}, { items: [] }])('leaves by the default way without items: %j', (rest) => {
    expect(runBlock(condition, { id: 'c1', type: 'Condition', ...rest })).toEqual({})
  })

  it('names the edges of its items', () => {
    expect(condition.itemEdgeIds?.(block)).toEqual(['e-none', 'e-pro', 'e-again'])
    expect(condition.itemEdgeIds?.({ id: 'c1', type: 'Condition' })).toEqual([])
  })

  it('reports where a pattern is that can not be used', () => {
    const comparison = { id: 'q', variableId: 'vPlan', comparisonOperator: 'Matches regex', value: '/(/' }
    const items = [{ id: 'i1' }, { id: 'i2', content: { comparisons: [comparison] } }]
    const prepared = prepareBlock(condition, { ...block, items } as typeof block, {
      variables: { Plan: 'a' },
    })
    expect(prepared.findings).toMatchObject([{ at: '/items/1/content/comparisons/0/value' }])
    expect(prepared.run()).toEqual({})
    expect(prepared.logs).toMatchObject([{ status: 'error' }])
  })
})

describe('a pattern that only the sandbox looks for', () => {
  const ask = (value: string, given?: Parameters<typeof converse>[2]) =>
    converse(
      {
        variables: declare({ Password: undefined }),
        groups: [
          {
            id: 'g1',
            blocks: [
              { id: 'q', type: 'text input', options: { variableId: 'vPassword' } },
              {
                id: 'c',
                type: 'Condition',
                items: [
                  {
                    id: 'i',
                    outgoingEdgeId: 'e',
                    content: {
                      comparisons: [
                        { id: 'x', variableId: 'vPassword', comparisonOperator: 'Matches regex', value },
                      ],
                    },
                  },
                ],
              },
              { id: 'weak', type: 'image', content: { url: 'weak' } },
            ],
          },
          { id: 'g2', blocks: [{ id: 'strong', type: 'image', content: { url: 'strong' } }] },
        ],
        edges: [{ id: 'e', to: { groupId: 'g2' } }],
      },
      {},
      given,
    )

  it.each([
    ['Passw0rd', 'strong'],
    ['password', 'weak'],
  ])('sends %s to %s', async (password, expected) => {
    const conversation = await ask('^(?=.*\\d)(?=.*[A-Z]).{8,}$')
    const response = await conversation.say(password)
    expect(messagesOf(response).map(({ id }) => id)).toEqual([expected])
    expect(logsOf(response)).toEqual([])
  })

  it('is cut off when it backtracks without end', async () => {
    const conversation = await ask('(?=(a|aa)+$)b', { limits: impatientLimits })
    const response = await conversation.say(`${'a'.repeat(60)}!`)
    expect(messagesOf(response).map(({ id }) => id)).toEqual(['weak'])
    expect(logsOf(response)).toMatchObject([
      { status: 'error', description: expect.stringContaining('"c" matches nothing: The code runs longer') },
    ])
  })
})
