import type { Analytics } from '../../schemas/analytics.ts'
import type { CountSum } from '../stores/counts/count-store.ts'
import type { CountKind } from '../stores/counts/turn-facts.ts'
import { medianSeconds } from './time-buckets.ts'

type BlockCounts = Analytics['blocks'][number]

interface Counted {
  readonly sums: Map<CountKind, { count: number; settled: number }>
  readonly times: Map<number, number>
}

/** Counts by block: those of the flow in its order, what else was counted behind them. */
export function blockCounts(sums: readonly CountSum[], order: readonly string[]): BlockCounts[] {
  const blocks = new Map<string, Counted>()
  const blockOf = (name: string): Counted => {
    const block = blocks.get(name) ?? { sums: new Map(), times: new Map() }
    blocks.set(name, block)
    return block
  }
  for (const { kind, name, count, settled } of sums) {
    if (kind === 'path' || kind === 'duration' || kind === 'edge' || kind === 'item') continue
    if (kind === 'time') {
      const [block, bucket] = splitLast(name)
      addTo(blockOf(block).times, Number(bucket), count)
      continue
    }
    const { sums: counted } = blockOf(name)
    const before = counted.get(kind) ?? { count: 0, settled: 0 }
    counted.set(kind, { count: before.count + count, settled: before.settled + settled })
  }
  const positions = new Map(order.map((name, index) => [name, index]))
  const position = (name: string) => positions.get(name) ?? Infinity
  const names = [...blocks.keys()].sort((one, other) => {
    const [before, after] = [position(one), position(other)]
    return before === after ? (one < other ? -1 : 1) : before - after
  })
  // A conversation that ended before any block ran has come to none.
  return names.filter((name) => name !== '').map((name) => countsOf(name, blockOf(name)))
}

function countsOf(name: string, { sums, times }: Counted): BlockCounts {
  const of = (kind: CountKind) => sums.get(kind)?.count ?? 0
  const settled = (kind: CountKind) => sums.get(kind)?.settled ?? 0
  const open = Math.max(0, of('asked') - of('moved on'))
  const silent = Math.min(open, Math.max(0, settled('asked') - settled('moved on')))
  const [ended, expired] = [of('ended'), of('expired')]
  const median = medianSeconds(times)
  return {
    ...countedPlaceOf(name),
    shown: of('shown'),
    asked: of('asked'),
    answered: of('answered'),
    refused: of('refused'),
    waiting: open - silent,
    left: ended + expired + silent,
    ended,
    expired,
    handedOver: of('handed over'),
    errors: of('error'),
    ...(median !== undefined && { medianSeconds: median }),
  }
}

/** Edges and items that were taken. */
export function waysTaken(sums: readonly CountSum[]): Pick<Analytics, 'edges' | 'items'> {
  const taken = (wanted: CountKind) => {
    const counts = new Map<string, number>()
    for (const { kind, name, count } of sums) if (kind === wanted) addTo(counts, name, count)
    return [...counts]
  }
  return {
    edges: taken('edge').map(([name, count]) => ({ ...countedEdgeOf(name), count })),
    items: taken('item').map(([name, count]) => ({ ...countedItemOf(name), count })),
  }
}

/** Time that half of all took at most. */
export function medianDuration(sums: readonly CountSum[]): number | undefined {
  const buckets = new Map<number, number>()
  for (const { kind, name, count } of sums) if (kind === 'duration') addTo(buckets, Number(name), count)
  return medianSeconds(buckets)
}

function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

/** As `TurnTally.nameOf` made it. */
export function countedPlaceOf(name: string): { blockId: string; flowId?: string } {
  const end = name.indexOf('\n')
  return end === -1 ? { blockId: name } : { flowId: name.slice(0, end), blockId: name.slice(end + 1) }
}

export function countedEdgeOf(name: string) {
  const { blockId: edgeId, ...flow } = countedPlaceOf(name)
  return { edgeId, ...flow }
}

export function countedItemOf(name: string) {
  const [block, itemId] = splitLast(name)
  return { ...countedPlaceOf(block), itemId }
}

export function splitLast(name: string): readonly [string, string] {
  const end = name.lastIndexOf('\n')
  return [name.slice(0, end), name.slice(end + 1)]
}
