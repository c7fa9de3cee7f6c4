import type { Result, ResultPage } from '../stores/result-store.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

/** Which results are asked for. */
export interface ResultFilter {
  /** Milliseconds since 1970: begun then or later. */
  readonly from?: number | undefined
  /** Milliseconds since 1970: begun before. */
  readonly until?: number | undefined
  /** What somebody answered to any input, whatever its capitals. */
  readonly answer?: string | undefined
}

/** Results that one request goes through at most; the next page goes on behind them. */
const mostScanned = 2000

/** A page of the results that match. It may hold fewer than there are, or none, and still name a next one. */
export async function listMatching(
  flowId: string,
  {
    limit,
    cursor,
    filter,
  }: { readonly limit: number; readonly cursor: string | undefined; readonly filter: ResultFilter },
  { results, ports }: Pick<ResultsDependencies, 'results' | 'ports'>,
): Promise<ResultPage> {
  const found: Result[] = []
  let next = cursor
  for (let scanned = 0; scanned < mostScanned; ) {
    const page = await results.list(flowId, { limit: limit - found.length, cursor: next })
    found.push(...page.results.filter((result) => matches(result, filter)))
    scanned += page.results.length
    next = page.nextCursor
    // The latest come first: behind one that is too old all are.
    const isBehind = page.results.some(({ createdAt }) => createdAt < (filter.from ?? -Infinity))
    if (next === undefined || isBehind) return { results: found }
    if (found.length === limit) break
    await ports.nextTurn()
  }
  return { results: found, ...(next !== undefined && { nextCursor: next }) }
}

function matches(
  { createdAt, answers }: Result,
  { from = -Infinity, until = Infinity, answer }: ResultFilter,
): boolean {
  if (createdAt < from || createdAt >= until) return false
  return answer === undefined || answers.some(({ content }) => folded(content) === folded(answer))
}

const folded = (text: string) => text.trim().toLowerCase()
