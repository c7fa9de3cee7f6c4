import { asList, asName, asRecord } from '../state/json.ts'

/** How often an edge was gone along, in words, and how wide that is drawn. */
export interface EdgeTraffic {
  readonly words: string
  readonly width: number
}

/** Who left at a block, and who waits there now. */
export interface BlockTraffic {
  readonly left: string | undefined
  readonly waiting: number
}

/** What live conversations did on the published flow that is drawn. */
export interface Traffic {
  readonly conversations: number
  readonly edges: ReadonlyMap<string, EdgeTraffic>
  readonly blocks: ReadonlyMap<string, BlockTraffic>
}

/** Widths of lines, in units of the drawing. */
const [thinnest, widest] = [1.5, 16]

const digits = new Intl.NumberFormat()

const countOf = (value: unknown) => (typeof value === 'number' ? value : 0)

/** Reads the counts of a flow (docs/analytics.md) for its graph; those of linked flows are not drawn. */
export function readTraffic(analytics: unknown): Traffic {
  const { conversations, edges, blocks } = asRecord(analytics)
  const all = countOf(conversations)
  const own = (list: unknown) =>
    asList(list)
      .map(asRecord)
      .filter(({ flowId }) => flowId === undefined)
  const counted = own(edges).map(({ edgeId, count }) => ({ id: asName(edgeId), count: countOf(count) }))
  const most = Math.max(1, ...counted.map(({ count }) => count))
  return {
    conversations: all,
    edges: new Map(
      counted.map(({ id, count }) => [
        id,
        {
          words:
            all === 0
              ? digits.format(count)
              : `${Math.round((count / all) * 100)} %, ${digits.format(count)}`,
          width: thinnest + (count / most) * (widest - thinnest),
        },
      ]),
    ),
    blocks: new Map(
      own(blocks).map(({ blockId, asked, left, ended, waiting }) => {
        // Where nothing follows, nobody has left.
        const gone = countOf(left) - countOf(ended)
        const share = Math.round((gone / Math.max(1, countOf(asked))) * 100)
        return [asName(blockId), { left: gone > 0 ? `−${share} %` : undefined, waiting: countOf(waiting) }]
      }),
    ),
  }
}
