import { ReplayBody, ReplayResponse } from '../../../schemas/replay.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import type { Server } from '../../http/types.ts'
import type { Replays } from '../../tooling/replay/replay-request.ts'

const schema = {
  operationId: 'replayRecording',
  tags: ['Flows'],
  summary: 'Run a recorded conversation again',
  description:
    'With what the world answered then: nothing is sent, nothing is kept. Names the first turn and block where the conversation is no longer the same, or makes tests of it. Needs the bearer token of previews where the service has one.',
  body: ReplayBody,
  security: [{}, { previewToken: [] }],
  response: {
    ...success('What came of the recording', ReplayResponse),
    ...failures(...bodyFailures, 'UNAUTHORIZED', 'TOO_MANY_REQUESTS'),
  },
}

interface Dependencies {
  readonly replays: Replays
  /** Bytes of a body, which holds definitions and may be larger than others. */
  readonly bodyLimit: number
}

/** Recordings that are run again (docs/api.md 4.23). */
export function replayRoute(app: Server, { replays, bodyLimit }: Dependencies): void {
  app.post('/v1/flows/replay', { schema, bodyLimit }, async ({ body, caller }) =>
    replays.run({ caller, body }),
  )
}
