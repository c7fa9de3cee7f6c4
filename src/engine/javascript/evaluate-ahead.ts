import type { CodeResult } from '../model/effect-payloads.ts'
import type { Effects } from '../model/effects.ts'
import type { LogEntry } from '../model/log-entry.ts'
import type { RunCode, Scope } from '../model/scope.ts'
import type { Code } from '../model/template.ts'
import { beginEvaluation, evaluate, type WaitingCode } from './evaluate.ts'
import type { Evaluated } from './outcome.ts'

interface Kept {
  readonly evaluated: Evaluated
  /** What code inside it had to say. */
  readonly logs: readonly LogEntry[]
}

interface Waiting extends WaitingCode {
  readonly code: Code
  readonly logs: readonly LogEntry[]
}

/** What a scope is made of before there is anything that evaluates code. */
export type BaseScope = Pick<Scope, 'variables' | 'log' | 'spend' | 'codeAllowance'>

/** What pieces of code came to, each of which was evaluated once. */
export class CodeResults {
  readonly #kept = new Map<Code, Kept>()

  /** Returns what code came to, with its logs; what was not evaluated before is interpreted now. */
  read(code: Code, scope: Scope): Evaluated {
    const kept = this.#kept.get(code)
    if (!kept) return evaluate(code, scope)
    for (const entry of kept.logs) scope.log(entry)
    return kept.evaluated
  }

  keep(code: Code, kept: Kept): void {
    this.#kept.set(code, kept)
  }
}

/** Completes a scope with the results of the code in its texts. */
export function createScopeWith<Base extends BaseScope>(results: CodeResults, base: Base): Base & Scope {
  const scope: Base & Scope = { ...base, evaluate: (code) => results.read(code, scope) }
  return scope
}

/**
 * Evaluates code before the texts that it stands in are rendered: by the interpreter, and what goes beyond that in one
 * effect, or one more for code that other code stands in. `codes` has the inner code first. Logs are left for when the
 * results are read, as a text may never be rendered.
 */
export function evaluateAhead(
  codes: readonly Code[],
  base: BaseScope,
  runCode: RunCode,
): CodeResults | Effects<CodeResults> {
  const results = new CodeResults()
  const round = beginRound(codes, results, base)
  return round.waiting.length === 0 ? results : finishRounds(round, results, { base, runCode })
}

interface Round {
  readonly waiting: readonly Waiting[]
  /** Code around code that waits. */
  readonly later: readonly Code[]
}

function beginRound(codes: readonly Code[], results: CodeResults, base: BaseScope): Round {
  const waiting: Waiting[] = []
  const later: Code[] = []
  const unknown = new Set<Code>()
  const { variables, spend, codeAllowance } = base
  let logs: LogEntry[] = []
  const log = (entry: LogEntry) => void logs.push(entry)
  const scope = createScopeWith(results, { variables, spend, log, ...(codeAllowance && { codeAllowance }) })
  for (const code of codes) {
    if (code.template.codes.some((inner) => unknown.has(inner))) {
      later.push(code)
      unknown.add(code)
      continue
    }
    logs = []
    const begun = beginEvaluation(code, scope)
    if ('job' in begun) {
      waiting.push({ ...begun, code, logs })
      unknown.add(code)
    } else results.keep(code, { evaluated: begun, logs })
  }
  return { waiting, later }
}

function* finishRounds(
  first: Round,
  results: CodeResults,
  { base, runCode }: { readonly base: BaseScope; readonly runCode: RunCode },
): Effects<CodeResults> {
  for (let round = first; round.waiting.length > 0; round = beginRound(round.later, results, base)) {
    const answers = yield* runCode(round.waiting.map(({ job }) => job))
    round.waiting.forEach(({ code, conclude, logs }, index) => {
      results.keep(code, { evaluated: conclude(answers[index] as CodeResult), logs })
    })
  }
  return results
}
