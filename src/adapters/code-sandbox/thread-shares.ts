import { groupOf } from './fair-queue.ts'

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
