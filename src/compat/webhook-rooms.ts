import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  isPreviewListening,
  type PreviewListener,
  readWebhook,
} from '../conversations/continue/execute-webhook.ts'
import type { ChatDependencies, ReceivedWebhook } from '../conversations/dependencies.ts'
import { createPlaces } from '../conversations/events/places.ts'
import { addressOf } from '../http/request/request-source.ts'
import { respondToClientError } from '../http/response/client-error.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import { jsonIn } from '../lib/json-bounds.ts'
import type { Announcements } from '../ports/known-types.ts'
import { createRooms, keepAlive, type Rooms } from './socket-rooms.ts'

interface WebhookRoomOptions {
  readonly chat: ChatDependencies
  /** Announce calls that other processes take. */
  readonly announcements: Announcements
  /** Sockets that are open at once. */
  readonly maxSockets: number
  /** Aborted when the server closes. */
  readonly closing: AbortSignal
}

export interface WebhookRooms {
  /** Dependencies of the use cases, with notifications for clients that wait for the result of a webhook. */
  readonly chat: ChatDependencies
  /**
   * Sends a payload to the previews of authors that wait at a block. Nothing of it is kept. Throws PAYLOAD_TOO_LARGE for one that
   * can't be announced.
   */
  callPreviews(at: Pick<PreviewListener, 'flowId' | 'blockId'>, payload: object): void
  /** Adds the rooms. What protects the scope counts for them as well. */
  addRoute(scope: Server): void
}

interface Upgrade {
  readonly response: ServerResponse
  readonly stream: Socket
  readonly head: Buffer
}

/** A visitor has one; a few more are left from connections that broke. */
const mostOfRoom = 4

/** Bytes of a test call: what announcements carry, less what names the block. */
const mostOfTest = 7_000

/**
 * `parties/main/{resultId}/webhooks`, and for previews, whose session id these clients take apart at `-`,
 * `parties/main/{second part}/{first part}/webhooks`, where an id of ours has no second part. The slashes of the room may
 * come encoded.
 */
const roomPath = /^\/parties\/main\/(undefined(?:\/|%2F))?([\w-]{1,128})(?:\/|%2F)webhooks$/i

/** Announcement among processes: the call of a result's webhook, or the payload for previews. */
type News = ReceivedWebhook | { readonly flowId: string; readonly blockId: string; readonly text: string }

/**
 * Lets clients wait for the call of a webhook listener on a WebSocket, at results and previews that are there. Nothing is
 * read from them.
 */
export function openWebhookRooms(app: Server, options: WebhookRoomOptions): WebhookRooms {
  const { chat, announcements, maxSockets, closing } = options
  const results = createRooms()
  const previews = createRooms()
  const places = createPlaces(maxSockets)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false })

  function findRoom(url = ''): Room | undefined {
    const [, ofPreview, id] = roomPath.exec(url.split('?', 1)[0] ?? '') ?? []
    if (id === undefined) return undefined
    return { id, rooms: ofPreview === undefined ? results : previews }
  }

  /** Takes the place of a socket until its connection ends. Throws for one too many: of the room, of the address, or in all. */
  function takePlace({ id, rooms }: Room, address: string, stream: Socket): void {
    if (closing.aborted || stream.destroyed)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
    const giveBack = rooms.socketsOf(id).length < mostOfRoom ? places.take(address) : undefined
    if (!giveBack) throw new ServiceError('TOO_MANY_REQUESTS', 'Too many clients wait for webhooks')
    stream.once('close', giveBack)
  }

  const upgrades = takeUpgrades(app, (url) => findRoom(url) !== undefined)
  const unsubscribe = announcements.subscribe((text) => {
    const news = readNews(text)
    // A client that gets no notification goes on by a continue, as one without a socket does.
    if (news) void passNews(news, { results, previews, chat }).catch(() => undefined)
  })
  const end = () => {
    for (const socket of sockets.clients) socket.terminate()
  }
  closing.addEventListener('abort', end)
  app.addHook('preClose', async () => {
    unsubscribe()
    end()
  })
  const announce = (news: News) => announcements.publish(JSON.stringify(news))
  return {
    chat: {
      ...chat,
      webhookReceived(call) {
        chat.webhookReceived?.(call)
        announce(call)
      },
    },
    callPreviews({ flowId, blockId }, payload) {
      const text = JSON.stringify({ data: payload })
      // A text inside JSON has its quotes escaped.
      if (Buffer.byteLength(JSON.stringify({ flowId, blockId, text })) > mostOfTest)
        throw new ServiceError('PAYLOAD_TOO_LARGE', `A test call has more than ${mostOfTest} bytes`)
      announce({ flowId, blockId, text })
    },
    addRoute(scope) {
      const options = { schema: { hide: true }, exposeHeadRoute: false }
      scope.get('/parties/main/*', options, async (request, reply) => {
        const upgrade = upgrades.get(request.raw)
        const room = findRoom(request.raw.url)
        if (!upgrade || !room) throw notFound()
        const { response, stream, head } = upgrade
        if (!(await (room.rooms === previews ? isPreview(room.id, chat) : chat.results.exists(room.id))))
          throw notFound()
        takePlace(room, addressOf(request), stream)
        reply.hijack()
        response.detachSocket(stream)
        sockets.handleUpgrade(request.raw, stream, head, (socket) => admit(room, socket))
      })
    },
  }
}

/** Makes each upgrade for a room a request as any other: counted, refused under load, and logged when it is refused. */
function takeUpgrades(app: Server, isRoom: (url?: string) => boolean): WeakMap<IncomingMessage, Upgrade> {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  app.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Connections to an HTTP server are sockets.
    const socket = stream as Socket
    if (!isRoom(request.url)) return respondToClientError(notFound(), socket)
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    socket.on('error', () => socket.destroy())
    upgrades.set(request, { response, stream: socket, head })
    app.routing(request, response)
  })
  return upgrades
}

function admit({ id, rooms }: Room, socket: WebSocket): void {
  rooms.add(id, socket)
  keepAlive(socket)
  // A message above the bound ends its connection, and nothing else.
  socket.on('error', () => socket.terminate())
}

interface Receivers {
  readonly results: Rooms
  readonly previews: Rooms
  readonly chat: ChatDependencies
}

async function passNews(news: News, { results, previews, chat }: Receivers): Promise<void> {
  if ('resultId' in news) {
    if (results.socketsOf(news.resultId).length === 0) return
    const text = await readWebhook(news.sessionId, chat)
    if (text !== undefined) results.send(news.resultId, text)
    return
  }
  for (const sessionId of previews.ids()) {
    if (await isPreviewListening({ ...news, sessionId }, chat)) previews.send(sessionId, news.text)
  }
}

const notFound = () => new ServiceError('NOT_FOUND', 'Not found')

async function isPreview(
  sessionId: string,
  { conversations }: Pick<ChatDependencies, 'conversations'>,
): Promise<boolean> {
  return (await conversations.look(sessionId))?.session.kind === 'preview'
}

/** A process of another version may publish announcements that this one does not know. */
const readNews = (text: string) => jsonIn(text) as News | undefined

interface Room {
  readonly id: string
  readonly rooms: Rooms
}
