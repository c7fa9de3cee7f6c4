import { Type } from '@sinclair/typebox'
import {
  DeletedResults,
  defaultLimit,
  ResultPageBody,
  ResultsParams,
  ResultsQuery,
} from '../../schemas/result.ts'
import type { Results } from '../chat/results.ts'
import { failures, success } from '../http/answers.ts'
import { numbersInQuery } from '../http/query-numbers.ts'
import type { Server } from '../http/server-type.ts'

const common = {
  tags: ['Results'],
  params: ResultsParams,
  security: [{ adminToken: [] }],
}

const page = success('A page of results, the latest created first', ResultPageBody)[200]

const listSchema = {
  ...common,
  operationId: 'listResults',
  summary: 'Read the results of a flow',
  description:
    'Page by page, the latest created first. Results that come or go meanwhile move no others to another page.',
  querystring: ResultsQuery,
  response: {
    200: {
      ...page,
      headers: {
        link: Type.String({
          description: 'CSV only: where the next page is, as `rel="next"`; absent on the last',
        }),
      },
      content: {
        ...page.content,
        'text/csv': {
          schema: Type.String({
            description:
              'RFC 4180 in UTF-8 with a byte order mark. A column for each input and each variable of the published flow, then what only the results know. Cells that a spreadsheet would run begin with an apostrophe.',
          }),
        },
      },
    },
    ...failures(
      'BAD_REQUEST',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'NOT_FOUND',
      'INTERNAL_SERVER_ERROR',
      'SERVICE_UNAVAILABLE',
    ),
  },
}

const deleteSchema = {
  ...common,
  operationId: 'deleteResults',
  summary: 'Erase all results of a flow',
  description:
    'With the sessions that hold the same answers and the files that were uploaded into them. For good.',
  response: {
    ...success('They are erased', DeletedResults),
    ...failures(
      'BAD_REQUEST',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'NOT_FOUND',
      'TOO_MANY_REQUESTS',
      'INTERNAL_SERVER_ERROR',
      'SERVICE_UNAVAILABLE',
    ),
  },
}

const path = '/v1/flows/:publicId/results'

/** The results of a flow, for its operator. */
export function allResults(app: Server, { results }: { readonly results: Results }): void {
  app.get(
    path,
    { schema: listSchema, preValidation: numbersInQuery('limit') },
    async ({ params, query, headers }, reply) => {
      const { limit = defaultLimit, cursor, format } = query
      const request = { publicId: params.publicId, authorization: headers.authorization, limit, cursor }
      if (format !== 'csv') return results.list(request)
      const { csv, nextCursor } = await results.table(request)
      if (nextCursor !== undefined) reply.header('link', linkTo(nextCursor, limit))
      return reply
        .header('content-disposition', `attachment; filename="${fileName(params.publicId)}"`)
        .type('text/csv; charset=utf-8; header=present')
        .send(csv)
    },
  )

  app.delete(path, { schema: deleteSchema }, async ({ params, headers }) => ({
    deleted: await results.deleteAll({ publicId: params.publicId, authorization: headers.authorization }),
  }))
}

/** Relative to the address that was asked for, which may be another than the one that this service sees. */
function linkTo(cursor: string, limit: number): string {
  const query = new URLSearchParams({ format: 'csv', limit: String(limit), cursor })
  return `<?${query}>; rel="next"`
}

/** Nothing in it can end the header, leave the folder or be taken for an option. */
function fileName(publicId: string): string {
  return `results-${publicId.replace(/[^\w-]/g, '_').slice(0, 100)}.csv`
}
