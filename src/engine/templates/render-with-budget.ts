import { createScope } from '../javascript/evaluate.ts'
import { createScopeWith, evaluateAhead } from '../javascript/evaluate-ahead.ts'
import { createRunCode } from '../javascript/sandbox-job.ts'
import { ask, type Effects, finish } from '../model/effects.ts'
import { LimitExceeded, type Limits, type TurnLimit } from '../model/limits.ts'
import { type LogEntry, visibleError } from '../model/log-entry.ts'
import type { Scope } from '../model/scope.ts'
import type { Code } from '../model/template.ts'
import type { Variables } from '../values/variables.ts'

/** A rendering outside any block: of the theme, of the settings. */
interface Rendering<Result> {
  readonly variables: Variables
  readonly limits: Limits
  /** The code in what is rendered. */
  readonly codes: readonly Code[]
  readonly render: (scope: Scope) => Result
  /** Substitute for a result that placeholders would make grow beyond all bounds. */
  readonly otherwise: Result
  /** Receives the logs of code that did not run to its end, and of parts that are left out. */
  log(entry: LogEntry): void
  /** Hears why something stands in the place of what was to be rendered. */
  reached(limit: TurnLimit): void
}

/** Renders with a budget of its own. */
export function* renderWithBudget<Result>(rendering: Rendering<Result>): Effects<Result> {
  const { variables, limits, codes, render, otherwise, log, reached } = rendering
  let characters = 0
  const spend = (count: number) => {
    characters += count
    if (characters > limits.charactersPerTurn) {
      throw new LimitExceeded('charactersPerTurn', `more than ${limits.charactersPerTurn} characters`)
    }
  }
  const logs: LogEntry[] = []
  const scope = createScope({
    variables,
    spend,
    log: (entry: LogEntry) => void logs.push(entry),
  })
  const runCode = createRunCode('in one block', () => yieldOnce(limits))
  try {
    const results = yield* finish(evaluateAhead(codes, scope, runCode))
    const rendered = render(createScopeWith(results, scope))
    logs.forEach(log)
    return rendered
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    reached(error.limit)
    log(visibleError({ context: 'Theme and settings', description: `A part was left out: ${error.budget}` }))
    return otherwise
  }
}

function* yieldOnce({ turnMs }: Limits): Effects<void> {
  if (yield* ask({ type: 'yield' })) return
  throw new LimitExceeded('turnMs', `more than ${turnMs} ms of engine time in one turn`)
}
