import type { TSchema } from '@sinclair/typebox'
import { ConvertFlowBody, ConvertFlowResponse } from '../../../schemas/convert-flow.ts'
import { PublishedFlowParams } from '../../../schemas/flow-publication.ts'
import { RenderBody, RenderResponse } from '../../../schemas/render.ts'
import { ReplayBody, ReplayResponse } from '../../../schemas/replay.ts'
import { TestFlowBody, TestFlowResponse } from '../../../schemas/test-flow.ts'
import {
  ValidateFlowBody,
  ValidateFlowResponse,
  ValidatePublishedBody,
} from '../../../schemas/validate-flow.ts'
import { readSaid } from '../../channels/options.ts'
import { renderAnswer } from '../../channels/render-answer.ts'
import { channelWordsOf } from '../../channels/words.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { bodyFailures, failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { sendJson } from '../../http/response/send-json.ts'
import type { Server } from '../../http/types.ts'
import type { FlowConverter } from '../../tooling/convert/flow-converter.ts'
import type { FlowTests } from '../../tooling/flow-tests/test-draft.ts'
import type { Replays } from '../../tooling/replay/replay-request.ts'
import { validateFlow, validatePublished } from '../../tooling/validate/validate-flow.ts'

interface Described<Body extends TSchema> {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly body: Body
  readonly answer: readonly [description: string, schema: TSchema]
}

/** A schema of what the holder of the preview token may ask for, where the service has one. */
function ofAuthors<Body extends TSchema>({ answer, description, ...described }: Described<Body>) {
  return {
    ...described,
    description: `${description} Needs the bearer token of previews where the service has one.`,
    tags: ['Flows'],
    security: [{}, { previewToken: [] }],
    response: { ...success(...answer), ...failures(...bodyFailures, 'UNAUTHORIZED', 'TOO_MANY_REQUESTS') },
  }
}

const validateSchema = ofAuthors({
  operationId: 'validateFlow',
  summary: 'Check a flow, and run nothing of it',
  description: 'Answers 200 whatever is wrong with the flow: what a start would refuse is a finding.',
  body: ValidateFlowBody,
  answer: ['What was found out about the flow', ValidateFlowResponse],
})

const testSchema = ofAuthors({
  operationId: 'testFlow',
  summary: 'Hold the conversations of tests with a flow',
  description: 'In a world of mocks: nothing is sent, nothing is kept.',
  body: TestFlowBody,
  answer: ['What came of the tests', TestFlowResponse],
})

const convertSchema = ofAuthors({
  operationId: 'convertFlow',
  summary: 'Write a flow in YAML as JSON, or the other way round',
  description: 'Answers 200 whatever is wrong with the text, and says where.',
  body: ConvertFlowBody,
  answer: ['The flow in its other form, or why it is none', ConvertFlowResponse],
})

const replaySchema = ofAuthors({
  operationId: 'replayRecording',
  summary: 'Run a recorded conversation again',
  description:
    'With what the world answered then: nothing is sent, nothing is kept. Names the first turn and block where the conversation is no longer the same, or makes tests of it.',
  body: ReplayBody,
  answer: ['What came of the recording', ReplayResponse],
})

const renderSchema = ofAuthors({
  operationId: 'renderForChannel',
  summary: 'Write an answer as the messages of a messenger',
  description: 'As they would be sent: nothing is.',
  body: RenderBody,
  answer: ['The messages', RenderResponse],
})

interface Dependencies {
  readonly chat: ChatDependencies
  readonly flowTests: FlowTests
  readonly converter: FlowConverter
  readonly replays: Replays
  /** Bytes of a body, which holds definitions and may be larger than others. */
  readonly bodyLimit: number
  /** Bytes of an answer that is written for a messenger. */
  readonly answerLimit: number
}

/** Work of authors on what is not published yet (docs/api.md 4.17, 4.22, 4.23, 4.25, 4.34). */
export function draftRoutes(
  app: Server,
  { chat, flowTests, converter, replays, bodyLimit, answerLimit }: Dependencies,
): void {
  app.post('/v1/flows/validate', { schema: validateSchema, bodyLimit }, async ({ body, caller }) =>
    validateFlow({ caller, body }, chat),
  )
  app.post('/v1/flows/test', { schema: testSchema, bodyLimit }, async ({ body, caller }) =>
    flowTests.run({ caller, body }),
  )
  app.post('/v1/flows/convert', { schema: convertSchema, bodyLimit }, async ({ body }, reply) => {
    sendJson(reply, await converter.convert(body))
  })
  app.post('/v1/flows/replay', { schema: replaySchema, bodyLimit }, async ({ body, caller }) =>
    replays.run({ caller, body }),
  )
  app.post('/v1/flows/render', { schema: renderSchema, bodyLimit: answerLimit }, async ({ body }) =>
    renderForChannel(body),
  )
}

/** Writes an answer for a messenger, and reads what its user says then. */
function renderForChannel({
  channel,
  messages = [],
  input,
  settings = {},
  said,
  turn = 0,
  ...body
}: RenderBody) {
  const { clientSideActions, page, join } = body
  const terms = { channel, words: channelWordsOf(settings), turn, page, join }
  return {
    messages: renderAnswer({ messages, input, clientSideActions }, terms),
    ...(said && readSaid(said, { ...terms, input })),
  }
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
