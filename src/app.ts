import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Chat } from './chat/chat.ts'
import type { CompatApi } from './compat/compat-api.ts'
import type { Config } from './config/config.ts'
import { ServiceError } from './errors.ts'
import type { FlowTests } from './flow-tests/test-draft.ts'
import { describeRoutes } from './http/openapi/openapi.ts'
import {
  identifyCallers,
  recognizePreviewToken,
  requireAdmin,
  requirePreviewToken,
} from './http/protection/auth.ts'
import { limitConnections } from './http/protection/connection-limit.ts'
import { registerPreflight } from './http/protection/cors.ts'
import { createGracefulShutdown, type ShutdownHooks } from './http/protection/graceful-shutdown.ts'
import {
  type LoadLimits,
  limitsForOngoing,
  shedLoad,
  shedWhileFull,
} from './http/protection/load-shedding.ts'
import { createPageAccess } from './http/protection/page-access.ts'
import { limitRates } from './http/protection/rate-limit.ts'
import { limitReading } from './http/protection/read-timeout.ts'
import { type AllowedMethods, collectAllowedMethods } from './http/request/allowed-methods.ts'
import type { BodyRoom } from './http/request/body-budget.ts'
import { limitBodyTime } from './http/request/body-timeout.ts'
import { type TrackedExchange, trackConnections } from './http/request/connection-tracker.ts'
import {
  type JsonBodies,
  readLargerBodies,
  readSignedBodies,
  registerJsonParser,
  reuseCompiledDrafts,
} from './http/request/json-body-parser.ts'
import { traceRequests } from './http/request/request-spans.ts'
import { traceTurns } from './http/request/request-trace.ts'
import { createValidatorCompiler } from './http/request/validator-compiler.ts'
import { createRequestLog, type RequestObserver, summarizeRequest } from './http/request-log.ts'
import { createRequestCounts } from './http/request-metrics.ts'
import { respondToBrokenRequest } from './http/response/client-error.ts'
import { requestIdOf, setDefaultHeaders } from './http/response/default-headers.ts'
import { sendProblem } from './http/response/problem-details.ts'
import type { UnreadAnswers } from './http/response/unread-answers.ts'
import type { Server } from './http/types.ts'
import type { Announcements, StoreUsage } from './ports/known-types.ts'
import type { HeavyTurns, Load } from './ports/load-port.ts'
import type { Metrics } from './ports/metrics-port.ts'
import type { Spans } from './ports/spans-port.ts'
import type { Publication } from './publication/publication.ts'
import type { Replays } from './replay/replay-request.ts'
import type { Results } from './results/results-service.ts'
import { readAudit } from './routes/audit-route.ts'
import { clientLogs } from './routes/client-logs-route.ts'
import { confirmPayment } from './routes/confirm-payment-route.ts'
import { continueChat } from './routes/continue-chat-route.ts'
import { executeWebhook } from './routes/execute-webhook-route.ts'
import { flowVersions } from './routes/flow-versions-route.ts'
import { listFlows } from './routes/flows-route.ts'
import { generateUploadUrl } from './routes/generate-upload-url-route.ts'
import { getSession } from './routes/get-session-route.ts'
import { getUpload } from './routes/get-upload-route.ts'
import { health } from './routes/health-route.ts'
import { type MetricsText, metrics } from './routes/metrics-route.ts'
import { publishedFlow } from './routes/published-flow-route.ts'
import { putUpload } from './routes/put-upload-route.ts'
import { type Readiness, readinessOf, ready } from './routes/ready-route.ts'
import { replay } from './routes/replay-route.ts'
import { resultRecording } from './routes/result-recording-route.ts'
import { oneResult } from './routes/result-route.ts'
import { allResults } from './routes/results-route.ts'
import { sessionEvents } from './routes/session-events-route.ts'
import { sessionRecording } from './routes/session-recording-route.ts'
import { sessionTrace } from './routes/session-trace-route.ts'
import { startChat } from './routes/start-chat-route.ts'
import { startPreviewChat } from './routes/start-preview-chat-route.ts'
import { streamMessage } from './routes/stream-message-route.ts'
import { testFlow } from './routes/test-flow-route.ts'
import { updateFlow } from './routes/update-flow-route.ts'
import { validateFlow, validatePublishedFlow } from './routes/validate-flow-route.ts'
import type { Uploads } from './uploads/uploads-service.ts'

/** What the server is made of. */
export interface AppDependencies {
  readonly chat: Chat
  readonly flowTests: FlowTests
  readonly replays: Replays
  readonly results: Results
  readonly uploads: Uploads
  readonly config: Pick<
    Config,
    | 'bodyLimit'
    | 'previewBodyLimit'
    | 'bodyBounds'
    | 'unread'
    | 'maxConnections'
    | 'rateLimitMax'
    | 'trustedProxies'
    | 'metricsToken'
    | 'adminTokens'
    | 'previewToken'
    | 'publicUrl'
    | 'pages'
    | 'webhookWaitMs'
    | 'compat'
    | 'maxEventStreams'
  >
  /** Counts what arrives and what is not read; shared with whoever shows how much that is. */
  readonly room: BodyRoom
  readonly unreadAnswers: UnreadAnswers
  /** Shows to operators how much a part of the service holds. */
  readonly watch?: (store: string, usage: () => StoreUsage) => void
  readonly readiness: Readiness
  /** Published flows, for those who publish them. */
  readonly publication: Publication
  /** What is amiss though the service is ready. */
  readonly notices: () => readonly string[]
  readonly load: Load
  readonly loadLimits: LoadLimits
  /** Of previews that were started without a token. */
  readonly heavyPreviews: HeavyTurns
  /** A client of Redis where several processes count the requests of an address together. */
  readonly sharedCounts?: object | undefined
  /** What processes tell each other. */
  readonly announcements: Announcements
  readonly requestAnswered: Metrics['requestAnswered']
  readonly metricsText: MetricsText
  /** Undefined without tracing. */
  readonly spans?: Spans | undefined
  /** Nothing is logged without one. */
  readonly logger?: Logger
}

/** Puts the server together. It never listens: that, and everything about the process, is up to the caller. */
export async function buildApp(deps: AppDependencies): Promise<Server> {
  const { config } = deps
  const observe = createObserver(deps)
  const app = createServer(deps, observe)
  const connections = trackConnections(app)
  const shutdown = createGracefulShutdown(app, connections)
  app.decorate('shutdown', shutdown)
  const methodsOf = collectAllowedMethods(app)
  traceRequests(app, deps.spans)
  // One hook for all, as each costs as much as what most of them do.
  app.addHook('onRequest', (request, reply, done) => {
    setDefaultHeaders(request, reply)
    connections.use({ request, reply })
    done(shutdown.refusalOf(reply) ?? refusalOf({ request, reply }, methodsOf))
  })
  app.addHook('onResponse', (request, reply, done) => {
    connections.free(request)
    shutdown.answered()
    observe(summarizeRequest(request, reply))
    done()
  })
  app.setNotFoundHandler(() => {
    throw notFound()
  })
  identifyCallers(app)
  traceTurns(app)
  deps.watch?.('connections', limitConnections(app, connections, config.maxConnections))
  limitBodyTime(app, connections)
  registerPreflight(app)
  limitReading(app, connections, config.unread.maxMs)
  app.decorate('pageAccess', createPageAccess(config))
  app.decorate('unreadAnswers', deps.unreadAnswers)
  const bodies = { room: deps.room, bodyLimit: config.bodyLimit, bounds: config.bodyBounds }
  registerJsonParser(app, bodies)
  app.setValidatorCompiler(createValidatorCompiler())
  app.setSerializerCompiler(() => JSON.stringify)
  describeRoutes(app, config.publicUrl)
  const compat = await openCompatApi(app, deps, shutdown)
  await addRoutes(app, { ...deps, chat: compat?.chat ?? deps.chat, shutdown, compat }, bodies)
  await app.ready()
  return app
}

function createObserver({ logger, requestAnswered }: AppDependencies): RequestObserver {
  const count = createRequestCounts(requestAnswered)
  const log = logger && createRequestLog(logger)
  return (request) => {
    count(request)
    log?.(request)
  }
}

/**
 * A head that takes longer than ten seconds holds a connection and nothing else; bodies have limits of their own
 * (src/http/request/body-timeout.ts). A visitor whose answer is long in coming is silent too, but hardly for ten minutes.
 */
const connectionLimits = {
  // Without a host Node would refuse on its own, past everything that answers have to be.
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
  keepAliveTimeout: 72_000,
  connectionTimeout: 600_000,
}

function createServer({ config, logger }: AppDependencies, observe: RequestObserver): Server {
  const app = fastify({
    ...(logger && { loggerInstance: logger as FastifyBaseLogger }),
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than the one line it writes.
    childLoggerFactory: (parent) => parent,
    genReqId: requestIdOf,
    bodyLimit: config.bodyLimit,
    ...(config.trustedProxies > 0 && { trustProxy: (_address, hop) => hop < config.trustedProxies }),
    return503OnClosing: false,
    ...connectionLimits,
    routerOptions: { maxParamLength: 1024 },
    clientErrorHandler: respondToBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      sendProblem(error, request, reply)
      observe(summarizeRequest(request, reply))
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setErrorHandler(sendProblem)
  // An `Expect` header that is not understood is ignored, as others are: Node's own refusal is no problem document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

/** Refuses before the body is read, whatever it is. */
function refusalOf({ request, reply }: TrackedExchange, methodsOf: AllowedMethods): ServiceError | undefined {
  const { raw, is404 } = request
  // HTTP/1.1 asks for the name of a host with every request, and for a refusal without one.
  const isHostless = raw.headers.host === undefined && raw.httpVersionMinor > 0
  if (isHostless) return new ServiceError('BAD_REQUEST', 'The Host header is missing')
  if (!is404) return undefined
  // The router ends a path at either of them.
  const methods = methodsOf(request.url.split(/[?#]/, 1)[0] ?? '')
  if (methods.length === 0) return notFound()
  reply.header('allow', methods.join(', '))
  return new ServiceError('METHOD_NOT_ALLOWED', `This address knows ${methods.join(', ')} only`)
}

const notFound = () => new ServiceError('NOT_FOUND', 'Not found')

/** Routes know of the shutdown too: what waits ends with it. */
interface RouteDependencies extends AppDependencies {
  readonly shutdown: ShutdownHooks
  /** The routes of clients that speak another API, where the operator has any. */
  readonly compat: CompatApi | undefined
}

/** Nothing of it is loaded where the operator has not asked for it. */
async function openCompatApi(
  app: Server,
  { config, ...deps }: AppDependencies,
  { signal: closing }: ShutdownHooks,
): Promise<CompatApi | undefined> {
  if (!config.compat) return undefined
  const { createCompatApi } = await import('./compat/compat-api.ts')
  return createCompatApi(app, { ...deps, config: { ...config, ...config.compat }, closing })
}

async function addRoutes(app: Server, deps: RouteDependencies, bodies: JsonBodies): Promise<void> {
  await app.register((scope: Server) => addVisitorRoutes(scope, deps, bodies))
  await app.register((scope: Server) => addOperatorRoutes(scope, deps, bodies))
  await deps.compat?.addOperatorRoutes(app)
  getUpload(app, { ...deps, adminTokens: deps.config.adminTokens })
  if (deps.config.pages !== 'off') (await import('./pages/add-pages.ts')).addPages(app, deps)
  health(app)
  ready(app, { ...deps, readiness: readinessOf([deps.shutdown.problems, deps.readiness]) })
  metrics(app, { source: deps.metricsText, token: deps.config.metricsToken })
}

/** Bytes of an event of another service: far more than any has. */
const maxEventBytes = 256 * 1024

/** What strangers can make the service work with. */
async function addVisitorRoutes(app: Server, deps: RouteDependencies, bodies: JsonBodies): Promise<void> {
  const { chat, config, load, loadLimits, shutdown } = deps
  if (config.rateLimitMax !== undefined) await limitRates(app, config.rateLimitMax, deps.sharedCounts)
  await app.register(async (newcomers: Server) => {
    shedLoad(newcomers, load, loadLimits)
    startChat(newcomers, deps)
    await newcomers.register(async (previews: Server) => {
      requirePreviewToken(previews, config.previewToken)
      if (config.previewToken === undefined) shedWhileFull(previews, deps.heavyPreviews)
      const bodyLimit = config.previewBodyLimit
      reuseCompiledDrafts(previews, { ...bodies, bodyLimit }, chat.recallDraft)
      startPreviewChat(previews, { ...deps, bodyLimit })
    })
    await newcomers.register(async (checks: Server) => {
      requirePreviewToken(checks, config.previewToken)
      if (config.previewToken === undefined) shedWhileFull(checks, deps.heavyPreviews)
      const bodyLimit = config.previewBodyLimit
      readLargerBodies(checks, { ...bodies, bodyLimit })
      validateFlow(checks, { ...deps, bodyLimit })
      testFlow(checks, { ...deps, bodyLimit })
      replay(checks, { ...deps, bodyLimit })
    })
    await newcomers.register(async (logs: Server) => {
      recognizePreviewToken(logs, config.previewToken)
      clientLogs(logs, deps)
    })
  })
  await app.register(async (underWay: Server) => {
    shedLoad(underWay, load, limitsForOngoing(loadLimits))
    recognizePreviewToken(underWay, config.previewToken)
    continueChat(underWay, { chat, closing: shutdown.signal, webhookWaitMs: config.webhookWaitMs })
    sessionEvents(underWay, { chat, closing: shutdown.signal })
    getSession(underWay, deps)
    sessionTrace(underWay, { chat, closing: shutdown.signal })
    sessionRecording(underWay, deps)
    streamMessage(underWay, deps)
    generateUploadUrl(underWay, deps)
    putUpload(underWay, deps)
    await underWay.register(async (signed: Server) => {
      const bodyLimit = Math.min(bodies.bodyLimit, maxEventBytes)
      readSignedBodies(signed, { ...bodies, bodyLimit })
      confirmPayment(signed, deps)
    })
  })
  await deps.compat?.addVisitorRoutes(app, bodies)
}

async function addOperatorRoutes(app: Server, deps: AppDependencies, bodies: JsonBodies): Promise<void> {
  shedLoad(app, deps.load, limitsForOngoing(deps.loadLimits))
  requireAdmin(app, deps.config.adminTokens)
  updateFlow(app, deps)
  executeWebhook(app, deps)
  allResults(app, deps)
  oneResult(app, deps)
  resultRecording(app, deps)
  listFlows(app, deps)
  flowVersions(app, deps)
  validatePublishedFlow(app, deps)
  readAudit(app, deps)
  await app.register(async (definitions: Server) => {
    const bodyLimit = deps.config.previewBodyLimit
    readLargerBodies(definitions, { ...bodies, bodyLimit })
    publishedFlow(definitions, { ...deps, bodyLimit })
  })
}
