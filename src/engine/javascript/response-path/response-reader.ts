import type { CodeJob, CodeResult } from '../../model/effect-payloads.ts'
import { type Effects, finish } from '../../model/effects.ts'
import type { Scope } from '../../model/scope.ts'
import type { Placeholder } from '../../model/template.ts'
import { evaluateAhead } from '../evaluate-ahead.ts'
import type { CodeOutcome } from '../outcome.ts'
import { createRunCode, toOutcome } from '../sandbox-job.ts'
import { type PathValues, type ResponsePath, readResponsePath, responseGlobals } from './response-path.ts'

/** Characters of a response that code is handed: the sandbox takes no more. */
const longestResponse = 4 * 2 ** 20

const parts = ['data', 'statusCode']
/** Names that a path can begin with. */
export const responseParts: readonly string[] = ['response', ...parts]
const word = '$response$'
const unpack = `var response = JSON.parse(${word}), ${parts.map((name) => `${name} = response.${name}`).join(', ')}\n`

/** Reads the parts of one response that paths lead to (docs/behaviour/integrations.md, "Response mapping"). */
export class ResponseReader {
  readonly #response: object
  readonly #scope: Scope
  readonly #values: PathValues
  readonly #runCode = createRunCode('for one response')
  #text: string | undefined

  constructor(response: object, scope: Scope) {
    this.#response = response
    this.#scope = scope
    const given = parts.map((name) => [name, ownProperty(response, name)] as const)
    this.#values = { given: new Map([['response', response], ...given]), results: new Map() }
  }

  /** A path that fails has failed with `needsSandbox` only where a limit kept it from being read. */
  *read(path: ResponsePath): Effects<CodeOutcome> {
    const values = { ...this.#values, results: yield* this.#resultsOf(path) }
    const evaluated = readResponsePath(path, values, this.#scope)
    const { code } = path.parse(this.#scope)
    if (evaluated.ok || !evaluated.needsSandbox || code === undefined) return evaluated
    const cutOff = [...values.results.values()].find((result) => !result.ok && result.needsSandbox)
    if (cutOff) return cutOff
    const globals = responseGlobals(path, values, this.#scope)
    return toOutcome(yield* this.#runOver(code, globals))
  }

  *#resultsOf(path: ResponsePath): Effects<Map<Placeholder, CodeOutcome>> {
    const results = new Map<Placeholder, CodeOutcome>()
    if (path.parse(this.#scope).parsed.failure) return results
    const known = yield* finish(evaluateAhead(path.codes, this.#scope, this.#runCode))
    for (const placeholder of path.placeholders) {
      if (placeholder.kind === 'code') results.set(placeholder, known.read(placeholder.code, this.#scope))
    }
    return results
  }

  /** The response goes in as a text, written once: copying lists and objects for each path would block the event loop. */
  *#runOver(code: string, globals: CodeJob['globals']): Effects<CodeResult> {
    const job = { isAsync: false, mayAssign: false, mayFetch: false }
    if (!responseParts.some((name) => code.includes(name)))
      return yield* this.#run({ ...job, body: code, globals })
    this.#text ??= JSON.stringify(this.#response)
    if (this.#text.length > longestResponse) return tooLong
    return yield* this.#run({ ...job, body: unpack + code, globals: [[word, this.#text], ...globals] })
  }

  *#run(job: CodeJob): Effects<CodeResult> {
    const [result] = yield* this.#runCode([job])
    return result as CodeResult
  }
}

const tooLong: CodeResult = {
  ok: false,
  reason: 'limit',
  message: 'The response is longer than code may hold',
}

function ownProperty(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined
}
