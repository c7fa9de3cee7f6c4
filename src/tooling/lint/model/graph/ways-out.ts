import type { Block } from '../../../../../schemas/blocks/index.ts'

/** An item of a block, or a path of an item, by which a walk can leave. */
export interface WayOut {
  /** JSON pointer into the definition. */
  readonly pointer: string
  readonly edgeId: string | undefined
  /** The ids that an edge may be drawn from. */
  readonly ids: readonly string[]
  /** The author's name for it; undefined for one without a label. */
  readonly label: string | undefined
}

interface Item {
  readonly id?: string
  readonly outgoingEdgeId?: string
  readonly content?: unknown
  readonly title?: string | null
  readonly text?: string
  readonly path?: string
  readonly paths?: readonly Item[]
}

const noItems: readonly Item[] = []
const noWays: readonly WayOut[] = []

/** The items of a block and the paths of its cards, in the order of the definition. */
export function waysOutOf(block: Block, pointer: string): readonly WayOut[] {
  const items = 'items' in block && Array.isArray(block.items) ? (block.items as readonly Item[]) : noItems
  if (items.length === 0) return noWays
  return items.flatMap((item, index) => {
    const at = `${pointer}/items/${index}`
    const paths = item.paths?.map((path, way) => wayOut(path, `${at}/paths/${way}`, item.id)) ?? []
    // A card is left by its paths; by itself where it has an edge all the same.
    return paths.length > 0 && item.outgoingEdgeId === undefined ? paths : [wayOut(item, at), ...paths]
  })
}

function wayOut(item: Item, pointer: string, itemId?: string): WayOut {
  const labels = [item.content, item.title, item.text, item.path]
  const label = labels.find((text): text is string => typeof text === 'string' && text !== '')
  const ids = [item.id, itemId].filter((id) => id !== undefined)
  return { pointer, edgeId: item.outgoingEdgeId, ids, label }
}
