import { describe, expect, it } from 'vitest'
import { jump } from '../../../src/blocks/logic/jump.ts'
import type { RunContext } from '../../../src/engine/model/block-handler.ts'
import type { CompiledBlock, CompiledGroup, Target } from '../../../src/engine/model/program.ts'
import { prepareBlock } from '../../support/run-block.ts'

const group: CompiledGroup = { id: 'g2', title: 'Basket', blocks: [], find: () => undefined }
const top: Target = { kind: 'empty group', group }
const inner: Target = { kind: 'block', block: { id: 'b9' } as CompiledBlock }

/** Runs a jump in a flow whose only other group is `Basket` (`g2`) with the block `b9`. */
function run(options?: object, variables = {}) {
  const asked: string[] = []
  const findGroup: RunContext['findGroup'] = (by, value) => {
    asked.push(`${by} ${value}`)
    const isFound = by === 'id' ? value === 'g2' : value === 'Basket'
    return isFound ? { target: top, block: (id) => (id === 'b9' ? inner : undefined) } : undefined
  }
  const block = { id: 'b1', type: 'Jump', ...(options && { options }) }
  return { step: prepareBlock(jump, block, { variables, findGroup }).run(), asked }
}

function lost(description: string, details: object) {
  return {
    logs: [{ status: 'error', context: 'Jump', description, details: JSON.stringify(details) }],
    next: { to: 'end' },
  }
}

describe('Jump', () => {
  it('goes to the top of a group', () => {
    expect(run({ groupId: 'g2' }).step).toEqual({ next: { to: 'jump', target: top } })
  })

  it('goes to a block of a group', () => {
    expect(run({ groupId: 'g2', blockId: 'b9' }).step).toEqual({ next: { to: 'jump', target: inner } })
  })

  it('takes an empty block id for none', () => {
    expect(run({ groupId: 'g2', blockId: '' }).step).toEqual({ next: { to: 'jump', target: top } })
  })

  it('takes a lone placeholder for the title of a group', () => {
    const { step, asked } = run({ groupId: '{{Next}}' }, { Next: 'Basket' })
    expect(step).toEqual({ next: { to: 'jump', target: top } })
    expect(asked).toEqual(['title Basket'])
  })

  it('takes a text around a placeholder for an id as written', () => {
    expect(run({ groupId: 'g{{N}}' }, { N: '2' }).asked).toEqual(['id g{{N}}'])
  })

  it.each([undefined, {}, { groupId: '' }, { blockId: 'b9' }])('falls through, given %j', (options) => {
    expect(run(options).step).toEqual({ next: { to: 'fall through' } })
  })

  it('ends the path at a group that does not exist', () => {
    const details = { groupIdOrTitle: 'g7', jumpBlockId: 'b1' }
    expect(run({ groupId: 'g7' }).step).toEqual(lost('The group to jump to does not exist', details))
  })

  it('names an empty title when the placeholder has no value', () => {
    const details = { groupIdOrTitle: '', jumpBlockId: 'b1' }
    expect(run({ groupId: '{{Nope}}' }).step).toEqual(lost('The group to jump to does not exist', details))
  })

  it('ends the path at a block that is not in the group', () => {
    const details = { groupIdOrTitle: 'g2', jumpBlockId: 'b1', blockId: 'b7' }
    expect(run({ groupId: 'g2', blockId: 'b7' }).step).toEqual(
      lost('The block to jump to is not in its group', details),
    )
  })
})
