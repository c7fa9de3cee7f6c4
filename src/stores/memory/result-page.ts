import { writeCursor } from '../codec/result-cursor.ts'
import {
  asksForVisit,
  isWithin,
  mostPassed,
  mostScanned,
  searchFor,
  visitTest,
} from '../codec/result-filter.ts'
import type {
  Result,
  ResultCountPage,
  ResultNamesRequest,
  ResultPage,
  ResultPageRequest,
  ResultVisit,
} from '../result-store.ts'

interface Passed {
  readonly number: number
  readonly createdAt: number
  readonly visit: ResultVisit | undefined
}

interface Texts<T extends Passed> {
  textOf(result: T): string
  whole(result: T, text: string): Result
}

/** Characters of a page: it is built in one go, which blocks the event loop. */
const pageCharacters = 8 * 1024 * 1024

/** A page of results that come in its order. */
export function pageOf<T extends Passed>(
  all: Iterable<T>,
  { limit, filter = {}, order }: Omit<ResultPageRequest, 'cursor'>,
  texts: Texts<T>,
): ResultPage {
  const search = searchFor(filter)
  const hasCome = asksForVisit(filter) ? visitTest(filter) : undefined
  const results: Result[] = []
  let last: Passed | undefined
  let room = pageCharacters
  let [passed, scanned] = [0, 0]
  for (const kept of all) {
    if (!isWithin(kept.createdAt, filter)) continue
    const isFull = results.length === limit || room <= 0 || scanned === mostScanned || passed === mostPassed
    if (last && isFull) return { results, nextCursor: writeCursor(last.number, order) }
    passed += hasCome ? 1 : 0
    last = kept
    if (hasCome && !(kept.visit && hasCome(kept.visit))) continue
    const text = texts.textOf(kept)
    const result = !search || search.mayMatch(text) ? texts.whole(kept, text) : undefined
    if (result && (search?.matches(result) ?? true)) results.push(result)
    room -= text.length
    scanned += 1
  }
  return { results }
}

/** Counts results that come the latest first, of a filter that asks for no text. */
export function countPage(all: Iterable<Passed>, { filter = {} }: ResultNamesRequest): ResultCountPage {
  const hasCome = asksForVisit(filter) ? visitTest(filter) : undefined
  let last: Passed | undefined
  let [passed, count] = [0, 0]
  for (const kept of all) {
    if (last && passed === mostPassed) return { count, nextCursor: writeCursor(last.number) }
    passed += 1
    last = kept
    if (!isWithin(kept.createdAt, filter)) continue
    if (!hasCome || (kept.visit && hasCome(kept.visit))) count += 1
  }
  return { count }
}
