import { TestFlowBody, TestFlowResponse } from '../../../schemas/test-flow.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import type { Server } from '../../http/types.ts'
import type { FlowTests } from '../../tooling/flow-tests/test-draft.ts'

const schema = {
  operationId: 'testFlow',
  tags: ['Flows'],
  summary: 'Hold the conversations of tests with a flow',
  description:
    'In a world of mocks: nothing is sent, nothing is kept. Needs the bearer token of previews where the service has one.',
  body: TestFlowBody,
  security: [{}, { previewToken: [] }],
  response: {
    ...success('What came of the tests', TestFlowResponse),
    ...failures(...bodyFailures, 'UNAUTHORIZED', 'TOO_MANY_REQUESTS'),
  },
}

interface Dependencies {
  readonly flowTests: FlowTests
  /** Bytes of a body, which holds a definition and may be larger than others. */
  readonly bodyLimit: number
}

/** Tests of a definition (docs/api.md 4.22). */
export function testFlowRoute(app: Server, { flowTests, bodyLimit }: Dependencies): void {
  app.post('/v1/flows/test', { schema, bodyLimit }, async ({ body, caller }) =>
    flowTests.run({ caller, body }),
  )
}
