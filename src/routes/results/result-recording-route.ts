import { RecordingResponse } from '../../../schemas/recording.ts'
import { ResultParams } from '../../../schemas/result.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { readResultRecording } from '../../conversations/recording/read-recording.ts'
import { failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { seesPersonal } from '../../http/protection/auth.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'readResultRecording',
  tags: ['Results'],
  summary: 'Read the recording of a live session',
  description:
    'What it takes to run the session of a result again, where `RECORD_LIVE` had it recorded; it goes with its session, and is erased with the result.',
  params: ResultParams,
  security: [{ adminToken: ['results'] }],
  response: {
    ...success('The recording', RecordingResponse),
    ...failures(...operatorFailures),
  },
}

/** The recording of a live session, for the operator of its flow (docs/debug.md). */
export function resultRecordingRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.get('/v1/flows/:publicId/results/:resultId/recording', { schema }, (request) =>
    readResultRecording({ ...request.params, isUnmasked: seesPersonal(request) }, chat),
  )
}
