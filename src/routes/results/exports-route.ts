import { Analytics, AnalyticsQuery, CountsExportQuery } from '../../../schemas/analytics.ts'
import { ResultsExportQuery, ResultsParams } from '../../../schemas/result.ts'
import { Type } from '../../../schemas/type.ts'
import type { AnalyticsReader } from '../../analytics/read-analytics.ts'
import type { ExportedFile } from '../../exports/table-file.ts'
import { failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { actorOf, seesPersonal } from '../../http/protection/auth.ts'
import { timeOf } from '../../http/request/times.ts'
import { sendStream } from '../../http/response/send-stream.ts'
import type { Server } from '../../http/types.ts'
import { invalidInput, type ServiceError } from '../../lib/errors.ts'
import type { Results } from '../../results/results-service.ts'
import { selectionOf } from './selection-of.ts'

const file = {
  description: 'The file, which is written as it is read: one that is cut off ends without its end',
  content: Object.fromEntries(
    ['application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet'].map((type) => [
      type,
      { schema: Type.String() },
    ]),
  ),
}

const common = {
  tags: ['Results'],
  params: ResultsParams,
  security: [{ adminToken: ['results'] }],
  response: { 200: file, ...failures(...operatorFailures) },
}

const resultsSchema = {
  ...common,
  operationId: 'exportResults',
  summary: 'Export the results of a flow',
  description:
    'All of a filter, the earliest begun first. NDJSON has them as they are read one by one; CSV and Parquet have a column for each input and each variable of the published flow, and two for what only results know. One row of the audit.',
  querystring: ResultsExportQuery,
}

const countsSchema = {
  ...common,
  operationId: 'exportCounts',
  summary: 'Export the counts of a flow',
  description:
    'A row for each hour (or day, once that is a week ago), version and thing that was counted. One row of the audit.',
  querystring: CountsExportQuery,
}

interface Exporters {
  readonly results: Pick<Results, 'export'>
  readonly analytics: Pick<AnalyticsReader, 'export'>
}

/** Results and counts as files of any size, for the operator of a flow (docs/api.md 4.6, 4.33). */
export function exportsRoute(app: Server, { results, analytics }: Exporters): void {
  app.get('/v1/flows/:publicId/results/export', { schema: resultsSchema }, async (request, reply) => {
    const { format = 'ndjson', ...selected } = request.query
    const { publicId } = request.params
    const isUnmasked = seesPersonal(request)
    const asked = { publicId, format, isUnmasked, actor: actorOf(request), ...selectionOf(selected) }
    return sendFile(await results.export(asked), { reply, name: `results-${publicId}` })
  })

  app.get('/v1/flows/:publicId/analytics/export', { schema: countsSchema }, async (request, reply) => {
    const { format = 'ndjson', version, ...range } = request.query
    const { publicId } = request.params
    const [from, until] = [timeOf('from', range.from), timeOf('until', range.until)]
    const asked = { publicId, format, version, from, until, actor: actorOf(request) }
    return sendFile(await analytics.export(asked), { reply, name: `counts-${publicId}` })
  })
}

interface NamedReply {
  readonly reply: Parameters<typeof sendStream>[1]
  readonly name: string
}

function sendFile({ mediaType, extension, pieces }: ExportedFile, { reply, name }: NamedReply) {
  reply.header('content-disposition', `attachment; filename="${harmless(name)}.${extension}"`)
  return sendStream(pieces, reply, mediaType)
}

/** Nothing in it can end the header, leave the folder or be taken for an option. */
const harmless = (name: string) => name.replace(/[^\w-]/g, '_').slice(0, 110)

const analyticsSchema = {
  ...common,
  operationId: 'readAnalytics',
  summary: 'Read what was counted of a flow',
  description:
    'How many conversations began, started and came to an end; what became of each block; exact funnels through any blocks; and cohorts, compared. As of the last turn. Hours are told apart for a week, days for 800.',
  querystring: AnalyticsQuery,
  response: { ...success('Counts', Analytics), ...failures(...operatorFailures) },
}

/** Counts of a flow, for its operator (docs/api.md 4.33). */
export function analyticsRoute(app: Server, { analytics }: { readonly analytics: AnalyticsReader }): void {
  app.get('/v1/flows/:publicId/analytics', { schema: analyticsSchema }, async ({ params, query }) => {
    const { version, by, funnel } = query
    const [from, until] = [timeOf('from', query.from), timeOf('until', query.until)]
    if (from !== undefined && until !== undefined && from >= until) throw backwards()
    const asked = { ...params, from, until, version, by, funnel: funnel?.split(',') }
    return analytics.read(asked)
  })
}

function backwards(): ServiceError {
  const problems = [{ pointer: '/until', message: 'must be later than from' }]
  return invalidInput(problems)
}
