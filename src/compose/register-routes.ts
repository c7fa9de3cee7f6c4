import type { CompatApi } from '../compat/compat-api.ts'
import type { Config } from '../config/config.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { recognisePreviewToken, requireAdmin, requirePreviewToken } from '../http/protection/auth.ts'
import type { ShutdownHooks } from '../http/protection/graceful-shutdown.ts'
import {
  type LoadLimits,
  limitsForOngoing,
  shedLoad,
  shedWhileFull,
} from '../http/protection/load-shedding.ts'
import { limitRates } from '../http/protection/rate-limit.ts'
import {
  type JsonBodies,
  readLargerBodies,
  readSignedBodies,
  reuseCompiledDrafts,
} from '../http/request/body/json-body-parser.ts'
import { refuseUnknownQueries } from '../http/request/known-queries.ts'
import type { Server } from '../http/types.ts'
import type { HeavyTurns, Load } from '../ports/load-port.ts'
import type { Publication } from '../publication/publication.ts'
import type { Results } from '../results/results-service.ts'
import { flowVersions } from '../routes/flows/flow-versions-route.ts'
import { listFlows } from '../routes/flows/flows-route.ts'
import { publishedFlow } from '../routes/flows/published-flow-route.ts'
import { replay } from '../routes/flows/replay-route.ts'
import { startChat } from '../routes/flows/start-chat-route.ts'
import { startPreviewChat } from '../routes/flows/start-preview-chat-route.ts'
import { testFlow } from '../routes/flows/test-flow-route.ts'
import { validateFlow, validatePublishedFlow } from '../routes/flows/validate-flow-route.ts'
import { readAudit } from '../routes/operator/audit-route.ts'
import { health } from '../routes/operator/health-route.ts'
import { type MetricsText, metrics } from '../routes/operator/metrics-route.ts'
import { type Readiness, readinessOf, ready } from '../routes/operator/ready-route.ts'
import { resultRecording } from '../routes/results/result-recording-route.ts'
import { oneResult } from '../routes/results/result-route.ts'
import { allResults } from '../routes/results/results-route.ts'
import { clientLogs } from '../routes/sessions/client-logs-route.ts'
import { confirmPayment } from '../routes/sessions/confirm-payment-route.ts'
import { continueChat } from '../routes/sessions/continue-chat-route.ts'
import { executeWebhook } from '../routes/sessions/execute-webhook-route.ts'
import { getSession } from '../routes/sessions/get-session-route.ts'
import { sessionEvents } from '../routes/sessions/session-events-route.ts'
import { sessionRecording } from '../routes/sessions/session-recording-route.ts'
import { sessionTrace } from '../routes/sessions/session-trace-route.ts'
import { streamMessage } from '../routes/sessions/stream-message-route.ts'
import { updateFlow } from '../routes/sessions/update-flow-route.ts'
import { generateUploadUrl } from '../routes/uploads/generate-upload-url-route.ts'
import { getUpload } from '../routes/uploads/get-upload-route.ts'
import { putUpload } from '../routes/uploads/put-upload-route.ts'
import type { FlowTests } from '../tooling/flow-tests/test-draft.ts'
import type { Replays } from '../tooling/replay/replay-request.ts'
import type { Uploads } from '../uploads/uploads-service.ts'

/** What routes are made of. */
export interface RouteDependencies {
  readonly chat: ChatDependencies
  readonly flowTests: FlowTests
  readonly replays: Replays
  readonly results: Results
  readonly uploads: Uploads
  readonly config: Pick<
    Config,
    | 'bodyLimit'
    | 'previewBodyLimit'
    | 'rateLimitMax'
    | 'metricsToken'
    | 'adminTokens'
    | 'previewToken'
    | 'publicUrl'
    | 'pages'
    | 'isLocal'
    | 'webhookWaitMs'
    | 'compat'
    | 'maxEventStreams'
  >
  readonly readiness: Readiness
  /** Published flows, for those who publish them. */
  readonly publication: Publication
  /** What is amiss though the service is ready. */
  readonly notices: Readiness
  readonly load: Load
  readonly loadLimits: LoadLimits
  /** Of previews that were started without a token. */
  readonly heavyPreviews: HeavyTurns
  /** A client of Redis where several processes count the requests of an address together. */
  readonly sharedCounts?: object | undefined
  readonly metricsText: MetricsText
  /** What waits for something to happen ends with it. */
  readonly shutdown: ShutdownHooks
  /** The routes of clients that speak another API, where the operator has any. */
  readonly compat: CompatApi | undefined
}

/** Adds every route to the server, with what guards it. */
export async function registerRoutes(
  app: Server,
  deps: RouteDependencies,
  bodies: JsonBodies,
): Promise<void> {
  await app.register((scope: Server) => addVisitorRoutes(scope, deps, bodies))
  await app.register((scope: Server) => addOperatorRoutes(scope, deps, bodies))
  await deps.compat?.addOperatorRoutes(app)
  getUpload(app, { ...deps, adminTokens: deps.config.adminTokens })
  if (deps.config.pages !== 'off') (await import('../pages/add-pages.ts')).addPages(app, deps)
  health(app)
  ready(app, { ...deps, readiness: readinessOf([deps.shutdown.problems, deps.readiness]) })
  metrics(app, { source: deps.metricsText, token: deps.config.metricsToken })
}

/** Bytes of an event of another service: far more than any has. */
const maxEventBytes = 256 * 1024

/** What strangers can make the service work with. */
async function addVisitorRoutes(app: Server, deps: RouteDependencies, bodies: JsonBodies): Promise<void> {
  const { chat, config, load, loadLimits, shutdown } = deps
  if (config.rateLimitMax !== undefined) limitRates(app)
  await app.register(async (newcomers: Server) => {
    shedLoad(newcomers, load, loadLimits)
    startChat(newcomers, deps)
    await newcomers.register(async (previews: Server) => {
      requirePreviewToken(previews, config.previewToken)
      if (config.previewToken === undefined) shedWhileFull(previews, deps.heavyPreviews)
      const bodyLimit = config.previewBodyLimit
      reuseCompiledDrafts(previews, { ...bodies, bodyLimit }, (name) => chat.drafts.recall(name))
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
      recognisePreviewToken(logs, config.previewToken)
      clientLogs(logs, deps)
    })
  })
  await app.register(async (underWay: Server) => {
    shedLoad(underWay, load, limitsForOngoing(loadLimits))
    recognisePreviewToken(underWay, config.previewToken)
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

async function addOperatorRoutes(app: Server, deps: RouteDependencies, bodies: JsonBodies): Promise<void> {
  shedLoad(app, deps.load, limitsForOngoing(deps.loadLimits))
  requireAdmin(app, deps.config.adminTokens)
  refuseUnknownQueries(app)
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
