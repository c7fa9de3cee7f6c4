import type { Block } from '../../../../schemas/blocks/index.ts'
import type { Group } from '../../../../schemas/flow.ts'
import type { BlockMarks } from '../../../engine/model/block-handler.ts'
import type { CompiledBlock } from '../../../engine/model/program.ts'
import type { BlockTexts } from './block-texts.ts'
import type { PlacedCondition } from './comparisons.ts'
import type { WayOut } from './graph/ways-out.ts'

/** A block of the definition in its place, with what was made of it. */
export interface PlacedBlock {
  readonly block: Block
  readonly group: Group
  /** JSON pointer into the definition. */
  readonly pointer: string
  readonly compiled: CompiledBlock
  /** Undefined for a type that this service does not know. */
  readonly kind: 'bubble' | 'input' | 'logic' | 'integration' | undefined
  /** Marks of its type; empty for one that this service does not know. */
  readonly marks: BlockMarks
  readonly texts: BlockTexts
  /** The items and card paths by which a walk can leave. */
  readonly waysOut: readonly WayOut[]
  /** Conditions that decide about its items. */
  readonly conditions: readonly PlacedCondition[]
}

/** The block as one of these types, for rules that look at no others. */
export function blockAs<Wanted extends Block>({ block }: PlacedBlock): Wanted {
  return block as Wanted
}

/** A block's name in messages. */
export function blockName({ block, group }: PlacedBlock): string {
  return `the ${block.type} block in group "${group.title ?? group.id}"`
}

/** The edges by which items of a block can leave. What an unknown block names is never taken. */
export function itemEdgesOf({ kind, waysOut }: PlacedBlock): readonly string[] {
  return kind === undefined ? [] : waysOut.flatMap(({ edgeId }) => edgeId ?? [])
}
