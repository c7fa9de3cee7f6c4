import type { TSchema } from '@sinclair/typebox'
import type { AnalyticsReader } from '../analytics/read-analytics.ts'
import type { ChannelDirectory } from '../channels/channel-directory.ts'
import type { Channels } from '../channels/channels-service.ts'
import type { Receiver } from '../channels/receive.ts'
import type { CompatApi } from '../compat/compat-api.ts'
import type { Config } from '../config/config.ts'
import type { Contacts } from '../contacts/contacts-service.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import {
  recogniseAuthors,
  recognisePreviewToken,
  requireAdmin,
  requireAssistant,
  requirePreviewToken,
} from '../http/protection/auth.ts'
import type { GracefulShutdown } from '../http/protection/graceful-shutdown.ts'
import {
  type LoadLimits,
  limitsForOngoing,
  shedLoad,
  shedWhileFull,
} from '../http/protection/load-shedding.ts'
import { limitRates } from '../http/protection/rate-limit.ts'
import type { SharedCounts } from '../http/protection/shared-rates.ts'
import {
  type JsonBodies,
  readLargerBodies,
  readSignedBodies,
  reuseCompiledDrafts,
} from '../http/request/body/json-body-parser.ts'
import { refuseUnknownQueries } from '../http/request/queries.ts'
import type { Server } from '../http/types.ts'
import type { HeavyTurns, Load } from '../ports/load-port.ts'
import type { Publication } from '../publication/publication.ts'
import type { Results } from '../results/results-service.ts'
import { channelRoutes, inviteRoute } from '../routes/channels/channel-routes.ts'
import { channelWebhookRoute } from '../routes/channels/channel-webhook-route.ts'
import { contactRoute } from '../routes/contacts/contact-route.ts'
import { draftRoutes, validatePublishedFlowRoute } from '../routes/flows/draft-routes.ts'
import { flowRoutes } from '../routes/flows/flow-routes.ts'
import { publishedFlowRoute } from '../routes/flows/published-flow-route.ts'
import { schemaFilesRoute } from '../routes/flows/schema-files-route.ts'
import { startChatRoute, startPreviewChatRoute } from '../routes/flows/start-chat-routes.ts'
import { mcpRoute } from '../routes/mcp/mcp-route.ts'
import { readAuditRoute } from '../routes/operator/audit-route.ts'
import {
  type MetricsText,
  probeRoutes,
  type Readiness,
  readinessOf,
} from '../routes/operator/probe-routes.ts'
import { analyticsRoute, exportsRoute } from '../routes/results/exports-route.ts'
import { importResultsRoute } from '../routes/results/import-results-route.ts'
import { oneResultRoute, resultRecordingRoute } from '../routes/results/result-route.ts'
import { allResultsRoute } from '../routes/results/results-route.ts'
import { changeSessionRoute } from '../routes/sessions/change-session-route.ts'
import { clientLogsRoute, streamMessageRoute } from '../routes/sessions/client-routes.ts'
import { confirmPaymentRoute } from '../routes/sessions/confirm-payment-route.ts'
import { continueChatRoute } from '../routes/sessions/continue-chat-route.ts'
import { operatorSessionRoutes } from '../routes/sessions/operator-session-routes.ts'
import { previewReadRoutes, sessionRoutes } from '../routes/sessions/session-routes.ts'
import { getUploadRoute } from '../routes/uploads/get-upload-route.ts'
import { generateUploadUrlRoute, putUploadRoute } from '../routes/uploads/upload-routes.ts'
import { webhookRoutes } from '../routes/webhooks/webhook-routes.ts'
import type { FlowConverter } from '../tooling/convert/flow-converter.ts'
import type { FlowTests } from '../tooling/flow-tests/test-draft.ts'
import type { Replays } from '../tooling/replay/replay-request.ts'
import type { Uploads } from '../uploads/uploads-service.ts'
import type { Webhooks } from '../webhooks/webhooks-service.ts'

/** Dependencies of the routes. */
export interface RouteDependencies {
  readonly chat: ChatDependencies
  readonly flowTests: FlowTests
  readonly converter: FlowConverter
  readonly replays: Replays
  readonly results: Results
  readonly contacts: Contacts
  readonly analytics: AnalyticsReader
  readonly uploads: Uploads
  readonly webhooks: Webhooks
  readonly channels: Channels
  readonly receiver: Receiver
  readonly directory: ChannelDirectory
  readonly config: Config
  /** Schemas of the operator's own block types, for those who write flows. */
  readonly ownBlockSchemas: readonly TSchema[]
  readonly readiness: Readiness
  /** Published flows, for those who publish them. */
  readonly publication: Publication
  /** Failures that leave the service ready. */
  readonly notices: Readiness
  readonly load: Load
  readonly loadLimits: LoadLimits
  /** Of previews that were started without a token. */
  readonly heavyPreviews: HeavyTurns
  /** Counts of requests where several processes count those of an address together. */
  readonly sharedCounts?: SharedCounts | undefined
  readonly metricsText: MetricsText
  /** Long waits end with the service. */
  readonly shutdown: GracefulShutdown
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
  await app.register(async (messengers: Server) => {
    // A request that is refused comes again.
    shedLoad(messengers, deps.load, limitsForOngoing(deps.loadLimits))
    channelWebhookRoute(messengers, { ...deps, publicUrl: deps.config.publicUrl }, bodies)
  })
  await deps.compat?.addOperatorRoutes(app)
  getUploadRoute(app, { ...deps, adminTokens: deps.config.adminTokens })
  if (deps.config.pages !== 'off') (await import('../pages/add-pages.ts')).addPages(app, deps)
  schemaFilesRoute(app, deps.ownBlockSchemas)
  const readiness = readinessOf([deps.shutdown.problems, deps.readiness])
  probeRoutes(app, { ...deps, readiness, token: deps.config.metricsToken })
}

/** Bytes of an event of another service: far more than any has. */
const maxEventBytes = 256 * 1024

/** Bytes of an answer that is written for a messenger, at once: far more than a person reads. */
const maxAnswerBytes = 128 * 1024

/** Routes that need no token of an operator. */
async function addVisitorRoutes(app: Server, deps: RouteDependencies, bodies: JsonBodies): Promise<void> {
  const { chat, config, load, loadLimits, shutdown } = deps
  if (config.rateLimitMax !== undefined) limitRates(app)
  await app.register(async (newcomers: Server) => {
    shedLoad(newcomers, load, loadLimits)
    await newcomers.register(async (starts: Server) => {
      // Their word about a contact counts.
      recogniseAuthors(starts, { adminTokens: config.adminTokens, previewToken: undefined })
      startChatRoute(starts, deps)
    })
    await newcomers.register(async (previews: Server) => {
      requirePreviewToken(previews, config.previewToken)
      if (config.previewToken === undefined) shedWhileFull(previews, deps.heavyPreviews)
      const bodyLimit = config.previewBodyLimit
      reuseCompiledDrafts(previews, { ...bodies, bodyLimit }, (name) => chat.drafts.recall(name))
      startPreviewChatRoute(previews, { ...deps, bodyLimit })
    })
    await newcomers.register(async (checks: Server) => {
      requirePreviewToken(checks, config.previewToken)
      if (config.previewToken === undefined) shedWhileFull(checks, deps.heavyPreviews)
      const bodyLimit = config.previewBodyLimit
      readLargerBodies(checks, { ...bodies, bodyLimit })
      draftRoutes(checks, { ...deps, bodyLimit, answerLimit: Math.min(bodies.bodyLimit, maxAnswerBytes) })
    })
    await newcomers.register(async (assistants: Server) => {
      requireAssistant(assistants, config.mcpTokens)
      mcpRoute(assistants, { chat, config, closing: shutdown.signal })
    })
    await newcomers.register(async (logs: Server) => {
      recognisePreviewToken(logs, config.previewToken)
      clientLogsRoute(logs, deps)
    })
  })
  await app.register(async (underWay: Server) => {
    shedLoad(underWay, load, limitsForOngoing(loadLimits))
    recognisePreviewToken(underWay, config.previewToken)
    continueChatRoute(underWay, { chat, closing: shutdown.signal, webhookWaitMs: config.webhookWaitMs })
    sessionRoutes(underWay, { chat, closing: shutdown.signal })
    await underWay.register(async (persons: Server) => {
      recogniseAuthors(persons, config)
      changeSessionRoute(persons, deps)
    })
    previewReadRoutes(underWay, { chat, closing: shutdown.signal })
    streamMessageRoute(underWay, deps)
    generateUploadUrlRoute(underWay, deps)
    putUploadRoute(underWay, deps)
    await underWay.register(async (signed: Server) => {
      const bodyLimit = Math.min(bodies.bodyLimit, maxEventBytes)
      readSignedBodies(signed, { ...bodies, bodyLimit })
      confirmPaymentRoute(signed, deps)
    })
  })
  await deps.compat?.addVisitorRoutes(app, bodies)
}

async function addOperatorRoutes(app: Server, deps: RouteDependencies, bodies: JsonBodies): Promise<void> {
  shedLoad(app, deps.load, limitsForOngoing(deps.loadLimits))
  requireAdmin(app, deps.config.adminTokens)
  refuseUnknownQueries(app)
  operatorSessionRoutes(app, deps)
  allResultsRoute(app, deps)
  oneResultRoute(app, deps)
  exportsRoute(app, deps)
  importResultsRoute(app, deps)
  analyticsRoute(app, deps)
  resultRecordingRoute(app, deps)
  contactRoute(app, deps)
  flowRoutes(app, deps)
  validatePublishedFlowRoute(app, deps)
  readAuditRoute(app, deps)
  channelRoutes(app, deps)
  inviteRoute(app, deps)
  webhookRoutes(app, deps)
  await app.register(async (definitions: Server) => {
    const bodyLimit = deps.config.previewBodyLimit
    readLargerBodies(definitions, { ...bodies, bodyLimit })
    publishedFlowRoute(definitions, { ...deps, bodyLimit })
  })
}
