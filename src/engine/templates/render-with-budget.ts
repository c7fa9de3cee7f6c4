import { createScope } from '../javascript/evaluate.ts'
import { maxInterpreted } from '../javascript/interpreter-budget.ts'
import { ask, type Effects } from '../model/effects.ts'
import { LimitExceeded, type Limits, type TurnLimit } from '../model/limits.ts'
import type { LogEntry } from '../model/log-entry.ts'
import type { Scope } from '../model/scope.ts'
import { CodePending, CodeResultCache } from '../turn/code-suspension.ts'
import type { Variables } from '../values/variables.ts'

/** A rendering outside any block: of the theme, of the settings. */
export interface Rendering<Result> {
  readonly variables: Variables
  readonly limits: Limits
  readonly render: (scope: Scope) => Result
  /** What stands in its place when placeholders would make it grow beyond all bounds. */
  readonly otherwise: Result
  /** Hears of code that did not run to its end, and of what is left out. */
  log(entry: LogEntry): void
  /** Hears why something stands in the place of what was to be rendered. */
  reached(limit: TurnLimit): void
}

/** Renders with a budget of its own. */
export function* renderWithBudget<Result>({
  variables,
  limits,
  render,
  otherwise,
  log,
  reached,
}: Rendering<Result>): Effects<Result> {
  const code = new CodeResultCache()
  const leaveOut = (limit: TurnLimit, reason: string) => {
    reached(limit)
    log({
      audience: 'visitors',
      status: 'error',
      context: 'Theme and settings',
      description: `A part was left out: ${reason}`,
    })
    return otherwise
  }
  for (;;) {
    let characters = 0
    const spend = (count: number) => {
      characters += count
      if (characters > limits.charactersPerTurn)
        throw new LimitExceeded('charactersPerTurn', 'its theme and settings grow too large')
    }
    const logs: LogEntry[] = []
    const scope = createScope({
      variables,
      spend,
      log: (entry) => logs.push(entry),
      sandbox: (job) => code.resultOf(job),
      codeAllowance: () => maxInterpreted - characters,
    })
    try {
      const rendered = render(scope)
      logs.forEach(log)
      return rendered
    } catch (error) {
      if (error instanceof LimitExceeded) {
        return leaveOut(error.limit, `more than ${limits.charactersPerTurn} characters`)
      }
      if (!(error instanceof CodePending)) throw error
      code.keep(yield* ask({ type: 'evaluate', job: error.job }))
      if (!(yield* ask({ type: 'yield' }))) {
        return leaveOut('turnMs', `more than ${limits.turnMs} ms of engine time in one turn`)
      }
    }
  }
}
