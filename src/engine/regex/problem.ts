/**
 * Reason why a pattern can't be searched for in linear time: it is invalid, it is too long, or it says more than RE2
 * can.
 */
export interface PatternProblem {
  readonly kind: 'invalid' | 'too long' | 'beyond'
  readonly reason: string
}

/** Thrown at the first part of a pattern that has no counterpart in RE2. */
export class BeyondRe2 extends Error {}

export function isProblem(found: object): found is PatternProblem {
  return 'reason' in found
}
