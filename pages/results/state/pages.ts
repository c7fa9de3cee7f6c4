import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { type Place, queryOf } from './address.ts'
import { type Asked, isAborted } from './ask.ts'
import type { Range } from './period.ts'
import type { Result, ResultPage } from './wire.ts'

export const pageSize = 50

/** Requests that one page takes at most: with a filter each goes through a bounded number of results. */
const mostRequests = 25

interface PageSource {
  readonly place: ReadonlySignal<Place>
  readonly ranges: ReadonlySignal<{ readonly range: Range }>
  askJson<Answer>(path: string, asked?: Asked): Promise<Answer>
  flowPath(path: string, query: Readonly<Record<string, string>>): string
}

export type Pages = ReturnType<typeof createPages>

/** The results of a filter, page by page, as the service finds them. */
export function createPages({ place, ranges, askJson, flowPath }: PageSource) {
  const rows = signal<readonly Result[] | undefined>(undefined)
  const isLoading = signal(false)
  const isCut = signal(false)
  /** Where this page and those before it begin. */
  const starts = signal<readonly (string | undefined)[]>([undefined])
  const next = signal<string | undefined>(undefined)
  let asking: AbortController | undefined

  /** What the service is asked for, which is also what is exported or erased. */
  function query(): Readonly<Record<string, string>> {
    const { filter, version, view } = place.value
    return {
      ...ranges.value.range,
      ...(version !== undefined && { version }),
      ...(view === 'now' && { waiting: 'true' }),
      ...queryOf(filter),
    }
  }

  async function load(): Promise<void> {
    asking?.abort()
    asking = new AbortController()
    const { signal: until } = asking
    const found: Result[] = []
    let cursor = starts.value.at(-1)
    isLoading.value = true
    try {
      for (let requests = 0; ; requests++) {
        const limit = String(pageSize - found.length)
        const order: Readonly<Record<string, string>> = place.value.filter.isEarliestFirst
          ? { order: 'earliest' }
          : {}
        const asked = { ...query(), ...order, limit, ...(cursor !== undefined && { cursor }) }
        const page = await askJson<ResultPage>(flowPath('/results', asked), { signal: until })
        found.push(...page.results)
        cursor = page.nextCursor
        if (found.length >= pageSize || cursor === undefined || requests === mostRequests) break
      }
      batch(() => {
        rows.value = found
        next.value = cursor
        isCut.value = cursor !== undefined && found.length < pageSize
        isLoading.value = false
      })
    } catch (error) {
      if (!isAborted(error)) isLoading.value = false
      throw error
    }
  }

  return {
    rows,
    isLoading,
    /** Whether the page is not full, and more may follow. */
    isCut,
    starts,
    next,
    query,
    load,
    first(): Promise<void> {
      starts.value = [undefined]
      return load()
    },
    forward(): Promise<void> {
      starts.value = [...starts.value, next.value]
      return load()
    },
    back(): Promise<void> {
      starts.value = starts.value.slice(0, -1)
      return load()
    },
  }
}
