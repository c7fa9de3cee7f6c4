import { SessionParams } from '../../../schemas/continue-chat.ts'
import { TranscriptBody, TranscriptQuery } from '../../../schemas/take-over.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { readTranscript } from '../../conversations/get-session/read-transcript.ts'
import { anyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { coerceQueryNumbers } from '../../http/request/queries.ts'
import { foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter } from '../../http/request-log.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'readTranscript',
  tags: ['Chat'],
  summary: 'Read what was said',
  description:
    'By the visitor, the flow and people, page by page, the latest first: for a client that was opened anew. Of live sessions whose results are kept.',
  params: SessionParams,
  querystring: TranscriptQuery,
  security: [{}],
  response: {
    ...success('A page of the transcript', TranscriptBody),
    ...failures(...anyFailures, 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

/** The transcript of a session, for its visitor (docs/api.md 4.28). */
export function transcriptRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  const options = { schema, preValidation: coerceQueryNumbers('limit') }
  app.get('/v1/sessions/:sessionId/transcript', options, async (request) => {
    const { caller, query } = request
    const { sessionId } = request.params
    const { limit = 50, cursor } = query
    const named = { sessionId, caller, origin: foreignOriginOf(request), onFlow: flowNoter(request) }
    return readTranscript({ ...named, limit, cursor }, chat)
  })
}
