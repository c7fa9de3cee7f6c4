import type { Metrics } from '../../ports/metrics-port.ts'
import type { CounterSeries, HotSeries, Spread } from './hot-series.ts'

const requestBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
]
const engineBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
const storeBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const blockBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

interface RouteSeries {
  readonly duration: Spread
  readonly answers: Map<string, Map<number, CounterSeries>>
}

/** Counts requests as they are answered. */
export function countEdge(hot: HotSeries, prefix: string): Pick<Metrics, 'requestAnswered'> {
  const requests = hot.counter<'route' | 'method' | 'status'>({
    name: `${prefix}requests_total`,
    help: 'Requests that were answered',
    labelNames: ['route', 'method', 'status'],
  })
  const durations = hot.histogram({
    name: `${prefix}request_seconds`,
    help: 'Time from a request to the end of its answer',
    buckets: requestBuckets,
  })
  const routes = new Map<string, RouteSeries>()
  const addRoute = (route: string): RouteSeries => {
    const series = { duration: durations(`route="${route}"`), answers: new Map() }
    routes.set(route, series)
    return series
  }
  const addTally = ({ answers }: RouteSeries, labels: { route: string; method: string }, status: number) => {
    const { method } = labels
    const byStatus = answers.get(method) ?? new Map<number, CounterSeries>()
    const tally = requests({ ...labels, status: String(status) })
    answers.set(method, byStatus.set(status, tally))
    return tally
  }
  return {
    requestAnswered({ route, method, status, ms }) {
      const series = routes.get(route) ?? addRoute(route)
      const tally = series.answers.get(method)?.get(status) ?? addTally(series, { route, method }, status)
      tally.count += 1
      series.duration.observe(ms / 1000)
    },
  }
}

/** Counts turns, what each took, and those of each flow. */
export function countTurns(
  hot: HotSeries,
  prefix: string,
  flows: Pick<Metrics, 'turnDone'>,
): Pick<Metrics, 'turnDone'> {
  const turns = hot.counter<'kind' | 'entry'>({
    name: `${prefix}turns_total`,
    help: 'Turns that came to their end',
    labelNames: ['kind', 'entry'],
  })
  const entriesOf = (kind: 'live' | 'preview') => ({
    start: turns({ kind, entry: 'start' }),
    continue: turns({ kind, entry: 'continue' }),
    timer: turns({ kind, entry: 'timer' }),
    operator: turns({ kind, entry: 'operator' }),
  })
  const tallies = { live: entriesOf('live'), preview: entriesOf('preview') }
  const blocks = hot.histogram({
    name: `${prefix}turn_blocks`,
    help: 'Blocks that a turn executed',
    buckets: blockBuckets,
  })()
  const seconds = hot.histogram({
    name: `${prefix}turn_engine_seconds`,
    help: 'Time that a turn took itself, without what it waited for; 0 for a start that is like one before',
    buckets: engineBuckets,
  })()
  return {
    turnDone(turn) {
      tallies[turn.kind][turn.entry].count += 1
      blocks.observe(turn.blocks)
      seconds.observe(turn.engineMs / 1000)
      flows.turnDone(turn)
    },
  }
}

/** Counts what stores are asked for. */
export function countStores(hot: HotSeries, prefix: string): Pick<Metrics, 'storeAsked'> {
  const seconds = hot.histogram({
    name: `${prefix}store_seconds`,
    help: 'Time from a request of this process for its database to the answer, with the wait for a connection; none where all is in memory',
    buckets: storeBuckets,
  })()
  return { storeAsked: (ms) => seconds.observe(ms / 1000) }
}
