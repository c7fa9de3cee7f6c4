import { ConvertFlowBody, ConvertFlowResponse } from '../../../schemas/convert-flow.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { sendJson } from '../../http/response/send-json.ts'
import type { Server } from '../../http/types.ts'
import type { FlowConverter } from '../../tooling/convert/flow-converter.ts'

const schema = {
  operationId: 'convertFlow',
  tags: ['Flows'],
  summary: 'Write a flow in YAML as JSON, or the other way round',
  description:
    'Answers 200 whatever is wrong with the text, and says where. Needs the bearer token of previews where the service has one.',
  body: ConvertFlowBody,
  security: [{}, { previewToken: [] }],
  response: {
    ...success('The flow in its other form, or why it is none', ConvertFlowResponse),
    ...failures(...bodyFailures, 'UNAUTHORIZED', 'TOO_MANY_REQUESTS'),
  },
}

interface Dependencies {
  readonly converter: FlowConverter
  /** Bytes of a body, which holds a definition and may be larger than others. */
  readonly bodyLimit: number
}

/** The other form of a flow (docs/api.md 4.34). */
export function convertFlowRoute(app: Server, { converter, bodyLimit }: Dependencies): void {
  app.post('/v1/flows/convert', { schema, bodyLimit }, async ({ body }, reply) => {
    sendJson(reply, await converter.convert(body))
  })
}
