import { describe, expect, it } from 'vitest'
import type { AbTestBlock } from '../../../schemas/blocks/logic.ts'
import { abTest } from '../../../src/blocks/logic/branches.ts'
import { runBlock, withoutItems } from '../../support/run-block.ts'

interface Case {
  readonly a?: string
  readonly b?: string
  readonly aPercent?: number
}

function block({ a, b, aPercent }: Case): AbTestBlock {
  return {
    id: 'b1',
    type: 'AB test',
    items: [
      { id: 'i1', path: 'a', ...(a && { outgoingEdgeId: a }) },
      { id: 'i2', path: 'b', ...(b && { outgoingEdgeId: b }) },
    ],
    ...(aPercent !== undefined && { options: { aPercent } }),
  }
}

const both = { a: 'e-a', b: 'e-b' }

describe('AB test', () => {
  it.each([
    [both, 0.4999, 'e-a'],
    [both, 0.5, 'e-b'],
    [{ ...both, aPercent: 100 }, 0.999, 'e-a'],
    [{ ...both, aPercent: 0 }, 0, 'e-b'],
    [{ ...both, aPercent: 12.5 }, 0.1249, 'e-a'],
    [{ ...both, aPercent: 12.5 }, 0.125, 'e-b'],
    [{ b: 'e-b', aPercent: 100 }, 0, 'e-b'],
    [{ a: 'e-a', aPercent: 100 }, 0.9, 'e-a'],
  ])('given %j and a draw of %d leaves by %s', (given, random, edgeId) => {
    expect(withoutItems(runBlock(abTest, block(given), { effects: { random } }))).toEqual({
      next: { to: 'edge', edgeId },
    })
  })

  it.each([
    [{ a: 'e-a', aPercent: 0 }, 0],
    [{ a: 'e-a' }, 0.9],
    [{}, 0],
  ])('given %j and a draw of %d falls through', (given, random) => {
    expect(withoutItems(runBlock(abTest, block(given), { effects: { random } }))).toEqual({
      next: { to: 'fall through' },
    })
  })

  it('uses the positions of its items, not by their labels', () => {
    const swapped: AbTestBlock = {
      id: 'b1',
      type: 'AB test',
      items: [
        { id: 'i1', path: 'b', outgoingEdgeId: 'e-first' },
        { id: 'i2', path: 'a', outgoingEdgeId: 'e-second' },
      ],
    }
    const step = runBlock(abTest, swapped, { effects: { random: 0 } })
    const item = { item: 'i1', isDrawn: true }
    expect(step).toEqual({ next: { to: 'edge', edgeId: 'e-first' }, item })
  })

  it('names the edges of its items', () => {
    expect(abTest.itemEdgeIds?.(block(both))).toEqual(['e-a', 'e-b'])
    expect(abTest.itemEdgeIds?.(block({ b: 'e-b' }))).toEqual(['e-b'])
  })
})
