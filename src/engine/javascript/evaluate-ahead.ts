import type { CodeResult } from '../model/effect-payloads.ts'
import type { Effects } from '../model/effects.ts'
import type { LogEntry } from '../model/log-entry.ts'
import type { RunCode, Scope } from '../model/scope.ts'
import type { Code } from '../model/template.ts'
import { beginEvaluation, evaluate, isEvaluatedForGood, type WaitingCode } from './evaluate.ts'
import type { CodeOutcome } from './outcome.ts'

interface KeptResult {
  readonly evaluated: CodeOutcome
  readonly logs: readonly LogEntry[]
}

interface QueuedCode extends WaitingCode {
  readonly code: Code
  readonly logs: readonly LogEntry[]
}

/** Results of pieces of code, each of which was evaluated once. */
export class CodeResults {
  readonly #kept = new Map<Code, KeptResult>()

  /** Returns the result of code, with its logs; code that was not evaluated before is interpreted now. */
  read(code: Code, scope: Scope): CodeOutcome {
    const kept = this.#kept.get(code)
    if (!kept) return evaluate(code, scope)
    for (const entry of kept.logs) scope.log(entry)
    return kept.evaluated
  }

  has(code: Code): boolean {
    return this.#kept.has(code) || isEvaluatedForGood(code)
  }

  keep(code: Code, kept: KeptResult): void {
    this.#kept.set(code, kept)
  }
}

/** Completes a scope with the results of the code in its texts. */
export function createScopeWith<Base extends Omit<Scope, 'evaluate'>>(
  results: CodeResults,
  base: Base,
): Base & Scope {
  const scope: Base & Scope = { ...base, evaluate: (code) => results.read(code, scope) }
  return scope
}

/**
 * Characters that code may be charged before others are served: that of one text may be thousands of expressions, each
 * of which is short.
 */
const costPerRound = 256 * 1024

/**
 * Evaluates code before the texts that it stands in are rendered: by the interpreter, and what goes beyond that in one
 * effect, or one more for code that other code stands in. `codes` has the inner code first. Logs are left for when the
 * results are read, as a text may never be rendered.
 */
export function evaluateAhead(
  codes: readonly Code[],
  scope: Scope,
  runCode: RunCode,
): CodeResults | Effects<CodeResults> {
  const results = new CodeResults()
  const round = beginRound(codes, results, scope)
  return isLast(round) ? results : finishRounds(round, results, { scope, runCode })
}

interface Round {
  readonly waiting: readonly QueuedCode[]
  /** Code around code that waits, and code that was not begun. */
  readonly later: readonly Code[]
  /** Whether others are to be served before any more is begun. */
  readonly isCut: boolean
}

const isLast = ({ waiting, isCut }: Round) => waiting.length === 0 && !isCut

function beginRound(codes: readonly Code[], results: CodeResults, scope: Scope): Round {
  const waiting: QueuedCode[] = []
  const later: Code[] = []
  let cost = 0
  const spend = (characters: number) => {
    cost += characters
    scope.spend(characters)
  }
  for (const code of codes) {
    if (isEvaluatedForGood(code)) continue
    if (cost > costPerRound || code.template.codes.some((inner) => !results.has(inner))) {
      later.push(code)
      continue
    }
    const logs: LogEntry[] = []
    const log = (entry: LogEntry) => void logs.push(entry)
    const begun = beginEvaluation(code, createScopeWith(results, { variables: scope.variables, spend, log }))
    if ('job' in begun) waiting.push({ ...begun, code, logs })
    else results.keep(code, { evaluated: begun, logs })
  }
  return { waiting, later, isCut: cost > costPerRound && later.length > 0 }
}

function* finishRounds(
  first: Round,
  results: CodeResults,
  { scope, runCode }: { readonly scope: Scope; readonly runCode: RunCode },
): Effects<CodeResults> {
  for (let round = first; !isLast(round); round = beginRound(round.later, results, scope)) {
    const answers = yield* runCode(round.waiting.map(({ job }) => job))
    round.waiting.forEach(({ code, conclude, logs }, index) => {
      results.keep(code, { evaluated: conclude(answers[index] as CodeResult), logs })
    })
  }
  return results
}
