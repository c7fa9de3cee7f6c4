import type { ResultBody, ResultPageBody } from '../../schemas/result.ts'
import type { Program } from '../engine/model/program.ts'
import { ServiceError } from '../errors.ts'
import type { Result, ResultFilter, ResultPage } from '../stores/result-store.ts'
import { toCsv } from './csv.ts'
import { eraseResult } from './erase-result.ts'
import { buildResultTable } from './result-table.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

/**
 * What an operator can do with the results of a flow. Every call throws FORBIDDEN where the service has no admin
 * token, UNAUTHORIZED without the right one, and NOT_FOUND for a flow that is neither published nor has results.
 */
export interface Results {
  /** Throws BAD_REQUEST for a cursor that no page gave. */
  list(request: ResultPageRequest): Promise<ResultPageBody>
  /** A page for spreadsheets. Throws as `list` does. */
  table(request: ResultPageRequest): Promise<ResultTablePage>
  /** Throws NOT_FOUND for a result that is not there. */
  get(request: ResultRequest): Promise<ResultBody>
  /** Erases a result with its session and its files. Throws NOT_FOUND for one that is not there. */
  delete(request: ResultRequest): Promise<void>
  /**
   * Erases every result that the flow has when this begins; how many there were. When some can't be erased, the
   * others are all the same, and what hindered the first of them is thrown: the call can be made again.
   */
  deleteAll(request: ResultsRequest): Promise<number>
}

export interface ResultsRequest {
  /** The public id of a published flow, else the flow's own id: results outlive a publication. */
  readonly publicId: string
}

export interface ResultPageRequest extends ResultsRequest {
  readonly limit: number
  readonly cursor: string | undefined
  /** Absent for all. */
  readonly filter?: ResultFilter
}

export interface ResultRequest extends ResultsRequest {
  readonly resultId: string
}

export interface ResultTablePage {
  readonly csv: string
  /** Absent on the last page. */
  readonly nextCursor?: string
}

/** Results that are erased between two yields to the event loop. */
const erasedAtOnce = 100

/** Puts what operators can do with results together with what it works with. */
export function createResults(deps: ResultsDependencies): Results {
  const { results, ports } = deps

  async function pageOf(request: ResultPageRequest): Promise<ResultPage & { program: Program | undefined }> {
    const { flowId, program } = await findFlow(request, deps)
    return { ...(await results.list(flowId, request)), program }
  }

  async function find(request: ResultRequest): Promise<Result> {
    const { flowId } = await findFlow(request, deps)
    const result = await results.get(flowId, request.resultId)
    if (!result) throw new ServiceError('NOT_FOUND', 'Result not found.')
    return result
  }

  return {
    async list(request) {
      const page = await pageOf(request)
      return { results: page.results.map(resultBody), ...nextOf(page) }
    },
    async table(request) {
      const page = await pageOf(request)
      return { csv: toCsv(buildResultTable(page.results, page.program)), ...nextOf(page) }
    },
    get: async (request) => resultBody(await find(request)),
    delete: async (request) => eraseResult(await find(request), deps),
    async deleteAll(request) {
      const { flowId } = await findFlow(request, deps)
      const outcomes: PromiseSettledResult<void>[] = []
      let cursor: string | undefined
      do {
        const page = await results.list(flowId, { limit: erasedAtOnce, cursor })
        const erasures = page.results.map((result) => eraseResult(result, deps))
        outcomes.push(...(await Promise.allSettled(erasures)))
        cursor = page.nextCursor
        await ports.nextTurn()
      } while (cursor !== undefined)
      const failure = outcomes.find(({ status }) => status === 'rejected')
      if (failure) throw (failure as PromiseRejectedResult).reason
      return outcomes.length
    },
  }
}

async function findFlow(
  { publicId }: ResultsRequest,
  { published, results }: ResultsDependencies,
): Promise<{ readonly flowId: string; readonly program: Program | undefined }> {
  const flow = (await published.byPublicId(publicId)) ?? (await published.byFlowId(publicId))
  if (flow) return { flowId: flow.program.id, program: flow.program }
  const { results: left } = await results.list(publicId, { limit: 1 })
  if (left.length === 0) throw new ServiceError('NOT_FOUND', 'Flow not found')
  return { flowId: publicId, program: undefined }
}

function nextOf({ nextCursor }: ResultPage): { nextCursor?: string } {
  return nextCursor === undefined ? {} : { nextCursor }
}

/** Ids of variables mean nothing outside, and the id of the session would let its reader go on with the talk. */
function resultBody({ lastChatSessionId: _, ...result }: Result): ResultBody {
  return {
    ...result,
    createdAt: new Date(result.createdAt).toISOString(),
    updatedAt: new Date(result.updatedAt).toISOString(),
    variables: result.variables.map(({ name, value }) => ({
      name,
      value: value as ResultBody['variables'][0]['value'],
    })),
    answers: result.answers as ResultBody['answers'],
    transcript: [...result.transcript],
    logs: result.logs.map(({ time, ...log }) => ({ ...log, time: new Date(time).toISOString() })),
  }
}
