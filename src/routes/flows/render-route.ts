import { RenderBody, RenderResponse } from '../../../schemas/render.ts'
import { readSaid } from '../../channels/options.ts'
import { renderAnswer } from '../../channels/render-answer.ts'
import { channelWordsOf } from '../../channels/words.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'renderForChannel',
  tags: ['Flows'],
  summary: 'Write an answer as the messages of a messenger',
  description:
    'As they would be sent: nothing is. Needs the bearer token of previews where the service has one.',
  body: RenderBody,
  security: [{}, { previewToken: [] }],
  response: {
    ...success('The messages', RenderResponse),
    ...failures(...bodyFailures, 'UNAUTHORIZED', 'TOO_MANY_REQUESTS'),
  },
}

/** Writes an answer for a messenger, and reads what its user says then (docs/api.md 4.25). */
export function renderRoute(app: Server, { bodyLimit }: { readonly bodyLimit: number }): void {
  app.post('/v1/flows/render', { schema, bodyLimit }, async ({ body }) => {
    const {
      channel,
      messages = [],
      input,
      clientSideActions,
      settings = {},
      said,
      turn = 0,
      page,
      join,
    } = body
    const terms = { channel, words: channelWordsOf(settings), turn, page, join }
    return {
      messages: renderAnswer({ messages, input, clientSideActions }, terms),
      ...(said && readSaid(said, { ...terms, input })),
    }
  })
}
