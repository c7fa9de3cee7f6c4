import { assign } from '../../shared/assign.ts'
import type { BenchProps } from '../state/workbench.ts'

/** Leads to a block. */
export function BlockLink({ bench, blockId }: BenchProps & { readonly blockId: string }) {
  const block = bench.draft.parts.value.blocks.get(blockId)
  return (
    <button type="button" class="link" onClick={() => bench.select({ kind: 'block', blockId })}>
      {block ? `${block.groupTitle}: ${block.label}` : blockId}
    </button>
  )
}

/** Leads to an edge. */
export function EdgeLink({ bench, edgeId }: BenchProps & { readonly edgeId: string }) {
  const edge = bench.draft.parts.value.edges.get(edgeId)
  return (
    <button type="button" class="link" onClick={() => bench.select({ kind: 'edge', edgeId })}>
      {edge ? `to ${edge.target}` : edgeId}
    </button>
  )
}

/** Leads to a variable. */
export function VariableLink({
  bench,
  variableId,
  name,
}: BenchProps & { readonly variableId: string; readonly name: string }) {
  return (
    <button type="button" class="link" onClick={() => bench.select({ kind: 'variable', variableId })}>
      {name}
    </button>
  )
}

/** Leads to a turn; they are counted from 0 in here, and from 1 wherever people read of them. */
export function TurnLink({ bench, turn }: BenchProps & { readonly turn: number }) {
  return (
    <button type="button" class="link" onClick={assign(bench.chosenTurn, turn)}>
      Turn {turn + 1}
    </button>
  )
}
