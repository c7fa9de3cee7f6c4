import { PublishedFlowParams } from '../../../schemas/flow-publication.ts'
import {
  ValidateFlowBody,
  ValidateFlowResponse,
  ValidatePublishedBody,
} from '../../../schemas/validate-flow.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { bodyFailures, failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import type { Server } from '../../http/types.ts'
import { validateFlow, validatePublished } from '../../tooling/validate/validate-flow.ts'

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
  readonly chat: ChatDependencies
  /** Bytes of a body, which holds a definition and may be larger than others. */
  readonly bodyLimit: number
}

/** The check of a definition (docs/api.md 4.17). */
export function validateFlowRoute(app: Server, { chat, bodyLimit }: Dependencies): void {
  app.post('/v1/flows/validate', { schema, bodyLimit }, async ({ body, caller }) =>
    validateFlow({ caller, body }, chat),
  )
}

const publishedSchema = {
  operationId: 'validatePublishedFlow',
  tags: ['Flows'],
  summary: 'Check a published flow',
  description: 'As the check of a draft. Needs the admin token.',
  params: PublishedFlowParams,
  body: ValidatePublishedBody,
  security: [{ adminToken: ['publish'] }],
  response: {
    ...success('What was found out about the flow', ValidateFlowResponse),
    ...failures(...operatorFailures, ...bodyFailures),
  },
}

/** The check of a published flow (docs/api.md 4.17). */
export function validatePublishedFlowRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.post('/v1/flows/:publicId/validate', { schema: publishedSchema }, async ({ params, body }) =>
    validatePublished({ publicId: params.publicId, body }, chat),
  )
}
