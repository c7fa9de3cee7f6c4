import type { CodeOwner } from '../../ports/code-sandbox-port.ts'

/** Group for fair sharing: each published flow is one, and all previews together are one. */
export function groupOf(owner: CodeOwner | undefined): string {
  return owner?.kind === 'live' ? `live ${owner.id}` : (owner?.kind ?? '')
}

interface OwnedItem {
  readonly owner?: CodeOwner | undefined
}

/**
 * Items in round-robin order: groups alternate, and so do the owners in each, so that an owner of many items only delays
 * itself. The items of one owner keep their order.
 */
export class FairQueue<Item extends OwnedItem> {
  /** The group, and in it the owner, whose turn it is stands first. */
  readonly #groups = new Map<string, Map<string, Set<Item>>>()
  readonly #sizes = new Map<string, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(group: string): number {
    return this.#sizes.get(group) ?? 0
  }

  add(item: Item): void {
    const group = groupOf(item.owner)
    const owners = entryOf(this.#groups, group, () => new Map<string, Set<Item>>())
    entryOf(owners, idOf(item), () => new Set<Item>()).add(item)
    this.#count(group, 1)
  }

  /** Takes the next one out, of a group that may have one. */
  take(mayHave: (group: string) => boolean): Item | undefined {
    for (const [group, owners] of this.#groups) {
      if (!mayHave(group)) continue
      const [items] = owners.values()
      const [item] = items ?? []
      if (!item) continue
      moveBack(this.#groups, group)
      moveBack(owners, idOf(item))
      this.delete(item)
      return item
    }
    return undefined
  }

  /** Takes an item out of its place in the queue. */
  delete(item: Item): void {
    const group = groupOf(item.owner)
    const owners = this.#groups.get(group)
    const items = owners?.get(idOf(item))
    if (!owners || !items?.delete(item)) return
    if (items.size === 0) owners.delete(idOf(item))
    if (owners.size === 0) this.#groups.delete(group)
    this.#count(group, -1)
  }

  clear(): Item[] {
    const all = [...this.#groups.values()].flatMap((owners) =>
      [...owners.values()].flatMap((items) => [...items]),
    )
    for (const item of all) this.delete(item)
    return all
  }

  #count(group: string, more: number): void {
    this.#size += more
    const size = this.sizeOf(group) + more
    if (size === 0) this.#sizes.delete(group)
    else this.#sizes.set(group, size)
  }
}

const idOf = ({ owner }: OwnedItem) => owner?.id ?? ''

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** A map is in the order in which its keys came. */
function moveBack<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key) as Value
  map.delete(key)
  map.set(key, value)
}

/** Threads that each group holds, within its share of the pool. */
export class ThreadShares {
  readonly #share: ShareOptions
  readonly #counts = new Map<string, number>()

  constructor(share: ShareOptions) {
    this.#share = share
  }

  hasRoom(group: string): boolean {
    return this.#count(group) < (group === previews ? this.#share.previews : this.#share.flow)
  }

  take(group: string): void {
    this.#counts.set(group, this.#count(group) + 1)
  }

  release(group: string): void {
    const count = this.#count(group) - 1
    if (count === 0) this.#counts.delete(group)
    else this.#counts.set(group, count)
  }

  #count(group: string): number {
    return this.#counts.get(group) ?? 0
  }
}

/** Threads that one published flow may hold at once, and that all previews together may. */
export interface ShareOptions {
  readonly flow: number
  readonly previews: number
}

const previews = groupOf({ kind: 'preview', id: '' })
