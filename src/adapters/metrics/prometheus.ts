import { collectDefaultMetrics, Registry } from 'prom-client'
import type { LimitName, Metrics, RequestOutcome, StoreUsage } from '../../ports.ts'
import { type CounterChild, createCounter } from './counter.ts'
import { countHeavyTurns, type HeavyTurnMetrics } from './heavy-turn-metrics.ts'
import { createHistogram, type HistogramChild } from './histogram.ts'
import { registerStoreGauges, type StoreBound } from './store-gauges.ts'

/** Counts events and renders the counts in the text format of Prometheus. */
export interface Prometheus {
  readonly metrics: Metrics
  readonly contentType: string
  text(): Promise<string>
  /** Adds gauges of how much each store holds. */
  watch(store: string, usage: () => StoreUsage | Promise<StoreUsage>): void
  /** Shows beside it how much it may hold. */
  showBounds(bounds: readonly StoreBound[]): void
  readonly watchHeavyTurns: HeavyTurnMetrics['watch']
}

/** How often the delay of the event loop is looked at: often enough to see it, seldom enough for an idle process. */
const eventLoopMonitoringPrecision = 50

/** Every metric of the service begins with this; those of the process keep the standard names of prom-client. */
const prefix = 'flow_runtime_'

const limits: Readonly<Record<LimitName, true>> = {
  blocksPerTurn: true,
  messagesPerTurn: true,
  charactersPerTurn: true,
  blockMs: true,
  turnMs: true,
  wholeTurnMs: true,
  callsPerTurn: true,
  codeTurnMs: true,
  linkDepth: true,
  returnMarks: true,
  variableLength: true,
  variablesLength: true,
}

const requestBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
]
const engineBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
const codeBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const blockBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

/** Counts in a registry of its own. All series with values that are known beforehand are there from the beginning. */
export function createPrometheus(): Prometheus {
  const registry = new Registry()
  const turns = { ...countEdge(registry), ...countTurns(registry) }
  const heavyTurns = countHeavyTurns(registry, prefix)
  const metrics: Metrics = {
    ...turns,
    heavyTurnRefused: heavyTurns.refused,
    ...countCode(registry),
    ...countOutside(registry),
  }
  const stores = registerStoreGauges(registry, prefix)
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision })
  return {
    metrics,
    contentType: registry.contentType,
    async text() {
      await stores.look()
      return registry.metrics()
    },
    watch: stores.watch,
    showBounds: stores.showBounds,
    watchHeavyTurns: heavyTurns.watch,
  }
}

function countEdge(registry: Registry): Pick<Metrics, 'requestsOf'> {
  const requests = createCounter<'route' | 'method' | 'status'>(registry, {
    name: `${prefix}requests_total`,
    help: 'Requests that were answered',
    labelNames: ['route', 'method', 'status'],
  })
  const durations = createHistogram<'route'>(registry, {
    name: `${prefix}request_seconds`,
    help: 'Time from a request to the end of its answer',
    buckets: requestBuckets,
  })
  return {
    requestsOf(method, route) {
      const byStatus = new Map<number, CounterChild>()
      let duration: HistogramChild | undefined
      const countNew = (status: number) => {
        const tally = requests({ route, method, status: String(status) })
        byStatus.set(status, tally)
        return tally
      }
      return (status, ms) => {
        const tally = byStatus.get(status) ?? countNew(status)
        tally.count += 1
        duration ??= durations({ route })
        duration.observe(ms / 1000)
      }
    },
  }
}

function countTurns(registry: Registry): Pick<Metrics, 'turnDone' | 'limitReached' | 'draftRead'> {
  const turns = createCounter<'kind' | 'entry'>(registry, {
    name: `${prefix}turns_total`,
    help: 'Turns that came to their end',
    labelNames: ['kind', 'entry'],
  })
  const entriesOf = (kind: 'live' | 'preview') => ({
    start: turns({ kind, entry: 'start' }),
    continue: turns({ kind, entry: 'continue' }),
  })
  const turnsOf = { live: entriesOf('live'), preview: entriesOf('preview') }
  const blocks = createHistogram(registry, {
    name: `${prefix}turn_blocks`,
    help: 'Blocks that a turn executed',
    buckets: blockBuckets,
  })({})
  const engineSeconds = createHistogram(registry, {
    name: `${prefix}turn_engine_seconds`,
    help: 'Time that a turn took itself, without what it waited for; 0 for a start that is like one before',
    buckets: engineBuckets,
  })({})
  const reached = createFixed(registry, 'limit', Object.keys(limits) as LimitName[], {
    name: `${prefix}limits_reached_total`,
    help: 'Times that a turn came up against a limit',
  })
  const drafts = createFixed(registry, 'outcome', ['compiled', 'cached', 'refused'], {
    name: `${prefix}drafts_total`,
    help: 'Definitions that came with preview starts: compiled, found compiled, refused',
  })
  return {
    turnDone(turn) {
      turnsOf[turn.kind][turn.entry].count += 1
      blocks.observe(turn.blocks)
      engineSeconds.observe(turn.engineMs / 1000)
    },
    limitReached(limit) {
      reached[limit].count += 1
    },
    draftRead(outcome) {
      drafts[outcome].count += 1
    },
  }
}

function countCode(registry: Registry): Pick<Metrics, 'codeDone' | 'codeThreadLost'> {
  const runs = createFixed(registry, 'outcome', ['ok', 'thrown', 'limit', 'busy'], {
    name: `${prefix}code_runs_total`,
    help: 'Code for the sandbox: run, failed by itself, cut off by a limit, refused as too much waits',
  })
  const seconds = createHistogram(registry, {
    name: `${prefix}code_seconds`,
    help: 'Time that code ran in the sandbox, without what it waited for',
    buckets: codeBuckets,
  })({})
  const lost = createCounter(registry, {
    name: `${prefix}code_threads_lost_total`,
    help: 'Threads of the sandbox that were ended or broke, and had to be replaced',
  })({})
  return {
    codeDone(result) {
      runs[result.ok ? 'ok' : result.reason].count += 1
      if (result.ranMs !== undefined) seconds.observe(result.ranMs / 1000)
    },
    codeThreadLost() {
      lost.count += 1
    },
  }
}

function countOutside(registry: Registry): Pick<Metrics, 'requestDone' | 'mailDone' | 'questionDone'> {
  const requestOutcomes = [
    '2xx',
    '3xx',
    '4xx',
    '5xx',
    'other',
    'timeout',
    'refused',
    'failed',
    'off',
    'spent',
  ] as const
  const requests = createFixed(registry, 'outcome', requestOutcomes, {
    name: `${prefix}outgoing_requests_total`,
    help: 'Requests of flows, by the class of the response or by why there is none',
  })
  const mails = createFixed(registry, 'outcome', ['sent', 'failed', 'refused'], {
    name: `${prefix}mails_total`,
    help: 'Mails of flows: accepted by a mail server, failed, not tried',
  })
  const questions = createFixed(registry, 'outcome', ['answer', 'failed', 'no account'], {
    name: `${prefix}model_questions_total`,
    help: 'Questions of flows to language models: answered, failed, not asked as there is no account',
  })
  return {
    requestDone(outcome) {
      requests[outcome.kind === 'response' ? classOf(outcome) : outcome.kind].count += 1
    },
    mailDone({ kind }) {
      mails[kind].count += 1
    },
    questionDone({ kind }) {
      questions[kind].count += 1
    },
  }
}

/** Any number can come as a status. */
function classOf({ status }: RequestOutcome & { kind: 'response' }) {
  const classes = { 2: '2xx', 3: '3xx', 4: '4xx', 5: '5xx' } as const
  return classes[Math.floor(status / 100) as 2 | 3 | 4 | 5] ?? 'other'
}

/** A counter with one label, whose values are known. */
function createFixed<Label extends string, Value extends string>(
  registry: Registry,
  label: Label,
  values: readonly Value[],
  description: { readonly name: string; readonly help: string },
): Readonly<Record<Value, CounterChild>> {
  const counter = createCounter<string>(registry, { ...description, labelNames: [label] })
  const tallies = values.map((value) => [value, counter({ [label]: value })])
  return Object.fromEntries(tallies)
}
