import {
  DeletedResults,
  defaultLimit,
  ErasureQuery,
  ResultCount,
  ResultPageBody,
  ResultsCountQuery,
  ResultsParams,
  ResultsQuery,
} from '../../../schemas/result.ts'
import { Type } from '../../../schemas/type.ts'
import { failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { actorOf, seesPersonal } from '../../http/protection/auth.ts'
import { disableBodyParsing } from '../../http/request/body/raw-body.ts'
import { coerceQueryNumbers } from '../../http/request/queries.ts'
import { clientAbortSignal } from '../../http/response/send-stream.ts'
import type { Server } from '../../http/types.ts'
import { invalidInput, type ServiceError } from '../../lib/errors.ts'
import type { Results } from '../../results/results-service.ts'
import { selectionOf } from './selection-of.ts'

const common = {
  tags: ['Results'],
  params: ResultsParams,
  security: [{ adminToken: ['results'] }],
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
          description: 'Where the next page is, as `rel="next"`; absent on the last',
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
    ...failures(...operatorFailures),
  },
}

const deleteSchema = {
  ...common,
  operationId: 'deleteResults',
  summary: 'Erase results of a flow',
  description:
    'Those of the filter, or with `all=true` all, with the sessions that hold the same answers and the files that were uploaded into them. For good. It ends where the caller hangs up; the audit says how many were erased. With `count`, which somebody has confirmed, none is erased where more match.',
  querystring: ErasureQuery,
  response: {
    ...success('They are erased', DeletedResults),
    ...failures(...operatorFailures, 'TOO_MANY_REQUESTS', 'CONFLICT'),
  },
}

const countSchema = {
  ...common,
  operationId: 'countResults',
  summary: 'Count results of a flow',
  description: 'Those of the filter, else all: what an erasure by the same filter would erase now.',
  querystring: ResultsCountQuery,
  response: {
    ...success('How many match', ResultCount),
    ...failures(...operatorFailures),
  },
}

const path = '/v1/flows/:publicId/results'

/** The results of a flow, for its operator. */
export function allResultsRoute(app: Server, { results }: { readonly results: Results }): void {
  app.get(
    path,
    { schema: listSchema, preValidation: coerceQueryNumbers('limit') },
    async (request, reply) => {
      const { params, query } = request
      const { limit = defaultLimit, cursor, ...asked } = query
      const { format, order, ...selected } = asked
      const wanted = {
        publicId: params.publicId,
        isUnmasked: seesPersonal(request),
        limit,
        cursor,
        ...(order && { order }),
        ...selectionOf(selected),
      }
      const page =
        format === 'csv'
          ? await results.table({ ...wanted, actor: actorOf(request) })
          : await results.list(wanted)
      if (page.nextCursor !== undefined) reply.header('link', linkTo(page.nextCursor, { limit, asked }))
      if (!('csv' in page)) return page
      return reply
        .header('content-disposition', `attachment; filename="${fileName(params.publicId)}"`)
        .type('text/csv; charset=utf-8; header=present')
        .send(page.csv)
    },
  )

  app.get(`${path}/count`, { schema: countSchema }, async (request, reply) => {
    const asked = { ...request.params, isUnmasked: seesPersonal(request), ...selectionOf(request.query) }
    return { count: await results.count({ ...asked, signal: clientAbortSignal(reply) }) }
  })

  app.register(async (scope: Server) => {
    disableBodyParsing(scope)
    const erasing = { schema: deleteSchema, preValidation: coerceQueryNumbers('count') }
    scope.delete(path, erasing, async (request, reply) => {
      const { all, count: confirmed, ...asked } = request.query
      const erasure = { ...selectionOf(asked), actor: actorOf(request), signal: clientAbortSignal(reply) }
      if ((all === undefined) === (erasure.selection === undefined)) throw unclearErasure()
      const isUnmasked = seesPersonal(request)
      return { deleted: await results.deleteAll({ ...request.params, isUnmasked, confirmed, ...erasure }) }
    })
  })
}

/** A filter that was forgotten must not erase everything, nor one that was meant to narrow it. */
function unclearErasure(): ServiceError {
  const message =
    'say which: either a filter, such as from, until or answer, or all=true for every result of the flow'
  return invalidInput([{ pointer: '', message }])
}

interface Page {
  readonly limit: number
  /** The other parameters, which the link to the next page repeats. */
  readonly asked: Omit<ResultsQuery, 'limit' | 'cursor'>
}

/** Relative to the address that was asked for, which may be another than the one that this service sees. */
function linkTo(cursor: string, { limit, asked }: Page): string {
  const query = new URLSearchParams({ ...asked, limit: String(limit), cursor })
  return `<?${query}>; rel="next"`
}

/** Nothing in it can end the header, leave the folder or be taken for an option. */
function fileName(publicId: string): string {
  return `results-${publicId.replace(/[^\w-]/g, '_').slice(0, 100)}.csv`
}
