import { Analytics, AnalyticsQuery } from '../../../schemas/analytics.ts'
import { ResultsParams } from '../../../schemas/result.ts'
import type { AnalyticsReader } from '../../analytics/read-analytics.ts'
import { failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { timeOf } from '../../http/request/times.ts'
import type { Server } from '../../http/types.ts'
import { invalidInput, type ServiceError } from '../../lib/errors.ts'

const schema = {
  tags: ['Results'],
  params: ResultsParams,
  security: [{ adminToken: ['results'] }],
  operationId: 'readAnalytics',
  summary: 'Read what was counted of a flow',
  description:
    'How many conversations began, started and came to an end; what became of each block; exact funnels through any blocks; and cohorts, compared. As of the last turn. Hours are told apart for a week, days for 800.',
  querystring: AnalyticsQuery,
  response: { ...success('Counts', Analytics), ...failures(...operatorFailures) },
}

/** Counts of a flow, for its operator (docs/api.md 4.33). */
export function analyticsRoute(app: Server, { analytics }: { readonly analytics: AnalyticsReader }): void {
  app.get('/v1/flows/:publicId/analytics', { schema }, async ({ params, query }) => {
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
