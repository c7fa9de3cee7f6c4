import { ContinueChatResponse, SessionParams } from '../../../schemas/continue-chat.ts'
import { RecordingResponse } from '../../../schemas/recording.ts'
import { SessionEvents, SessionEventsHeaders, SessionResponse } from '../../../schemas/session.ts'
import { TranscriptBody, TranscriptQuery } from '../../../schemas/take-over.ts'
import { TraceEvents, TraceHeaders, TraceQuery, TraceResponse } from '../../../schemas/trace.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { followSession, followTrace } from '../../conversations/events/follow-session.ts'
import { getSession } from '../../conversations/get-session/get-session.ts'
import { readTranscript } from '../../conversations/get-session/read-transcript.ts'
import { readRecording } from '../../conversations/recording/read-recording.ts'
import { skipToTimer } from '../../conversations/timers/skip-to-timer.ts'
import { readTrace } from '../../conversations/trace/read-trace.ts'
import { anyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { coerceQueryNumbers } from '../../http/request/queries.ts'
import { versioned, writeEtag } from '../../http/request/request-conditions.ts'
import { addressOf, foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter, requestLogOf } from '../../http/request-log.ts'
import { eventsSignal, sendEvents } from '../../http/response/send-events.ts'
import { sendJson } from '../../http/response/send-json.ts'
import type { Server } from '../../http/types.ts'

const common = { tags: ['Chat'], params: SessionParams, security: [{}, { previewToken: [] }] }

const getSchema = {
  ...common,
  operationId: 'getSession',
  summary: 'Look where a session is',
  description:
    'For a client that was reloaded: the input, the action or the embed that is awaited, with the present values, the progress and the look of the flow. Waits for no other request, goes on to no other block and changes nothing. A session that has ended is not found any more.',
  response: {
    ...versioned(success('Where it is', SessionResponse)),
    ...failures(...anyFailures, 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

const eventsSchema = {
  ...common,
  operationId: 'followSession',
  summary: 'Follow what happens to a session',
  description:
    'Server-sent events for a client that waits: `webhook` when another system has called the listener where the session waits, `messages` when a timer of the session or a person has sent some, `reply` when its visitor has said something to that person, `updated` when a turn was taken, by whomever. Ends with the session.',
  headers: SessionEventsHeaders,
  response: {
    200: { description: 'The events', content: { 'text/event-stream': { schema: SessionEvents } } },
    ...failures(...anyFailures, 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

const skipSchema = {
  ...common,
  operationId: 'skipToTimer',
  summary: 'Let the next timer of a preview fire',
  description:
    'Takes the turn that a preview would take by itself at its next timer, at once; a clock that stands moves there. Answered as a continue is. Live sessions are not found.',
  response: {
    ...versioned(success('What to show next', ContinueChatResponse)),
    ...failures(...anyFailures, 'UNAUTHORIZED', 'NOT_FOUND', 'CONFLICT', 'TOO_MANY_REQUESTS'),
  },
}

const transcriptSchema = {
  ...common,
  operationId: 'readTranscript',
  summary: 'Read what was said',
  description:
    'By the visitor, the flow and people, page by page, the latest first: for a client that was opened anew. Of live sessions whose results are kept.',
  querystring: TranscriptQuery,
  security: [{}],
  response: {
    ...success('A page of the transcript', TranscriptBody),
    ...failures(...anyFailures, 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

const traceSchema = {
  ...common,
  operationId: 'readTrace',
  summary: 'Read what the turns of a preview did',
  description:
    'The last turns of a preview that was started with `trace`, block by block, also when it has ended. Asked for `text/event-stream`, each turn as an event, those to come too.',
  querystring: TraceQuery,
  headers: TraceHeaders,
  response: {
    200: {
      description: 'The turns',
      content: {
        'application/json': { schema: TraceResponse },
        'text/event-stream': { schema: TraceEvents },
      },
    },
    ...failures(...anyFailures, 'UNAUTHORIZED', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

const recordingSchema = {
  ...common,
  operationId: 'readRecording',
  summary: 'Read the recording of a preview',
  description:
    'What it takes to run a preview again that was started with `record`, also when it has ended: `flow-runtime replay` takes it as a file.',
  response: {
    ...success('The recording', RecordingResponse),
    ...failures(...anyFailures, 'UNAUTHORIZED', 'NOT_FOUND'),
  },
}

const path = '/v1/sessions/:sessionId'

interface Dependencies {
  readonly chat: ChatDependencies
  /** Aborted when the server closes. */
  readonly closing: AbortSignal
}

/** Looks at a session by who holds it, which move nothing but the timers of a preview (docs/api.md 4.13, 4.15, 4.28). */
export function sessionRoutes(app: Server, { chat, closing }: Dependencies): void {
  // A stream that is asked about by its head would never end.
  app.get(`${path}/events`, { schema: eventsSchema, exposeHeadRoute: false }, async (request, reply) => {
    const signal = eventsSignal(reply, closing)
    const since = request.headers['last-event-id']
    const followed = { ...request.params, ...askedBy(request), address: addressOf(request), since, signal }
    return sendEvents(await followSession(followed, chat), reply)
  })

  app.get(path, { schema: getSchema }, async (request, reply) => {
    const asked = { ...request.params, ...askedBy(request), onVersion: writeEtag(reply) }
    sendJson(reply, await getSession(asked, chat))
  })

  app.post(`${path}/skipToTimer`, { schema: skipSchema }, async (request, reply) => {
    const observed = { onVersion: writeEtag(reply), requestLog: requestLogOf(request) }
    sendJson(reply, await skipToTimer({ ...request.params, ...askedBy(request), ...observed }, chat))
  })

  const paged = { schema: transcriptSchema, preValidation: coerceQueryNumbers('limit') }
  app.get(`${path}/transcript`, paged, async (request) => {
    const { limit = 50, cursor } = request.query
    return readTranscript({ ...request.params, ...askedBy(request), limit, cursor }, chat)
  })
}

/** Turns of a preview for its author (docs/debug.md). */
export function previewReadRoutes(app: Server, { chat, closing }: Dependencies): void {
  const options = { schema: traceSchema, exposeHeadRoute: false, preValidation: coerceQueryNumbers('after') }
  app.get(`${path}/trace`, options, async (request, reply) => {
    const { params, query, headers, caller } = request
    const { after } = query
    if (!headers.accept?.includes('text/event-stream'))
      return { turns: await readTrace({ ...params, caller, after }, chat) }
    const signal = eventsSignal(reply, closing)
    const since = headers['last-event-id'] ?? (after === undefined ? undefined : String(after))
    const origin = foreignOriginOf(request)
    const followed = { ...params, caller, origin, address: addressOf(request), since, signal }
    return sendEvents(await followTrace(followed, chat), reply)
  })

  app.get(`${path}/recording`, { schema: recordingSchema }, ({ params, caller }) =>
    readRecording({ ...params, caller }, chat),
  )
}

function askedBy(request: Parameters<typeof flowNoter>[0]) {
  return { caller: request.caller, origin: foreignOriginOf(request), onFlow: flowNoter(request) }
}
