import type { CodeJob, CodeResult } from '../../model/effect-payloads.ts'
import { ask, type Effects } from '../../model/effects.ts'
import type { LogEntry } from '../../model/log-entry.ts'
import type { Scope } from '../../model/scope.ts'
import type { Code, Placeholder } from '../../model/template.ts'
import { CodePending, CodeResultCache } from '../../turn/code-suspension.ts'
import { createScope, evaluate } from '../evaluate.ts'
import type { Evaluated } from '../outcome.ts'
import { toOutcome } from '../sandbox-job.ts'
import { type PathValues, type ResponsePath, readResponsePath, responseGlobals } from './response-path.ts'

/** How often the sandbox may be asked about one response. */
const mostRuns = 100

/** Characters of a response that code is handed: the sandbox takes no more. */
const longestResponse = 4 * 2 ** 20

const parts = ['data', 'statusCode']
const names = ['response', ...parts]
const word = '$response$'
const unpack = `var response = JSON.parse(${word}), ${parts.map((name) => `${name} = response.${name}`).join(', ')}\n`

/** Reads the parts of one response that paths lead to (docs/behaviour/integrations.md, "Response mapping"). */
export class ResponseReader {
  readonly #response: object
  readonly #scope: Scope
  readonly #values: PathValues
  #text: string | undefined
  #runs = 0

  constructor(response: object, scope: Scope) {
    this.#response = response
    this.#scope = scope
    const given = parts.map((name) => [name, ownProperty(response, name)] as const)
    this.#values = { given: new Map([['response', response], ...given]), results: new Map() }
  }

  /** A path that fails has failed with `needsSandbox` only where a limit kept it from being read. */
  *read(path: ResponsePath): Effects<Evaluated> {
    const values = { ...this.#values, results: yield* this.#resultsOf(path) }
    const evaluated = readResponsePath(path, values, this.#scope)
    const { code } = path.parse(this.#scope)
    if (evaluated.ok || !evaluated.needsSandbox || code === undefined) return evaluated
    const cutOff = [...values.results.values()].find((result) => !result.ok && result.needsSandbox)
    if (cutOff) return cutOff
    const globals = responseGlobals(path, values, this.#scope)
    return toOutcome(yield* this.#runOver(code, globals))
  }

  /** Inline code has its results before the path is read: what waits in the middle would begin all over again. */
  *#resultsOf(path: ResponsePath): Effects<Map<Placeholder, Evaluated>> {
    const results = new Map<Placeholder, Evaluated>()
    if (path.parse(this.#scope).parsed.failure) return results
    for (const placeholder of path.placeholders) {
      if (placeholder.kind === 'code') results.set(placeholder, yield* this.#evaluate(placeholder.code))
    }
    return results
  }

  *#evaluate(code: Code): Effects<Evaluated> {
    const { variables, spend, log } = this.#scope
    const known = new CodeResultCache()
    for (;;) {
      const logs: LogEntry[] = []
      const sandbox = (job: CodeJob) => known.resultOf(job)
      try {
        const evaluated = evaluate(
          code,
          createScope({ variables, spend, log: (entry) => logs.push(entry), sandbox }),
        )
        logs.forEach(log)
        return evaluated
      } catch (error) {
        if (!(error instanceof CodePending)) throw error
        known.keep(yield* this.#run(error.job))
      }
    }
  }

  /** The response goes in as a text, written once: copying lists and objects for each path would block the event loop. */
  *#runOver(code: string, globals: CodeJob['globals']): Effects<CodeResult> {
    const job = { isAsync: false, mayAssign: false, mayFetch: false }
    if (!names.some((name) => code.includes(name))) return yield* this.#run({ ...job, body: code, globals })
    this.#text ??= JSON.stringify(this.#response)
    if (this.#text.length > longestResponse) return tooLong
    return yield* this.#run({ ...job, body: unpack + code, globals: [[word, this.#text], ...globals] })
  }

  *#run(job: CodeJob): Effects<CodeResult> {
    this.#runs += 1
    return this.#runs > mostRuns ? tooOften : yield* ask({ type: 'evaluate', job })
  }
}

const refused = (message: string): CodeResult => ({ ok: false, reason: 'limit', message })

const tooLong = refused('The response is longer than code may hold')
const tooOften = refused(`More than ${mostRuns} pieces of code for one response`)

function ownProperty(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined
}
