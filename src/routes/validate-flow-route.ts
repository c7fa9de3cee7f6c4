import { ValidateFlowBody, ValidateFlowResponse } from '../../schemas/validate-flow.ts'
import type { Chat } from '../chat/chat.ts'
import { bodyFailures, failures, success } from '../http/openapi/response-schemas.ts'
import type { Server } from '../http/types.ts'

const schema = {
  operationId: 'validateFlow',
  tags: ['Flows'],
  summary: 'Check a flow, and run nothing of it',
  description:
    'Answers 200 whatever is wrong with the flow: what a start would refuse is a finding. Needs the bearer token of previews where the service has one.',
  body: ValidateFlowBody,
  security: [{}, { previewToken: [] }],
  response: {
    ...success('What was found out about the flow', ValidateFlowResponse),
    ...failures(...bodyFailures, 'UNAUTHORIZED', 'TOO_MANY_REQUESTS'),
  },
}

interface Dependencies {
  readonly chat: Pick<Chat, 'validate'>
  /** Bytes of a body, which holds a definition and may be larger than others. */
  readonly bodyLimit: number
}

/** The check of a definition (docs/api.md 4.17). */
export function validateFlow(app: Server, { chat, bodyLimit }: Dependencies): void {
  app.post('/v1/flows/validate', { schema, bodyLimit }, async ({ body, caller }) =>
    chat.validate({ caller, body }),
  )
}
