import { nextOf } from '../../codec/result-cursor.ts'
import {
  asksForVisit,
  isWithin,
  mostPassed,
  mostScanned,
  readerFor,
  visitTest,
} from '../../codec/result-filter.ts'
import { withVisit } from '../../codec/result-visit.ts'
import type {
  Result,
  ResultCountPage,
  ResultNamesRequest,
  ResultPage,
  ResultPageRequest,
  ResultVisit,
} from '../../result-store.ts'

interface KeptText {
  readonly number: number
  readonly createdAt: number
  readonly text: string
  readonly visit: ResultVisit | undefined
  read(): Result
}

/** Characters of a page: it is built in one go, which blocks the event loop. */
const pageCharacters = 8 * 1024 * 1024

/** A page of results that come in its order. */
export function pageOf(
  all: Iterable<KeptText>,
  { limit, filter = {}, order }: Omit<ResultPageRequest, 'cursor'>,
): ResultPage {
  const read = readerFor(filter)
  const hasCome = asksForVisit(filter) ? visitTest(filter) : undefined
  const results: Result[] = []
  let last: KeptText | undefined
  let room = pageCharacters
  let [passed, scanned] = [0, 0]
  for (const kept of all) {
    if (!isWithin(kept.createdAt, filter)) continue
    const isFull = results.length === limit || room <= 0 || scanned === mostScanned || passed === mostPassed
    if (last && isFull) return { results, ...nextOf(last.number, order) }
    passed += hasCome ? 1 : 0
    last = kept
    if (hasCome && !(kept.visit && hasCome(kept.visit))) continue
    const result = read(kept.text, () => kept.read())
    if (result) results.push(withVisit(result, kept.visit))
    room -= kept.text.length
    scanned += 1
  }
  return { results }
}

/** Counts results that come the latest first, of a filter that asks for no text. */
export function countPage(all: Iterable<KeptText>, { filter = {} }: ResultNamesRequest): ResultCountPage {
  const hasCome = asksForVisit(filter) ? visitTest(filter) : undefined
  let last: KeptText | undefined
  let [passed, count] = [0, 0]
  for (const kept of all) {
    if (last && passed === mostPassed) return { count, ...nextOf(last.number) }
    passed += 1
    last = kept
    if (!isWithin(kept.createdAt, filter)) continue
    if (!hasCome || (kept.visit && hasCome(kept.visit))) count += 1
  }
  return { count }
}
