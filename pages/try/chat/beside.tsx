import type { Entry } from '../../shared/chat/entry.ts'
import { plainText } from '../../shared/chat/plain-text.ts'
import type { BenchProps } from '../state/workbench.ts'

/** Leads from what was said to its block. */
export function BlockDot({ bench, entry }: BenchProps & { readonly entry: Entry }) {
  const blockId =
    entry.kind === 'message' ? entry.message.id : entry.kind === 'said' ? entry.blockId : undefined
  if (blockId === undefined) return null
  const selected = bench.selected.value
  return (
    <button
      type="button"
      class="place"
      aria-label={`Show the block of ${nameOf(entry)}`}
      aria-pressed={selected?.kind === 'block' && selected.blockId === blockId}
      onClick={() => bench.select({ kind: 'block', blockId })}
    />
  )
}

/** Characters of a message that name it. */
const longestName = 60

function nameOf(entry: Entry): string {
  if (entry.kind === 'said') return `your answer “${entry.text.slice(0, longestName)}”`
  if (entry.kind !== 'message') return 'this'
  if (entry.message.type !== 'text') return `this ${entry.message.type}`
  return `“${plainText(entry.message).trim().slice(0, longestName)}”`
}

/** Where a turn begins: the way back to what stands above it. */
export function TurnStart({ bench, index }: BenchProps & { readonly index: number }) {
  const { moments, isFree } = bench.trial
  const turn = moments.value.findIndex(({ said, firstEntry }) => said?.shown && firstEntry === index + 1)
  if (turn < 1) return null
  return (
    <button
      type="button"
      class="from-here"
      disabled={!isFree.value}
      aria-label={`Go on from here, the end of turn ${turn}`}
      onClick={() => void bench.backTo(turn - 1)}
    >
      Go on from here
    </button>
  )
}
