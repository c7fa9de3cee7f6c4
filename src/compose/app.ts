import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { CompatApi } from '../compat/compat-api.ts'
import { describeRoutes } from '../http/openapi/openapi.ts'
import { Connections, type Exchange } from '../http/protection/connections.ts'
import { registerPreflight } from '../http/protection/cors.ts'
import { GracefulShutdown } from '../http/protection/graceful-shutdown.ts'
import { createPageAccess } from '../http/protection/page-access.ts'
import { countRates } from '../http/protection/rate-limit.ts'
import { limitBodyTime, limitReading } from '../http/protection/slow-clients.ts'
import { limitGuesses } from '../http/protection/token-guesses.ts'
import { type AllowedMethods, collectAllowedMethods } from '../http/request/allowed-methods.ts'
import type { BodyRoom } from '../http/request/body/body-budget.ts'
import { registerJsonParser } from '../http/request/body/json-body-parser.ts'
import { beginRequestSpans } from '../http/request/request-spans.ts'
import { createValidatorCompiler } from '../http/request/validator-compiler.ts'
import {
  createRequestLog,
  createRequestObserver,
  type RequestObserver,
  rememberTurns,
  summariseRequest,
} from '../http/request-log.ts'
import { respondToBrokenRequest } from '../http/response/client-error.ts'
import { requestIdOf, setDefaultHeaders } from '../http/response/default-headers.ts'
import { sendProblem } from '../http/response/problem-details.ts'
import type { UnreadAnswers } from '../http/response/unread-answers.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import { anonymous } from '../ports/caller.ts'
import type { Announcements, StoreUsage } from '../ports/known-types.ts'
import type { Metrics } from '../ports/metrics-port.ts'
import type { Spans } from '../ports/spans-port.ts'
import { type RouteDependencies, registerRoutes } from './register-routes.ts'

/** Dependencies of the server. */
export interface AppDependencies extends Omit<RouteDependencies, 'shutdown' | 'compat'> {
  /** Counts what arrives and what is not read; shared with the metrics. */
  readonly room: BodyRoom
  readonly unreadAnswers: UnreadAnswers
  /** Shows to operators how much a part of the service holds. */
  readonly watch?: (store: string, usage: () => StoreUsage) => void
  /** Messages among processes. */
  readonly announcements: Announcements
  readonly requestAnswered: Metrics['requestAnswered']
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
  const connections = new Connections(app, config.maxConnections)
  const shutdown = new GracefulShutdown(app, connections)
  app.decorate('shutdown', shutdown)
  const methodsOf = collectAllowedMethods(app)
  deps.watch?.('connections', connections.usage)
  app.decorateRequest('caller', null as never)
  beginRequestSpans(app, deps.spans)
  // One hook for all, as each costs as much as what most of them do.
  app.addHook('onRequest', (request, reply, done) => {
    request.caller = anonymous
    setDefaultHeaders(request, reply)
    const exchange = { request, reply }
    const crowded = connections.begin(exchange)
    const ending = shutdown.isEnding ? shutdown.refusalOf(reply) : undefined
    const refusal = ending ?? crowded ?? refusalOf(exchange, methodsOf)
    if (refusal || request.headers.authorization === undefined) return done(refusal)
    app.tokenGuesses.check(request, reply).then(() => done(), done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    connections.end(request)
    if (shutdown.isEnding) shutdown.answered()
    observe(summariseRequest(request, reply))
    const isGuess = reply.statusCode === 401 && request.headers.authorization !== undefined
    if (isGuess) app.tokenGuesses.count(request).then(() => done(), done)
    else done()
  })
  app.setNotFoundHandler(() => {
    throw notFound()
  })
  await countRates(app, { max: config.rateLimitMax, sharedCounts: deps.sharedCounts })
  limitGuesses(app, config.rateLimitMax)
  rememberTurns(app)
  limitBodyTime(app, connections)
  registerPreflight(app)
  limitReading(app, connections, config.unread.maxMs)
  app.decorate('pageAccess', createPageAccess(config))
  app.decorate('unreadAnswers', deps.unreadAnswers)
  const bodies = { room: deps.room, bodyLimit: config.bodyLimit, bounds: config.bodyBounds }
  registerJsonParser(app, bodies)
  app.setValidatorCompiler(createValidatorCompiler())
  app.setSerializerCompiler(() => JSON.stringify)
  describeRoutes(app, { publicUrl: config.publicUrl, ownBlockSchemas: deps.ownBlockSchemas })
  const compat = await openCompatApi(app, deps, shutdown)
  await registerRoutes(app, { ...deps, chat: compat?.chat ?? deps.chat, shutdown, compat }, bodies)
  await app.ready()
  return app
}

function createObserver({ logger, requestAnswered }: AppDependencies): RequestObserver {
  const count = createRequestObserver(requestAnswered)
  const log = logger && createRequestLog(logger)
  return (request) => {
    count(request)
    log?.(request)
  }
}

/**
 * A head that takes longer than ten seconds holds a connection and nothing else; bodies have limits of their own
 * (src/http/protection/slow-clients.ts). A visitor whose answer is long in coming is silent too, but hardly for ten minutes.
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
      observe(summariseRequest(request, reply))
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setErrorHandler(sendProblem)
  // An `Expect` header that is not understood is ignored, as others are: Node's own refusal is no problem document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

/** Refuses before the body is read, whatever it is. */
function refusalOf({ request, reply }: Exchange, methodsOf: AllowedMethods): ServiceError | undefined {
  const { raw, is404 } = request
  // HTTP/1.1 asks for the name of a host with every request, and for a refusal without one.
  const isHostless = raw.headers.host === undefined && raw.httpVersionMinor > 0
  if (isHostless) return new ServiceError('BAD_REQUEST', 'The Host header is missing')
  if (hasTwoHosts(raw)) return new ServiceError('BAD_REQUEST', 'There is more than one Host header')
  // The router takes the whole server for the address `/`.
  if (request.url === '*' && request.method !== 'OPTIONS') return notFound()
  if (!is404) return undefined
  // The router begins a path behind a host, and ends it at either of these.
  const methods = methodsOf(request.url.replace(/^https?:\/\/[^/]*/, '').split(/[?#]/, 1)[0] ?? '')
  if (methods.length === 0) return notFound()
  reply.header('allow', methods.join(', '))
  return new ServiceError(
    'METHOD_NOT_ALLOWED',
    `Method ${request.method} is not allowed; allowed: ${methods.join(', ')}`,
  )
}

/** Whether a request names its host twice: Node reads the first, and what stands in front may have gone by the last. */
function hasTwoHosts({ rawHeaders }: Exchange['request']['raw']): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

const notFound = () => new ServiceError('NOT_FOUND', 'Not found')

/** Nothing of it is loaded where the operator has not asked for it. */
async function openCompatApi(
  app: Server,
  { config, ...deps }: AppDependencies,
  { signal: closing }: GracefulShutdown,
): Promise<CompatApi | undefined> {
  if (!config.compat) return undefined
  const { createCompatApi } = await import('../compat/compat-api.ts')
  return createCompatApi(app, { ...deps, config: { ...config, ...config.compat }, closing })
}
