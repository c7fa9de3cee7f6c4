import { RecordingResponse } from '../../../schemas/recording.ts'
import { ResultBody, ResultParams } from '../../../schemas/result.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { readResultRecording } from '../../conversations/recording/read-recording.ts'
import { failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { actorOf, mayChangeResults, seesPersonal } from '../../http/protection/auth.ts'
import { disableBodyParsing } from '../../http/request/body/raw-body.ts'
import type { Server } from '../../http/types.ts'
import type { Results } from '../../results/results-service.ts'

const common = {
  tags: ['Results'],
  params: ResultParams,
  security: [{ adminToken: ['results'] }],
}

const getSchema = {
  ...common,
  operationId: 'getResult',
  summary: 'Read one result',
  response: { ...success('The result', ResultBody), ...failures(...operatorFailures) },
}

const deleteSchema = {
  ...common,
  operationId: 'deleteResult',
  summary: 'Erase one result',
  description:
    'With the session that holds the same answers and the files that were uploaded into it. For good.',
  response: {
    204: { description: 'It is erased', type: 'null' },
    ...failures(...operatorFailures, 'TOO_MANY_REQUESTS'),
  },
}

const path = '/v1/flows/:publicId/results/:resultId'

/** One result, for the operator of its flow. */
export function oneResultRoute(app: Server, { results }: { readonly results: Results }): void {
  app.get(path, { schema: getSchema }, async (request) => {
    const { params, caller } = request
    const mayLead = caller.kind === 'admin' && mayChangeResults(caller.rights)
    return results.get({ ...params, mayLead, isUnmasked: seesPersonal(request) })
  })

  app.register(async (scope: Server) => {
    disableBodyParsing(scope)
    scope.delete(path, { schema: deleteSchema }, async (request, reply) => {
      await results.delete({ ...request.params, actor: actorOf(request) })
      return reply.code(204).send()
    })
  })
}

const recordingSchema = {
  ...common,
  operationId: 'readResultRecording',
  summary: 'Read the recording of a live session',
  description:
    'What it takes to run the session of a result again, where `RECORD_LIVE` had it recorded; it goes with its session, and is erased with the result.',
  response: { ...success('The recording', RecordingResponse), ...failures(...operatorFailures) },
}

/** The recording of a live session, for the operator of its flow (docs/debug.md). */
export function resultRecordingRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.get('/v1/flows/:publicId/results/:resultId/recording', { schema: recordingSchema }, (request) =>
    readResultRecording({ ...request.params, isUnmasked: seesPersonal(request) }, chat),
  )
}
