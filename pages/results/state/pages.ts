import { batch, type ReadonlySignal, signal } from '@preact/signals'
import type { Range } from '../../shared/period.ts'
import { type Place, queryOf } from './address.ts'
import { type Asked, isAborted } from './ask.ts'
import type { Column } from './describe-answers.ts'
import { sortResults } from './sort-results.ts'
import type { Result, ResultPage } from './wire.ts'

export const pageSize = 50

/** Requests that one page takes at most: with a filter each goes through a bounded number of results. */
const mostRequests = 25

/** Results that are sorted by another column than their begin, at most: the latest of the filter. */
export const mostSorted = 2000

/** Results of a request, at most. */
const mostAtOnce = 500

interface PageSource {
  readonly place: ReadonlySignal<Place>
  readonly ranges: ReadonlySignal<{ readonly range: Range }>
  /** The columns by which results can be sorted. */
  readonly columns: ReadonlySignal<readonly Column[]>
  askJson<Answer>(path: string, asked?: Asked): Promise<Answer>
  flowPath(path: string, query: Readonly<Record<string, string>>): string
}

export type Pages = ReturnType<typeof createPages>

/** The results of a filter, page by page, as the service finds them. */
export function createPages({ place, ranges, columns, askJson, flowPath }: PageSource) {
  const rows = signal<readonly Result[] | undefined>(undefined)
  const isLoading = signal(false)
  const isCut = signal(false)
  /** Where this page and those before it begin. */
  const starts = signal<readonly (string | undefined)[]>([undefined])
  const next = signal<string | undefined>(undefined)
  const sortedOf = signal<{ readonly count: number; readonly isWhole: boolean } | undefined>(undefined)
  let sorted: readonly Result[] = []
  let asking: AbortController | undefined

  /** What the service is asked for, which is also what is exported or erased. */
  function query(): Readonly<Record<string, string>> {
    const { filter, version, view } = place.value
    return {
      ...ranges.value.range,
      ...(version !== undefined && { version }),
      ...(view === 'now' && { waiting: 'true' }),
      ...queryOf(filter, view),
    }
  }

  interface Wanted {
    readonly cursor: string | undefined
    readonly most: number
    readonly order: Readonly<Record<string, string>>
    readonly until: AbortSignal
  }

  async function find({ cursor: begin, most, order, until }: Wanted) {
    const found: Result[] = []
    let cursor = begin
    for (let requests = 0; requests <= mostRequests; requests++) {
      const limit = String(Math.min(mostAtOnce, most - found.length))
      const asked = { ...query(), ...order, limit, ...(cursor !== undefined && { cursor }) }
      const page = await askJson<ResultPage>(flowPath('/results', asked), { signal: until })
      found.push(...page.results)
      cursor = page.nextCursor
      if (found.length >= most || cursor === undefined) break
    }
    return { found, cursor }
  }

  async function loadInOrder(isRising: boolean, until: AbortSignal): Promise<void> {
    const order: Wanted['order'] = isRising ? { order: 'earliest' } : {}
    const { found, cursor } = await find({ cursor: starts.value.at(-1), most: pageSize, order, until })
    batch(() => {
      rows.value = found
      next.value = cursor
      isCut.value = cursor !== undefined && found.length < pageSize
      sortedOf.value = undefined
    })
  }

  async function loadSorted(column: Column, isRising: boolean, until: AbortSignal): Promise<void> {
    const { found, cursor } = await find({ cursor: undefined, most: mostSorted, order: {}, until })
    sorted = sortResults(found, column, isRising)
    batch(() => {
      sortedOf.value = { count: found.length, isWhole: cursor === undefined }
      showSorted()
    })
  }

  /** A page of those that were sorted, which are all here. */
  function showSorted(): void {
    const start = Number(starts.value.at(-1) ?? 0)
    const end = start + pageSize
    rows.value = sorted.slice(start, end)
    next.value = end < sorted.length ? String(end) : undefined
    isCut.value = false
  }

  async function load(): Promise<void> {
    asking?.abort()
    asking = new AbortController()
    const { signal: until } = asking
    const { sort, isRising } = place.value.filter
    const column = columns.value.find(({ key }) => key === sort)
    isLoading.value = true
    try {
      await (column ? loadSorted(column, isRising, until) : loadInOrder(isRising, until))
      isLoading.value = false
    } catch (error) {
      if (!isAborted(error)) isLoading.value = false
      throw error
    }
  }

  async function turnTo(all: readonly (string | undefined)[]): Promise<void> {
    starts.value = all
    if (sortedOf.value) showSorted()
    else await load()
  }

  return {
    rows,
    isLoading,
    /** Whether the page is not full, and more may follow. */
    isCut,
    /** How many were sorted, where it is by another column than their begin, and whether these are all. */
    sortedOf,
    starts,
    next,
    query,
    load,
    first(): Promise<void> {
      starts.value = [undefined]
      return load()
    },
    forward(): Promise<void> {
      return turnTo([...starts.value, next.value])
    },
    back(): Promise<void> {
      return turnTo(starts.value.slice(0, -1))
    },
  }
}
