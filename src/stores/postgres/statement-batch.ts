import { ServerAway } from './postgres-health.ts'
import { arrayText, type Element } from './postgres-text.ts'

interface StatementBatchOptions<Request> {
  /** Requests of one statement. */
  readonly maxRequests?: number
  /** Statements on their way; what comes meanwhile gathers for the next one. */
  readonly maxStatements?: number
  /** Requests of one name are never in one statement. Undefined: may be with any. */
  readonly nameOf?: ((request: Request) => string | undefined) | undefined
}

interface Sent<Request, Outcome> {
  readonly request: Request
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/**
 * Gathers requests that come at about the same time for one statement of `run`, which returns their outcomes in their order.
 * Where one of them fails the statement, each is run by itself, so that it fails alone.
 */
export function batchStatements<Request, Outcome>(
  run: (requests: readonly Request[]) => Promise<readonly Outcome[]>,
  { maxRequests = 100, maxStatements = 2, nameOf }: StatementBatchOptions<Request> = {},
): (request: Request) => Promise<Outcome> {
  let gathered: Sent<Request, Outcome>[] = []
  let isScheduled = false
  let underWay = 0

  function schedule(): void {
    if (isScheduled || gathered.length === 0 || underWay >= maxStatements) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void flush(take())
      schedule()
    })
  }

  /** The first that may be in one statement; the others stay, in their order. */
  function take(): Sent<Request, Outcome>[] {
    const taken: Sent<Request, Outcome>[] = []
    const left: Sent<Request, Outcome>[] = []
    const names = new Set<string>()
    for (const sent of gathered) {
      const name = nameOf?.(sent.request)
      const isFree = taken.length < maxRequests && (name === undefined || !names.has(name))
      if (name !== undefined) names.add(name)
      if (isFree) taken.push(sent)
      else left.push(sent)
    }
    gathered = left
    return taken
  }

  async function flush(batch: readonly Sent<Request, Outcome>[]): Promise<void> {
    underWay += 1
    try {
      await settle(batch)
    } finally {
      underWay -= 1
      schedule()
    }
  }

  async function settle(batch: readonly Sent<Request, Outcome>[]): Promise<void> {
    try {
      const outcomes = await run(batch.map(({ request }) => request))
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome)
    } catch (error) {
      const isOfOne = batch.length > 1 && !(error instanceof ServerAway)
      if (isOfOne) for (const sent of batch) await settle([sent])
      else for (const { reject } of batch) reject(error)
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      gathered.push({ request, resolve, reject })
      schedule()
    })
}

/** A row for one of the requests of a statement: the number of that, from 1 on. */
export interface Numbered {
  readonly n: number
}

/** The rows of each request. */
export function groupByNumber<Row extends Numbered>(
  requests: readonly unknown[],
  rows: readonly Row[],
): Row[][] {
  const groups: Row[][] = requests.map(() => [])
  for (const row of rows) groups[row.n - 1]?.push(row)
  return groups
}

/** A property of rows, or what is made of each. */
type Column<Row> = keyof Row | ((row: Row) => unknown)

/** Rows as the texts of the arrays that a statement unnests, null for what is undefined. */
export function columnsOf<Row>(rows: readonly Row[], ...columns: readonly Column<Row>[]): string[] {
  return columns.map((column) => {
    const read = typeof column === 'function' ? column : (row: Row) => row[column]
    return arrayText(rows.map((row) => read(row) as Element))
  })
}

/** A column for parts of requests, of which each has so many: the number of the request, from 1 on. */
export const numbersOf = <Request>(
  requests: readonly Request[],
  countOf: (request: Request) => number | undefined,
): string =>
  arrayText(requests.flatMap((request, index) => Array<number>(countOf(request) ?? 0).fill(index + 1)))
