import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import { createCodeSandbox, maxCodeBytes } from '../adapters/code-sandbox/code-sandbox.ts'
import { describeAllowList } from '../adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../adapters/http-client/http-client.ts'
import { createSmtpMailer } from '../adapters/mailer/smtp-mailer.ts'
import { createPrometheus, type Prometheus } from '../adapters/metrics/prometheus.ts'
import { createProcessLoad, usualHeapBytes, usualRssBytes } from '../adapters/system/process-load.ts'
import { createSystemPorts } from '../adapters/system/system-ports.ts'
import { boundHeavyTurns, createTurnQueue } from '../adapters/system/turn-queue.ts'
import type { OtlpSpans } from '../adapters/telemetry/otlp-spans.ts'
import { createChannelOutput } from '../channels/outbox/write-turn.ts'
import type { Config } from '../config/config.ts'
import { minLimits } from '../config/fixed-limits.ts'
import type { LoadedConfig, Reach } from '../config/load-config.ts'
import { memoryBounds } from '../config/memory-bounds.ts'
import { createProcessState } from '../conversations/dependencies.ts'
import { createEventStreams, eventStreamBytes } from '../conversations/events/event-streams.ts'
import { connectionBytes } from '../http/protection/connections.ts'
import { describeHeavyTurns, describeOverload, loadShares } from '../http/protection/load-shedding.ts'
import { createBodyRoom } from '../http/request/body/body-budget.ts'
import { createUnreadAnswers } from '../http/response/unread-answers.ts'
import { packageVersion } from '../lib/version-text.ts'
import { loadBlocks } from '../own-blocks/load-blocks.ts'
import type { Metrics } from '../ports/metrics-port.ts'
import type { Ports } from '../ports/ports.ts'
import type { UploadedFiles } from '../ports/uploaded-files-port.ts'
import { countStates, describeBrokenFlows } from '../publication/catalogue/flow-states.ts'
import { readinessOf } from '../routes/operator/probe-routes.ts'
import { findingsOfPreview } from '../tooling/validate/validate-flow.ts'
import type { AppDependencies } from './app.ts'
import { openDirectory, resumeOnWebhook } from './open-channels.ts'
import { openFiles } from './open-files.ts'
import { type OperationParts, openOperations } from './open-operations.ts'
import { openStores } from './open-stores.ts'

/** Parts of a service, and the function that releases them. */
export interface ComposedService {
  readonly dependencies: AppDependencies
  /** Ends the calls that turns are waiting for: those turns fail, and their conversations stay as they were. */
  abortCalls(): void
  /** Begins nothing more that nobody asked for. */
  drain(): void
  close(): Promise<void>
}

/** Puts a service together as it is configured. */
export async function composeService({ config, reach }: LoadedConfig, log: Logger): Promise<ComposedService> {
  const closing = new AbortController()
  // Each turn that waits for an answer listens.
  setMaxListeners(0, closing.signal)
  const prometheus = createPrometheus()
  const { metrics } = prometheus
  const outside = openOutside(reach, metrics)
  log.info(`flows may reach ${describeAllowList(reach.allow)}`)
  const heavyTurns = openHeavyTurns(config, prometheus)
  const { live, previews } = heavyTurns
  const blocks = await loadBlocks(config.blocksDir)
  const { registry } = blocks
  const stores = await openStores(config, log, { ...prometheus, ports: live.ports, registry })
  if (stores.clock && heavyTurns.clock) heavyTurns.clock.now = stores.clock
  const directory = openDirectory(reach, stores)
  const files = await openFiles(config, log, { http: outside.http, counts: stores.uploadCounts })
  const spans = config.telemetry && (await openSpans(config.telemetry, metrics))
  const eventStreams = createEventStreams({ max: config.maxEventStreams })
  const channelOutput = createChannelOutput(config.pages === 'off' ? undefined : config.publicUrl)
  const chat: OperationParts['chat'] = {
    ...stores,
    ...outside,
    ...createProcessState(),
    ...settingsOfTurns(config, heavyTurns),
    files,
    findingsOfPreview,
    eventStreams,
    channelOutput,
    webhookReceived: resumeOnWebhook(stores, log),
    spans,
    closing: closing.signal,
    log,
    metrics,
  }
  const keepsResults = backEndOf(config) !== 'memory'
  const operations = openOperations({ config, chat, stores, directory, keepsResults })
  for (const notice of await operations.services.channels.noticesAtStart()) log.warn(notice)
  const edge = openEdge(config, stores.ports)
  const { load, loadLimits } = edge
  showUsage({ config, prometheus, stores, outside, ...edge, eventStreams })
  prometheus.watchLoad(() => loadShares(load, loadLimits, live.turns.share))
  return {
    dependencies: {
      ...operations.services,
      ...edge,
      chat,
      directory,
      config,
      ownBlockSchemas: blocks.own.map(({ schema }) => schema),
      watch: prometheus.watch,
      readiness: describeReadiness({ stores, outside, files, load, loadLimits, live: live.turns }),
      publication: stores.publication,
      notices: async () => [...describeNotices(stores, previews.turns), ...(await operations.notices())],
      heavyPreviews: previews.turns,
      sharedCounts: stores.sharedCounts,
      announcements: stores.announcements,
      requestAnswered: metrics.requestAnswered,
      metricsText: prometheus,
      spans,
      logger: log,
    },
    abortCalls: () => closing.abort(),
    drain: operations.drain,
    async close() {
      load.close()
      await operations.close()
      await closeParts({ stores, outside, files, spans })
    },
  }
}

/** Bounds of what comes in, and of answers that are not read. */
function openEdge({ maxEventLoopDelayMs: delayMs, bodiesMaxBytes, unread }: Config, { elapsed }: Ports) {
  return {
    load: createProcessLoad(elapsed),
    loadLimits: { delayMs, heapBytes: usualHeapBytes(), rssBytes: usualRssBytes() },
    room: createBodyRoom({ maxBytes: bodiesMaxBytes, elapsed }),
    unreadAnswers: createUnreadAnswers({ maxBytes: unread.maxBytes }),
  }
}

function describeNotices(stores: Parts['stores'], previews: ReadinessParts['live']): readonly string[] {
  return [
    ...describeHeavyTurns(previews, 'Previews without a token are refused'),
    ...describeBrokenFlows(stores.publication.states()),
  ]
}

function settingsOfTurns(config: Config, { live, previews }: ReturnType<typeof openHeavyTurns>) {
  const { limits, openPreviewLimits, previewHttp, recordings, adminTokens, publicUrl } = config
  return {
    limits,
    heavyTurns: live.turns,
    anonymousPreviews: {
      limits: minLimits(limits, openPreviewLimits),
      ports: previews.ports,
      heavyTurns: previews.turns,
    },
    previewHttp,
    sessionTtlMs: config.sessions.ttlMs,
    recordings,
    areResultsRead: adminTokens.length > 0,
    publicUrl,
    contactSecret: config.contactSecret,
  }
}

interface Parts {
  readonly stores: Awaited<ReturnType<typeof openStores>>
  readonly outside: ReturnType<typeof openOutside>
  readonly files: UploadedFiles | undefined
}

interface ReadinessParts extends Parts, Pick<AppDependencies, 'load' | 'loadLimits'> {
  readonly live: ReturnType<typeof openHeavyTurns>['live']['turns']
}

function describeReadiness({ stores, outside, files, load, loadLimits, live }: ReadinessParts) {
  return readinessOf([
    stores.flowProblems,
    stores.problems,
    () => (outside.sandbox.isAlive() ? [] : ['No code of flows can be run']),
    async () => (!files || (await files.isWritable()) ? [] : ['No uploads can be kept']),
    () => describeOverload(load, loadLimits),
    () => describeHeavyTurns(live, 'Starts that take long are refused'),
  ])
}

interface UsageParts extends Omit<Parts, 'files'>, Pick<AppDependencies, 'room' | 'unreadAnswers'> {
  readonly config: Config
  readonly prometheus: Prometheus
  readonly eventStreams: ReturnType<typeof createEventStreams>
}

function showUsage({
  config,
  prometheus,
  stores,
  outside,
  room,
  unreadAnswers,
  eventStreams,
}: UsageParts): void {
  prometheus.showBounds(memoryBounds(config, { codeBytes: maxCodeBytes, connectionBytes, eventStreamBytes }))
  prometheus.showBuild({ version: packageVersion(), node: process.version, backend: backEndOf(config) })
  prometheus.watchConnections(stores.connections ?? noConnections)
  prometheus.watchFlows(() => countStates(stores.publication.states()))
  prometheus.watch('sandbox', outside.sandbox.usage)
  prometheus.watch('bodies', room.usage)
  prometheus.watch('unread answers', unreadAnswers.usage)
  prometheus.watch('event streams', eventStreams.usage)
}

const noConnections = () => ({ busy: 0, idle: 0, waiting: 0 })

function backEndOf({ databaseUrl, dataDir }: Config) {
  if (databaseUrl !== undefined) return 'postgres'
  return dataDir === undefined ? 'memory' : 'sqlite'
}

async function closeParts({
  stores,
  outside,
  files,
  spans,
}: Parts & { readonly spans: OtlpSpans | undefined }) {
  const { sandbox, http, mailer } = outside
  const parts = [stores.published, stores.conversations, sandbox, http, mailer, files, spans]
  await Promise.all(parts.map((part) => part?.close()))
  // The stores close last: the others still write while they end.
  await stores.close()
}

function openOutside({ allow, credentials }: Reach, metrics: Metrics) {
  return {
    sandbox: createCodeSandbox({ metrics }),
    http: createHttpClient({ allow }),
    mailer: createSmtpMailer(),
    credentials,
  }
}

/** Loads what sends spans: it takes a tenth of a second and 15 MB, which only those pay who have a collector. */
async function openSpans(
  telemetry: NonNullable<Config['telemetry']>,
  { spansDone }: Metrics,
): Promise<OtlpSpans> {
  const { openOtlpSpans } = await import('../adapters/telemetry/otlp-spans.ts')
  return openOtlpSpans({ ...telemetry, count: spansDone })
}

/** Previews without a token have a queue of their own, so that a flood of them delays no other turns. */
function openHeavyTurns(config: Config, prometheus: Prometheus) {
  const { max, maxPreviews } = config.heavyTurns
  const { heavyTurnRefused } = prometheus.metrics
  // Of this process, until the stores that are shared with others have another.
  const clock = backEndOf(config) === 'postgres' ? { now: Date.now } : undefined
  const open = (bound: number, refused: (entry: 'start' | 'continue') => void) => {
    const queue = createTurnQueue()
    const ports = createSystemPorts(queue, clock)
    return { ports, turns: boundHeavyTurns({ queue, max: bound, elapsed: ports.elapsed, refused }) }
  }
  const live = open(max, heavyTurnRefused)
  const previews = open(maxPreviews, () => heavyTurnRefused('preview'))
  prometheus.watchHeavyTurns('previews', () => previews.turns.waiting)
  prometheus.watchHeavyTurns('others', () => live.turns.waiting)
  return { live, previews, clock }
}
