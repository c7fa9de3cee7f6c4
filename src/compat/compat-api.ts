import type { ChatDependencies } from '../conversations/dependencies.ts'
import { recognisePreviewToken, requireAdmin, requirePreviewToken } from '../http/protection/auth.ts'
import {
  type LoadLimits,
  limitsForOngoing,
  shedLoad,
  shedWhileFull,
} from '../http/protection/load-shedding.ts'
import { type JsonBodies, readLargerBodies } from '../http/request/body/json-body-parser.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import type { NamedToken } from '../ports/caller.ts'
import type { Announcements } from '../ports/known-types.ts'
import type { HeavyTurns, Load } from '../ports/load-port.ts'
import { clientLogsRoute } from '../routes/sessions/client-routes.ts'
import { continueChatRoute } from '../routes/sessions/continue-chat-route.ts'
import { generateUploadUrlRoute, putUploadRoute } from '../routes/uploads/upload-routes.ts'
import type { Uploads } from '../uploads/uploads-service.ts'
import { looseClientLogs } from './client-logs-v1-route.ts'
import { sendCompatError, withEmptyLists } from './compat-answers.ts'
import { receiveForm } from './form-upload-route.ts'
import { operatorCalls } from './operator-routes.ts'
import { sendMessage } from './send-message-route.ts'
import { startTypebot, startTypebotPreview } from './start-routes.ts'
import { streamMessages } from './stream-routes.ts'
import { firstUploadUrl, olderUploadUrls } from './upload-url-routes.ts'
import { openWebhookRooms, type WebhookRooms } from './webhook-rooms.ts'

interface CompatDependencies {
  readonly chat: ChatDependencies
  readonly uploads: Uploads
  readonly load: Load
  readonly loadLimits: LoadLimits
  /** Of previews that were started without a token. */
  readonly heavyPreviews: HeavyTurns
  /** Reach those who wait for webhooks at other processes. */
  readonly announcements: Announcements
  /** Aborted when the server closes. */
  readonly closing: AbortSignal
  readonly config: {
    readonly adminTokens: readonly NamedToken[]
    readonly maxEventStreams: number
    readonly previewToken: string | undefined
    readonly previewBodyLimit: number
    readonly webhookWaitMs: number
    readonly trustedViewerOrigins: readonly string[]
  }
}

const prefix = '/api'

/** Additions of `COMPAT_API=on` to a server. */
export type CompatApi = ReturnType<typeof createCompatApi>

/** Puts the routes of the other API together, over the use cases of ours. */
export function createCompatApi(app: Server, given: CompatDependencies) {
  const rooms = openWebhookRooms(app, { ...given, maxSockets: given.config.maxEventStreams })
  const { chat } = rooms
  const deps = { ...given, chat }
  return {
    /** Dependencies of the use cases, with notifications for clients that wait on WebSockets. */
    chat,
    /** Adds the routes that need no token of an operator. The protections of the scope cover them too. */
    async addVisitorRoutes(scope: Server, bodies: JsonBodies): Promise<void> {
      await addVisitorRoutes(scope, deps, bodies)
      rooms.addRoute(scope)
    },
    addOperatorRoutes: (scope: Server) => addOperatorRoutes(scope, { ...deps, rooms }),
  }
}

async function addVisitorRoutes(app: Server, deps: CompatDependencies, bodies: JsonBodies): Promise<void> {
  const { chat, load, loadLimits, config, closing } = deps
  await app.register(
    async (api: Server) => {
      speakAsBefore(api)
      // Makes what is not found here an error of this scope.
      api.setNotFoundHandler(() => {
        throw new ServiceError('NOT_FOUND', 'Not found')
      })
      trustViewers(api, config.trustedViewerOrigins)
      await api.register(async (newcomers: Server) => {
        shedLoad(newcomers, load, loadLimits)
        startTypebot(newcomers, chat)
        await newcomers.register(async (previews: Server) => addPreviews(previews, deps, bodies))
        await newcomers.register(async (known: Server) => {
          recognisePreviewToken(known, config.previewToken)
          sendMessage(known, deps)
          clientLogsRoute(known, deps)
          looseClientLogs(known, chat)
        })
      })
      await api.register(async (underWay: Server) => {
        shedLoad(underWay, load, limitsForOngoing(loadLimits))
        recognisePreviewToken(underWay, config.previewToken)
        continueChatRoute(underWay, {
          chat,
          closing,
          webhookWaitMs: config.webhookWaitMs,
          complete: withEmptyLists,
        })
        streamMessages(underWay, chat)
        generateUploadUrlRoute(underWay, deps)
        olderUploadUrls(underWay, deps)
        firstUploadUrl(underWay, deps)
        putUploadRoute(underWay, deps)
      })
    },
    { prefix },
  )
  await app.register(async (files: Server) => {
    speakAsBefore(files)
    shedLoad(files, load, limitsForOngoing(loadLimits))
    // Offers name the address of ours.
    receiveForm(files, deps)
  })
}

function addPreviews(app: Server, deps: CompatDependencies, bodies: JsonBodies): void {
  const { previewToken, previewBodyLimit: bodyLimit } = deps.config
  requirePreviewToken(app, previewToken)
  if (previewToken === undefined) shedWhileFull(app, deps.heavyPreviews)
  readLargerBodies(app, { ...bodies, bodyLimit })
  startTypebotPreview(app, { chat: deps.chat, bodyLimit })
}

async function addOperatorRoutes(
  app: Server,
  { chat, rooms, load, loadLimits, config }: CompatDependencies & { readonly rooms: WebhookRooms },
): Promise<void> {
  await app.register(
    async (api: Server) => {
      speakAsBefore(api)
      shedLoad(api, load, limitsForOngoing(loadLimits))
      requireAdmin(api, config.adminTokens)
      operatorCalls(api, { chat, rooms, previewToken: config.previewToken })
    },
    { prefix },
  )
  for (const url of ['/healthz', `${prefix}/healthz`]) {
    app.get(url, { schema: { hide: true }, config: { isProbe: true } }, async () => ({ status: 'ok' }))
  }
}

/** Answers errors in the shape that these clients know, and leaves the routes out of the description of ours. */
function speakAsBefore(scope: Server): void {
  scope.setErrorHandler(sendCompatError)
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true }
  })
}

/**
 * Takes the origin of the page that embeds an iframe for the origin of its requests, where the page in the iframe is one
 * that the operator trusts to send it.
 */
function trustViewers(scope: Server, viewerOrigins: readonly string[]): void {
  if (viewerOrigins.length === 0) return
  const viewers = new Set(viewerOrigins)
  scope.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const embedding = headers['x-typebot-iframe-referrer-origin']
    if (typeof embedding === 'string' && viewers.has(headers.origin ?? '')) headers.origin = embedding
    done()
  })
}
