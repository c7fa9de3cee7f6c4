/** Limits of one turn (docs/behaviour/walk.md, "Limits"). A turn over a limit ends with an error log. */
export interface Limits {
  /** Blocks executed in a turn. */
  readonly blocksPerTurn: number
  /** Messages in a response. */
  readonly messagesPerTurn: number
  /** Characters that a turn may put into texts and responses. */
  readonly charactersPerTurn: number
  /** Linked flows inside each other. */
  readonly linkDepth: number
  /** Jumps inside each other that a Return block can still undo. */
  readonly returnMarks: number
  /** Characters of one variable's value; a longer one is cut. */
  readonly variableLength: number
  /** Characters of all variables of a session together. */
  readonly variablesLength: number
  /** Milliseconds of engine time of a turn, outgoing calls excluded. */
  readonly turnMs: number
  /** Milliseconds that the walk may go on without letting others be served, as far as it notices. */
  readonly blockMs: number
}

/** Limits of a turn that a check of flows knows, too. */
export const usualLimits = Object.freeze({ blocksPerTurn: 1_000, callsPerTurn: 20 })

export type TurnLimit = keyof Limits

/** Thrown when a turn has used up one of its budgets; the walk catches it. */
export class LimitExceeded extends Error {
  readonly limit: TurnLimit
  /** Name of the budget that was exceeded. */
  readonly budget: string

  constructor(limit: TurnLimit, budget: string) {
    super(`The conversation was stopped: ${budget}`)
    this.name = 'BudgetSpent'
    this.limit = limit
    this.budget = budget
  }
}
