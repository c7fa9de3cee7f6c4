import type { Block } from '../../../../schemas/blocks/index.ts'
import type { Flow } from '../../../../schemas/flow.ts'
import type { BlockMarks } from '../../../engine/model/block-handler.ts'
import type { Program } from '../../../engine/model/program.ts'
import { blockTexts } from './block-texts.ts'
import { conditionsOf } from './comparisons.ts'
import { waysOutOf } from './graph/ways-out.ts'
import type { PlacedBlock } from './placed-block.ts'

const noMarks: BlockMarks = Object.freeze({})

/** Finds the place of each block that can run; groups whose id is taken never do. */
export function* placeBlocks(flow: Flow, program: Program): Generator<PlacedBlock> {
  const seen = new Set<string>()
  for (const [groupIndex, group] of flow.groups.entries()) {
    if (seen.has(group.id)) continue
    seen.add(group.id)
    const compiledBlocks = program.groups.get(group.id)?.blocks ?? []
    for (const [index, compiled] of compiledBlocks.entries()) {
      const block = group.blocks[index] as Block
      const pointer = `/groups/${groupIndex}/blocks/${index}`
      const { kind, marks = noMarks } = compiled.handler ?? {}
      yield {
        block,
        group,
        pointer,
        compiled,
        kind,
        marks,
        texts: blockTexts(block),
        waysOut: waysOutOf(block, pointer),
        conditions: conditionsOf(block, pointer, marks),
      }
    }
  }
}
