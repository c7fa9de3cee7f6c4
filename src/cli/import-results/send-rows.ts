import { setTimeout as wait } from 'node:timers/promises'
import type { ErrorBody } from '../../../schemas/error.ts'
import type { ResultImport, ResultImportBody } from '../../../schemas/result-import.ts'
import { lineOfProblem, type Problem } from '../../lib/errors.ts'
import { reasonOf } from '../import-flows/fetch-export.ts'

export interface ImportTarget {
  readonly url: string
  readonly token: string
  /** Public id of the flow. */
  readonly flow: string
}

/** A service that is busy, or starting, is asked again. */
const mostTries = 6
const longestWaitMs = 10_000
const deadlineMs = 60_000

/** Thrown where the service takes none of the rows. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly problems: readonly Problem[]

  constructor(message: string, problems: readonly Problem[] = []) {
    super(message)
    this.problems = problems
  }
}

/** Sends a part of a table to a running service. May be called again with the same: it then changes nothing. Throws Refused. */
export async function sendRows(body: ResultImportBody, target: ImportTarget): Promise<ResultImport> {
  for (let tries = 1; ; tries++) {
    const response = await post(body, target)
    if (response.ok) return (await response.json()) as ResultImport
    const isBusy = response.status === 503 || response.status === 429
    if (!isBusy || tries === mostTries) throw await refusalOf(response)
    await response.body?.cancel()
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    await wait(Math.min(Math.max(seconds * 1000, 250) || 1000, longestWaitMs))
  }
}

async function post(body: ResultImportBody, { url, token, flow }: ImportTarget): Promise<Response> {
  const base = url.replace(/\/+$/, '')
  return fetch(`${base}/v1/flows/${encodeURIComponent(flow)}/results/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // The token is for this address alone.
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  }).catch((error: Error) => {
    throw new Refused(`${base} does not answer (${reasonOf(error)})`)
  })
}

async function refusalOf(response: Response): Promise<Refused> {
  const body: unknown = await response.json().catch(() => undefined)
  const { message = 'the answer is not that of this service', errors } = Object(body) as Partial<ErrorBody>
  const problems: readonly Problem[] = Array.isArray(errors) ? errors : []
  const [first] = problems
  return new Refused(`refused with ${response.status}: ${first ? lineOfProblem(first) : message}`, problems)
}
