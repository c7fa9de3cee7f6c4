import { describe, expect, it } from 'vitest'
import { bubble, setVariable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const titled = (id: string, title: string, blocks: Json[]): Json => ({ id, title, blocks })

/** Jumps in a flow whose other groups are two baskets, the first of them with two bubbles. */
function jump(options: object, title = 'Basket') {
  const variables = [{ id: 'vNext', name: 'Next' }]
  const jumping: Json = { id: 'j1', type: 'Jump', options }
  const groups = [
    titled('g1', 'g1', [setVariable('s1', 'vNext', title), jumping, bubble('after', 'not here')]),
    titled('g2', 'Basket', [bubble('b8', 'top'), bubble('b9', 'inner')]),
    titled('g3', 'Basket', [bubble('b10', 'another')]),
  ]
  return walkFlow({ variables, groups })
}

function missing(description: string, details: object) {
  return { status: 'error', context: 'Jump', description, details: JSON.stringify(details) }
}

describe('a jump', () => {
  it('goes to the top of a group', () => {
    expect(jump({ groupId: 'g2' }).texts).toEqual(['top', 'inner'])
  })

  it('goes to a block of a group', () => {
    expect(jump({ groupId: 'g2', blockId: 'b9' }).texts).toEqual(['inner'])
  })

  it('goes to the first group of a title', () => {
    expect(jump({ groupId: '{{Next}}' }).texts).toEqual(['top', 'inner'])
  })

  it.each([
    ['g7', 'g7'],
    ['{{Nope}}', ''],
  ])('ends the path, with a log, at a group %j that does not exist', (groupId, groupIdOrTitle) => {
    const { texts, output } = jump({ groupId })
    expect(texts).toEqual([])
    expect(output.logs).toEqual([
      missing('The group to jump to does not exist', { groupIdOrTitle, jumpBlockId: 'j1' }),
    ])
  })

  it('ends the path, with a log, at a block that is in another group', () => {
    const { texts, output } = jump({ groupId: 'g2', blockId: 'b10' })
    expect(texts).toEqual([])
    expect(output.logs).toEqual([
      missing('The block to jump to is not in its group', {
        groupIdOrTitle: 'g2',
        jumpBlockId: 'j1',
        blockId: 'b10',
      }),
    ])
  })
})
