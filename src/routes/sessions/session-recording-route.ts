import { SessionParams } from '../../../schemas/continue-chat.ts'
import { RecordingResponse } from '../../../schemas/recording.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { readRecording } from '../../conversations/recording/read-recording.ts'
import { anyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'readRecording',
  tags: ['Chat'],
  summary: 'Read the recording of a preview',
  description:
    'What it takes to run a preview again that was started with `record`, also when it has ended: `flow-runtime replay` takes it as a file.',
  params: SessionParams,
  security: [{}, { previewToken: [] }],
  response: {
    ...success('The recording', RecordingResponse),
    ...failures(...anyFailures, 'UNAUTHORIZED', 'NOT_FOUND'),
  },
}

/** The recording of a preview (docs/debug.md). */
export function sessionRecordingRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.get('/v1/sessions/:sessionId/recording', { schema }, ({ params, caller }) =>
    readRecording({ sessionId: params.sessionId, caller }, chat),
  )
}
