import type { RequestOutcome } from '../../ports/known-types.ts'
import type { LimitName, Metrics } from '../../ports/metrics-port.ts'
import { countFlows } from './flow-counters.ts'
import { createGauges } from './gauges.ts'
import { createHotSeries } from './hot-series.ts'
import { Counter, createRegistry, Histogram, type Registry, registerProcessMetrics } from './prom-client.ts'
import { registerStoreGauges } from './store-gauges.ts'
import { countEdge, countStores, countTurns } from './traffic-series.ts'

/** Counts events and renders the counts in the text format of Prometheus. */
export type Prometheus = ReturnType<typeof createPrometheus>

/** Sampling of the event loop's delay, in milliseconds: often enough to see it, seldom enough for an idle process. */
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

/** Counters with one label, each of whose values has a series from the beginning. */
const fixedCounters = {
  limits_reached_total: {
    label: 'limit',
    values: Object.keys(limits),
    help: 'Times that a turn came up against a limit',
  },
  error_logs_total: {
    label: 'kind',
    values: ['live', 'preview'],
    help: 'Logs by which flows say that something failed',
  },
  drafts_total: {
    label: 'outcome',
    values: ['compiled', 'cached', 'refused'],
    help: 'Definitions that came with preview starts: compiled, found compiled, refused',
  },
  heavy_turns_refused_total: {
    label: 'turn',
    values: ['preview', 'start', 'continue'],
    help: 'Requests refused as too many that take long were waiting to go on',
  },
  code_runs_total: {
    label: 'outcome',
    values: ['ok', 'thrown', 'limit', 'busy'],
    help: 'Code for the sandbox: run, failed by itself, cut off by a limit, refused as too much waits',
  },
  outgoing_requests_total: {
    label: 'outcome',
    values: ['2xx', '3xx', '4xx', '5xx', 'other', 'timeout', 'refused', 'failed', 'off', 'spent'],
    help: 'Requests of flows, by the class of the response or by why there is none',
  },
  mails_total: {
    label: 'outcome',
    values: ['sent', 'failed', 'refused'],
    help: 'Mails of flows: accepted by a mail server, failed, not tried',
  },
  webhook_deliveries_total: {
    label: 'outcome',
    values: ['delivered', 'failed', 'set aside'],
    help: 'Attempts to deliver events to webhooks: arrived, to be tried again, given up',
  },
  channel_deliveries_total: {
    label: 'outcome',
    values: ['delivered', 'failed', 'set aside'],
    help: 'Attempts to send messages to messengers: taken, to be tried again, given up',
  },
  model_questions_total: {
    label: 'outcome',
    values: ['answer', 'failed', 'no account'],
    help: 'Questions of flows to language models: answered, failed, not asked as there is no account',
  },
  spans_total: {
    label: 'outcome',
    values: ['sent', 'failed', 'dropped'],
    help: 'Spans for the collector of OpenTelemetry: sent, refused or never answered, or dropped as too many waited',
  },
} as const

type FixedCounter = keyof typeof fixedCounters

/** Registers the counters; returns what adds to one, under a value of its label. */
function createFixedCounters(registry: Registry) {
  const made = Object.entries(fixedCounters).map(([name, { label, values, help }]) => {
    const counter = new Counter({ name: prefix + name, help, labelNames: [label], registers: [registry] })
    for (const value of values) counter.inc({ [label]: value }, 0)
    return [name, (value: string, more: number) => counter.inc({ [label]: value }, more)] as const
  })
  const counters = new Map<string, (value: string, more: number) => void>(made)
  return (name: FixedCounter, value: string, more = 1) => counters.get(name)?.(value, more)
}

const codeBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Counts in a registry of its own. All series with values that are known beforehand are there from the beginning. */
export function createPrometheus() {
  const registry = createRegistry()
  const hot = createHotSeries(registry)
  const count = createFixedCounters(registry)
  const registers = [registry]
  const codeSeconds = new Histogram({
    name: `${prefix}code_seconds`,
    help: 'Time that code ran in the sandbox, without what it waited for',
    buckets: codeBuckets,
    registers,
  })
  const lostThreads = new Counter({
    name: `${prefix}code_threads_lost_total`,
    help: 'Threads of the sandbox that were ended or broke, and had to be replaced',
    registers,
  })
  const flows = countFlows(registry, prefix)
  const metrics: Metrics = {
    ...countEdge(hot, prefix),
    ...countStores(hot, prefix),
    ...countTurns(hot, prefix, flows),
    errorsLeft(flow, logs) {
      count('error_logs_total', flow === undefined ? 'preview' : 'live', logs)
      flows.errorsLeft(flow, logs)
    },
    limitReached: (limit) => count('limits_reached_total', limit),
    draftRead: (outcome) => count('drafts_total', outcome),
    heavyTurnRefused: (turn) => count('heavy_turns_refused_total', turn),
    codeDone(result) {
      count('code_runs_total', result.ok ? 'ok' : result.reason)
      if (result.ranMs !== undefined) codeSeconds.observe(result.ranMs / 1000)
    },
    codeThreadLost: () => lostThreads.inc(),
    requestDone: (outcome) =>
      count('outgoing_requests_total', outcome.kind === 'response' ? classOf(outcome) : outcome.kind),
    mailDone: ({ kind }) => count('mails_total', kind),
    deliveryDone: (to, outcome) => count(`${to}_deliveries_total`, outcome),
    questionDone: ({ kind }) => count('model_questions_total', kind),
    spansDone: (outcome, number) => count('spans_total', outcome, number),
  }
  const stores = registerStoreGauges(registry, prefix)
  const registerOthers = registerProcessMetrics(registry, { eventLoopMonitoringPrecision })
  return {
    metrics,
    contentType: registry.contentType,
    async text(): Promise<string> {
      registerOthers()
      await stores.look()
      return hot.text()
    },
    /** Adds gauges of how much each store holds. */
    watch: stores.watch,
    watchQueue: stores.watchQueue,
    /** Shows beside it how much it may hold. */
    showBounds: stores.showBounds,
    ...createGauges(registry, prefix),
  }
}

/** Any number can come as a status. */
function classOf({ status }: RequestOutcome & { kind: 'response' }) {
  const classes = { 2: '2xx', 3: '3xx', 4: '4xx', 5: '5xx' } as const
  return classes[Math.floor(status / 100) as 2 | 3 | 4 | 5] ?? 'other'
}
