import { asList, asName, asRecord } from './loose-json.ts'

/** How often an edge was gone along, in words, and how wide that is drawn. */
export interface EdgeTraffic {
  readonly words: string
  readonly width: number
}

/** Share of those who left at a block, and number of those who wait there now. */
export interface BlockTraffic {
  readonly left: string | undefined
  readonly waiting: number
}

/** Counts of live conversations on the published flow that is drawn. */
export interface Traffic {
  readonly conversations: number
  /** Of them those with an answer, and those that came to an end with one. */
  readonly started: number
  readonly completed: number
  readonly edges: ReadonlyMap<string, EdgeTraffic>
  readonly blocks: ReadonlyMap<string, BlockTraffic>
}

/** Widths of lines, in units of the drawing. */
const [thinnest, widest] = [1.5, 16]

const digits = new Intl.NumberFormat()

/** A number as the reader's language groups its digits. */
export const inDigits = (count: number): string => digits.format(count)

/** A part of a whole in percent. */
export const shareOf = (part: number, whole: number): string =>
  `${Math.round((part / Math.max(1, whole)) * 100)} %`

const countOf = (value: unknown) => (typeof value === 'number' ? value : 0)

/** Reads the counts of a flow (docs/analytics.md) for its graph; those of linked flows are not drawn. */
export function readTraffic(analytics: unknown): Traffic {
  const { conversations, started, completed, edges, blocks } = asRecord(analytics)
  const all = countOf(conversations)
  const own = (list: unknown) =>
    asList(list)
      .map(asRecord)
      .filter(({ flowId }) => flowId === undefined)
  const counted = own(edges).map(({ edgeId, count }) => ({ id: asName(edgeId), count: countOf(count) }))
  const most = Math.max(1, ...counted.map(({ count }) => count))
  return {
    conversations: all,
    started: countOf(started),
    completed: countOf(completed),
    edges: new Map(
      counted.map(({ id, count }) => [
        id,
        {
          words: all === 0 ? inDigits(count) : `${shareOf(count, all)}, ${inDigits(count)}`,
          width: thinnest + (count / most) * (widest - thinnest),
        },
      ]),
    ),
    blocks: new Map(
      own(blocks).map(({ blockId, asked, left, ended, waiting }) => {
        // Where nothing follows, nobody has left.
        const gone = countOf(left) - countOf(ended)
        const share = `−${shareOf(gone, countOf(asked))}`
        return [asName(blockId), { left: gone > 0 ? share : undefined, waiting: countOf(waiting) }]
      }),
    ),
  }
}

/** Marks of the traffic at a block, in a few characters. */
export const marksOf = ({ waiting, left }: Partial<BlockTraffic> = {}) =>
  [waiting ? `${waiting} here` : undefined, left].filter((mark) => mark !== undefined).join('  ')

/** Blocks and edges that have a place in the drawing. */
export interface Drawn {
  readonly blocks: ReadonlyMap<string, unknown>
  readonly edges: readonly { readonly id: string }[]
}

/** Tells in words how many blocks and edges of other versions have none. */
export function undrawn({ blocks, edges }: Traffic, drawn: Drawn): readonly string[] {
  const ways = new Set(drawn.edges.map(({ id }) => id))
  const lost = [
    [[...blocks.keys()].filter((id) => !drawn.blocks.has(id)).length, 'block'],
    [[...edges.keys()].filter((id) => !ways.has(id)).length, 'way'],
  ] as const
  return lost.flatMap(([many, what]) =>
    many > 0 ? [`${inDigits(many)} ${what}${many === 1 ? '' : 's'}`] : [],
  )
}
