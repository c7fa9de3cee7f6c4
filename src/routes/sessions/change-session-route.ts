import { ContinueHeaders, SessionParams } from '../../../schemas/continue-chat.ts'
import {
  PersonMessageBody,
  PersonMessageResponse,
  SessionChangeBody,
  SessionChangeResponse,
} from '../../../schemas/take-over.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { changeSession, sayAsPerson } from '../../conversations/take-over/act-on-session.ts'
import { failures, repeatableFailures } from '../../http/openapi/response-schemas.ts'
import {
  readIdempotencyKey,
  readIfMatch,
  repeatableSuccess,
  versioned,
  writeEtag,
} from '../../http/request/request-conditions.ts'
import { flowNoter, requestLogOf } from '../../http/request-log.ts'
import { sendJson } from '../../http/response/send-json.ts'
import type { Server } from '../../http/types.ts'

const common = {
  tags: ['Chat'],
  params: SessionParams,
  headers: ContinueHeaders,
  security: [{}, { adminToken: ['results'] }],
}

/** Of which flow a conversation is, is known once it is read. */
const config = { narrowsToFlow: true }

const refusals = failures(
  ...repeatableFailures,
  'UNAUTHORIZED',
  'NOT_FOUND',
  'PRECONDITION_FAILED',
  'TOO_MANY_REQUESTS',
)

const changeSchema = {
  ...common,
  operationId: 'changeSession',
  summary: 'Pause a conversation for a person, give it back to its flow, or end it',
  description:
    'While it is paused, what its visitor says is kept, told to who follows its events, and answered without the flow. Needs the admin token, but for previews.',
  body: SessionChangeBody,
  response: {
    ...versioned(repeatableSuccess('What it is now', SessionChangeResponse)),
    ...refusals,
  },
}

const saySchema = {
  ...common,
  operationId: 'sayAsPerson',
  summary: 'Write to a visitor',
  description:
    'Shown as a message of a person, by the events of the session and on the next look. It pauses nothing. Needs the admin token, but for previews.',
  body: PersonMessageBody,
  response: {
    ...versioned(repeatableSuccess('The message, as its visitor gets it', PersonMessageResponse)),
    ...refusals,
  },
}

/** Operators in conversations (docs/behaviour/handoff.md). */
export function changeSessionRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  const path = '/v1/sessions/:sessionId'
  app.patch(path, { schema: changeSchema, config }, async (request, reply) => {
    const { params, body } = request
    sendJson(reply, await changeSession({ ...params, body, ...termsOf(request, reply) }, chat))
  })
  app.post(`${path}/messages`, { schema: saySchema, config }, async (request, reply) => {
    const { params, body } = request
    sendJson(reply, await sayAsPerson({ ...params, body, ...termsOf(request, reply) }, chat))
  })
}

function termsOf(...[request, reply]: Parameters<typeof readIdempotencyKey>) {
  return {
    caller: request.caller,
    idempotency: readIdempotencyKey(request, reply),
    ifVersion: readIfMatch(request),
    onVersion: writeEtag(reply),
    onFlow: flowNoter(request),
    requestLog: requestLogOf(request),
  }
}
