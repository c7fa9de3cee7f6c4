import { ResultsParams } from '../../../schemas/result.ts'
import { ResultImport, ResultImportBody } from '../../../schemas/result-import.ts'
import { bodyFailures, failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { actorOf } from '../../http/protection/auth.ts'
import type { Server } from '../../http/types.ts'
import type { Results } from '../../results/results-service.ts'

const schema = {
  operationId: 'importResults',
  tags: ['Results'],
  summary: 'Import results from elsewhere',
  description:
    'A part of a table, a row each. Rows that were imported before change nothing, so that a call may be made again. One row of the audit for each call that keeps any, which says what part of which import it is; nothing is counted (4.33) or sent to webhooks.',
  params: ResultsParams,
  security: [{ adminToken: ['results'] as const }],
  body: ResultImportBody,
  response: {
    ...success('What became of the rows', ResultImport),
    ...failures(...operatorFailures, ...bodyFailures, 'CONFLICT'),
  },
}

/** Results that were collected elsewhere, for the operator of a flow (docs/api.md 4.6). */
export function importResultsRoute(
  app: Server,
  { results }: { readonly results: Pick<Results, 'import'> },
): void {
  app.post('/v1/flows/:publicId/results/import', { schema }, async (request) =>
    results.import({ ...request.params, actor: actorOf(request), table: request.body }),
  )
}
