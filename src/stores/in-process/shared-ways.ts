import { LRUCache } from 'lru-cache'
import type { ResultVisit } from '../result-store.ts'
import { bytesOfText, flatText } from './flat-text.ts'

/** A visit but for its time: conversations that came the same way and wait at the same place have one object. */
export type Way = Omit<ResultVisit, 'askedAt'>

/** How many ways of others, and addresses, are looked through for one that is the same. */
const mostShared = 2000

/** Size of each: by `max`, lists would be allocated for all of them at once. */
const one = { size: 1 }

/** Bytes of a way besides its texts. */
const bytesPerWay = 120

/** Texts that many results have alike, of those that were written lately. */
export class SharedWays {
  readonly #ways = new LRUCache<string, Way>({ maxSize: mostShared })
  readonly #addresses = new LRUCache<string, string>({ maxSize: mostShared })

  of({ version, path, place, cohort }: ResultVisit): Way {
    // Neither a version nor a path has a blank.
    const key = `${version} ${path} ${place.length} ${place}${cohort}`
    const known = this.#ways.get(key)
    if (known) return known
    const way = { version, path: flatText(path), place, cohort: flatText(cohort) }
    this.#ways.set(key, way, one)
    return way
  }

  address(text: string): string {
    const known = this.#addresses.get(text) ?? flatText(text)
    this.#addresses.set(known, known, one)
    return known
  }
}

/** As if no other had it. Its version and its place are texts that its program has too. */
export function bytesOfWay(way: Way | undefined): number {
  return way ? bytesPerWay + bytesOfText(way.path) + bytesOfText(way.cohort) : 0
}
