import type { ResultBody, ResultPageBody } from '../../schemas/result.ts'
import type { ResultImport, ResultImportBody } from '../../schemas/result-import.ts'
import type { Program } from '../engine/model/program.ts'
import { toCsv } from '../exports/csv.ts'
import type { ExportedFile, TableFormat } from '../exports/table-file.ts'
import { ServiceError } from '../lib/errors.ts'
import { createSemaphore, type Semaphore } from '../lib/semaphore.ts'
import { inSteps } from '../stores/in-steps.ts'
import type { Result, ResultPage, ResultPageRequest } from '../stores/result-store.ts'
import { eraseResult, eraseResultsOf, failedErasure, moreThanConfirmed } from './erase-results.ts'
import { describeFilter } from './erasure-log.ts'
import { exportResults } from './export-results.ts'
import { type ImportDependencies, importResults } from './import/import-results.ts'
import { isImported } from './import/imported-id.ts'
import { unmaskedResult } from './masked-result.ts'
import { resultBody } from './result-body.ts'
import type { ResultSelection } from './result-selection.ts'
import { buildResultTable } from './result-table.ts'
import { describeVisits } from './result-visits.ts'
import type { ResultsDependencies } from './results-dependencies.ts'
import { countResultsOf, filterOf } from './select-results.ts'

interface ResultsRequest {
  /** The public id of a published flow, else the flow's own id: results outlive a publication. */
  readonly publicId: string
  /** Whether the caller may know what marked variables hold; absent counts as false. */
  readonly isUnmasked?: boolean
}

/** The operator who erases. */
interface Operator {
  /** The name of the token. */
  readonly actor: string
}

interface SelectionOfResults extends ResultsRequest {
  /** Absent for all. */
  readonly selection?: ResultSelection | undefined
}

interface ResultTableRequest extends SelectionOfResults {
  readonly limit: number
  readonly cursor: string | undefined
  readonly order?: ResultPageRequest['order']
}

interface CountOfResults extends SelectionOfResults {
  /** Aborted when the caller no longer waits for the outcome. */
  readonly signal: AbortSignal
}

interface ErasureOfResults extends CountOfResults, Operator {
  /** How many somebody has confirmed; absent where nobody was asked. */
  readonly confirmed?: number | undefined
}

interface ExportOfResults extends SelectionOfResults, Operator {
  readonly format: TableFormat
}

interface ImportOfResults extends ResultsRequest, Operator {
  readonly table: ResultImportBody
}

interface OneResultRequest extends ResultsRequest {
  readonly resultId: string
}

interface ResultTablePage {
  readonly csv: string
  /** Absent on the last page. */
  readonly nextCursor?: string
}

/**
 * Operations on the results of a flow; the routes have checked the operator's token. Every call throws NOT_FOUND for a
 * flow that is neither published nor has results. Erasures are logged, with the name of the operator.
 */
export class Results {
  readonly #deps: ResultsDependencies & ImportDependencies
  /** A page holds up to 8 MiB and, while it is read, a connection: few at once leave the others to turns. */
  readonly #pages = createSemaphore(2)
  /** A page that somebody waits for stands behind one of all exports, however many there are. */
  readonly #exports = createSemaphore(1)

  constructor(deps: ResultsDependencies & ImportDependencies) {
    this.#deps = deps
  }

  /** Throws BAD_REQUEST for a cursor that no page gave. */
  async list(request: ResultTableRequest): Promise<ResultPageBody> {
    const page = await this.#pageOf(request)
    const describe = await describeVisits(page.results, this.#deps)
    return { results: page.results.map((result) => resultBody(result, describe)), ...nextOf(page) }
  }

  /** A page for spreadsheets: the first of an export is noted in the audit. Throws as `list` does. */
  async table({ actor, ...request }: ResultTableRequest & Operator): Promise<ResultTablePage> {
    const page = await this.#pageOf(request)
    if (request.cursor === undefined) await this.#noteExport({ ...request, actor, format: 'csv' })
    return { csv: toCsv(buildResultTable(page.results, page.program)), ...nextOf(page) }
  }

  /** A file of all results of a selection, which is noted in the audit before it begins. Throws as `list` does. */
  async export(request: ExportOfResults): Promise<ExportedFile> {
    const { format, isUnmasked = false } = request
    const selected = await this.#select(request)
    await this.#noteExport(request)
    return exportResults({ ...selected, format, isUnmasked }, this.#deps, (work) =>
      this.#exports(() => this.#read(work)),
    )
  }

  /** Keeps a part of a table as results, and notes it in the audit. Throws as `importResults` does. */
  async import({ publicId, actor, table }: ImportOfResults): Promise<ResultImport> {
    const { program } = await findFlow({ publicId }, this.#deps)
    if (!program) throw new ServiceError('NOT_FOUND', 'The flow is not published')
    const part = table.part ? `: part ${table.part.number} of the import ${table.part.of}` : ''
    const note = (imported: number) => {
      const detail = `${imported} ${imported === 1 ? 'result' : 'results'}${part}`
      return this.#deps.flowTable.note({ actor, action: 'import', subject: publicId, detail })
    }
    return importResults(table, program, { ...this.#deps, note })
  }

  async count({ signal, ...request }: CountOfResults): Promise<number> {
    const { flowId, filter } = await this.#select(request)
    return countResultsOf(flowId, { filter, signal, read: this.#read }, this.#deps)
  }

  /** With the id of the session for who may lead it. Throws NOT_FOUND for a result that is not there. */
  async get(request: OneResultRequest & { readonly mayLead?: boolean }): Promise<ResultBody> {
    const result = shown(await this.#find(request), request)
    const body = resultBody(result, await describeVisits([result], this.#deps))
    const hasSession = request.mayLead && !isImported(result)
    return { ...body, ...(hasSession && { sessionId: result.lastChatSessionId }) }
  }

  /** Erases a result with its session and its files. Throws NOT_FOUND for one that is not there. */
  async delete(request: OneResultRequest & Operator): Promise<void> {
    const result = await this.#find(request)
    await inSteps(async () => {
      await eraseResult(result.flowId, result, this.#deps)
      return false
    }, this.#deps.erasing)
    const { publicId, actor } = request
    await this.#deps.noteErasure({ publicId, actor, deleted: 1, by: 'id' })
  }

  /**
   * Erases the results of the filter that the flow has when this begins, until the signal is aborted; how many. When some
   * can't be erased, the others are all the same, and what hindered the first of them is thrown, with how many were erased.
   * Throws CONFLICT, with none erased, where there are more than were confirmed; those that come to match meanwhile take no
   * more with them than that either.
   */
  async deleteAll(request: ErasureOfResults): Promise<number> {
    const { publicId, actor, selection, signal, confirmed } = request
    const { flowId, filter } = await this.#select(request)
    if (confirmed !== undefined) {
      const found = await countResultsOf(flowId, { filter, signal, read: this.#read }, this.#deps)
      if (found > confirmed) throw moreThanConfirmed(found, confirmed)
    }
    const erased = await eraseResultsOf(flowId, { filter, signal, most: confirmed }, this.#deps)
    const { deleted, failure } = erased
    if (deleted > 0) await this.#deps.noteErasure({ publicId, actor, deleted, by: selection })
    if (failure !== undefined) throw failedErasure(erased)
    return deleted
  }

  /** Reads a step of work that may be long; others have their turns before what was read is written. */
  readonly #read: Semaphore = (work) =>
    this.#pages(async () => {
      const read = await work()
      await this.#deps.ports.nextTurn()
      return read
    })

  async #select(request: SelectionOfResults) {
    const { publicId, selection, isUnmasked } = request
    const flow = await findFlow(request, this.#deps)
    const filter = selection && (await filterOf(selection, { publicId, isUnmasked, ...flow }, this.#deps))
    return { ...flow, filter }
  }

  async #pageOf(request: ResultTableRequest): Promise<ResultPage & { program: Program | undefined }> {
    const { flowId, program, filter } = await this.#select(request)
    const { publicId: _publicId, selection: _selection, isUnmasked: _isUnmasked, ...asked } = request
    const page = await this.#read(() => this.#deps.results.list(flowId, { ...asked, filter }))
    return { ...page, results: page.results.map((result) => shown(result, request)), program }
  }

  async #noteExport({ publicId, actor, selection, format }: ExportOfResults): Promise<void> {
    const detail = `results as ${format}: ${describeFilter(selection)}`
    await this.#deps.flowTable.note({ actor, action: 'export', subject: publicId, detail })
  }

  async #find(request: OneResultRequest): Promise<Result> {
    const { flowId } = await findFlow(request, this.#deps)
    const result = await this.#deps.results.get(flowId, request.resultId)
    if (!result) throw new ServiceError('NOT_FOUND', 'Result not found.')
    return result
  }
}

const shown = (result: Result, { isUnmasked }: ResultsRequest) =>
  isUnmasked ? unmaskedResult(result) : result

async function findFlow(
  { publicId }: Pick<ResultsRequest, 'publicId'>,
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
