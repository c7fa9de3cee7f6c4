import { describe, expect, it } from 'vitest'
import { describeLocation, describeLoop } from '../../../src/engine/turn/describe-location.ts'
import { bubble, group } from '../../fixtures/short-flows.ts'
import { programOf } from '../../support/walk-flow.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => bubble(`n${index}`))

const program = programOf({
  groups: [
    group('g1', bubble('a'), bubble('b')),
    group('g2', bubble('c')),
    { id: 'g3', blocks: [bubble('d')] },
    group('g4', ...numbered(25)),
  ],
})

/** The blocks with these ids. */
const trail = (...ids: string[]) =>
  ids.flatMap((id) => {
    const block = program.blocks.get(id)
    return block ? [block] : []
  })

const ids = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)

describe('the place of a block', () => {
  it('names the block, its type and its group', () => {
    expect(trail('c').map(describeLocation)).toEqual(['Block "c" (text) in group "G2" (g2)'])
    expect(trail('d').map(describeLocation)).toEqual(['Block "d" (text) in group "" (g3)'])
  })
})

describe('the loop at the end of a trail', () => {
  it('is not there when no block was run', () => {
    expect(describeLoop([])).toBe('No block was run')
  })

  it('is a single block that leads to itself', () => {
    expect(describeLoop(trail('a', 'c', 'c'))).toBe('Loop: group "G2" (g2): c')
  })

  it('names its blocks group by group, in the order of the last round, and nothing from before it', () => {
    expect(describeLoop(trail('d', 'a', 'c', 'b', 'a', 'c', 'b'))).toBe(
      'Loop: group "G1" (g1): a, b; group "G2" (g2): c',
    )
  })

  it('names a block that a round passes twice only once', () => {
    expect(describeLoop(trail('c', 'a', 'b', 'a', 'd', 'c'))).toBe(
      'Loop: group "G1" (g1): a, b; group "" (g3): d; group "G2" (g2): c',
    )
  })

  it('gives way to the last blocks when the last was not run before', () => {
    expect(describeLoop(trail('a'))).toBe('Last blocks: group "G1" (g1): a')
    expect(describeLoop(trail('a', 'a', 'b', 'c'))).toBe(
      'Last blocks: group "G1" (g1): a, b; group "G2" (g2): c',
    )
  })

  it('names the last 20 blocks of a long trail', () => {
    expect(describeLoop(trail(...ids(25)))).toBe(
      `Last blocks: group "G4" (g4): ${ids(25).slice(5).join(', ')}`,
    )
  })

  it.each([
    [20, ''],
    [21, ' and 1 more blocks'],
    [25, ' and 5 more blocks'],
  ])('of %i blocks names 20 and counts the rest', (count, rest) => {
    const round = ids(count)
    const named = round.slice(0, 20).join(', ')
    expect(describeLoop(trail(...round, ...round))).toBe(`Loop: group "G4" (g4): ${named}${rest}`)
  })
})
