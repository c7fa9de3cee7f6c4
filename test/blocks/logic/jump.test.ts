import { describe, expect, it } from 'vitest'
import { jump } from '../../../src/blocks/logic/jumps.ts'
import { runBlock } from '../../support/run-block.ts'

function run(options?: object, variables = {}) {
  return runBlock(jump, { id: 'b1', type: 'Jump', ...(options && { options }) }, { variables }).next
}

describe('Jump', () => {
  it('names a group by its id', () => {
    expect(run({ groupId: 'g2' })).toEqual({
      to: 'jump',
      group: { by: 'id', value: 'g2', source: 'g2' },
      blockId: undefined,
    })
  })

  it('names a block of a group', () => {
    expect(run({ groupId: 'g2', blockId: 'b9' })).toMatchObject({ to: 'jump', blockId: 'b9' })
  })

  it('takes an empty block id for none', () => {
    expect(run({ groupId: 'g2', blockId: '' })).toMatchObject({ to: 'jump', blockId: undefined })
  })

  it('takes a lone placeholder for the title of a group', () => {
    expect(run({ groupId: '{{Next}}' }, { Next: 'Basket' })).toMatchObject({
      group: { by: 'title', value: 'Basket', source: '{{Next}}' },
    })
  })

  it('takes a placeholder without a value for an empty title', () => {
    expect(run({ groupId: '{{Nope}}' })).toMatchObject({ group: { by: 'title', value: '' } })
  })

  it('takes a text around a placeholder for an id as written', () => {
    expect(run({ groupId: 'g{{N}}' }, { N: '2' })).toMatchObject({ group: { by: 'id', value: 'g{{N}}' } })
  })

  it.each([undefined, {}, { groupId: '' }, { blockId: 'b9' }])('falls through, given %j', (options) => {
    expect(run(options)).toEqual({ to: 'fall through' })
  })
})
