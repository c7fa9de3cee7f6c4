import type { Block } from '../../../../schemas/blocks/index.ts'
import type { Flow, Group } from '../../../../schemas/flow.ts'
import type { BlockMarks } from '../../../engine/model/block-handler.ts'
import type { CompiledBlock, Program } from '../../../engine/model/program.ts'
import { type BlockTexts, blockTexts } from './block-texts.ts'
import { conditionsOf, type PlacedCondition } from './comparisons.ts'
import { type WayOut, waysOutOf } from './graph/ways-out.ts'

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

/** A row that puts a part of an answer into a variable. */
interface MappingRow {
  readonly variableId?: string
  readonly bodyPath?: string
}

/** The rows by which a block puts parts of an answer into variables; none where its type has no mapping. */
export function mappingRowsOf({ block, marks: { mapping } }: PlacedBlock): readonly MappingRow[] {
  const { options } = block as { options?: Readonly<Record<string, readonly MappingRow[] | undefined>> }
  return (mapping && options?.[mapping.option]) ?? []
}

/** A block's name in messages. */
export function blockName({ block, group }: PlacedBlock): string {
  return `the ${block.type} block in group "${group.title ?? group.id}"`
}

/** The edges by which items of a block can leave. What an unknown block names is never taken. */
export function itemEdgesOf({ kind, waysOut }: PlacedBlock): readonly string[] {
  return kind === undefined ? [] : waysOut.flatMap(({ edgeId }) => edgeId ?? [])
}

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

/** The blocks at which a session can wait, as messages name them, by their ids. */
export function waitingBlocksOf(flow: Flow, program: Program): Map<string, string> {
  const waiting = [...placeBlocks(flow, program)].filter(waits)
  return new Map(waiting.map((placed) => [placed.block.id, blockName(placed)]))
}

/** A block that neither goes on by itself nor leads elsewhere waits for the client. */
function waits({ kind, compiled, marks: { decides, leaves } }: PlacedBlock): boolean {
  if (kind === 'input') return true
  return !compiled.isPassThrough && !decides && (leaves === undefined || kind === 'bubble')
}

/** Name of the account of the operator that a block calls with. */
interface AccountName {
  readonly type: string
  /** That of the type where the block names none. */
  readonly id: string
  readonly isNamed: boolean
}

/** The account of a block that is set up; undefined for one that makes no calls, or needs no account. */
export function accountOf({ block, marks }: PlacedBlock): AccountName | undefined {
  const options = ('options' in block ? block.options : undefined) as { credentialsId?: unknown } | undefined
  const type = marks.account?.(block)
  if (!options || type === undefined) return undefined
  const { credentialsId } = options
  if (typeof credentialsId === 'string' && credentialsId !== '')
    return { type, id: credentialsId, isNamed: true }
  if (!marks.calls) return undefined
  return { type, id: marks.mails && type === 'smtp' ? 'default' : `default-${type}`, isNamed: false }
}
