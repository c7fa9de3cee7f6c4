import type { Cohort } from '../../schemas/analytics.ts'
import { compareShares, type Share, wilson } from './intervals.ts'
import type { TakenPath } from './taken-paths.ts'

interface Numbers {
  conversations: number
  started: number
  completed: number
}

const mostCohorts = 50

/** The name for all that is too rare to stand alone. */
const rest = 'other'

/** Conversations that differ in something, each against all others, so that nobody reads noise. */
export function compareCohorts(paths: readonly TakenPath[], by: string): Cohort[] {
  const cohorts = groupBy(paths, by)
  const all = [...cohorts.values()].reduce(sum, { conversations: 0, started: 0, completed: 0 })
  // Of two, each is compared with the other one: that is one comparison.
  const comparisons = Math.max(1, cohorts.size === 2 ? 1 : cohorts.size)
  return [...cohorts].map(([value, numbers]) => {
    const share = (name: 'started' | 'completed') => {
      const part = { count: numbers[name], of: numbers.conversations }
      const others = { count: all[name] - part.count, of: all.conversations - part.of }
      return { ...shareOf(part), difference: compareShares(part, others, comparisons) }
    }
    const { conversations } = numbers
    return {
      ...(value !== undefined && { value }),
      conversations,
      started: share('started'),
      completed: share('completed'),
    }
  })
}

function shareOf(part: Share) {
  const { low, high } = wilson(part)
  const share = part.of === 0 ? 0 : part.count / part.of
  return { count: part.count, share: rounded(share), low: rounded(low), high: rounded(high) }
}

const rounded = (share: number) => Math.round(share * 1e4) / 1e4

function groupBy(paths: readonly TakenPath[], by: string): Map<string | undefined, Numbers> {
  const cohorts = new Map<string | undefined, Numbers>()
  for (const { version, cohort, count, isStarted, isCompleted } of paths) {
    const value = by === 'version' ? version : cohort.get(by)
    const numbers = {
      conversations: count,
      started: isStarted ? count : 0,
      completed: isCompleted ? count : 0,
    }
    cohorts.set(value, sum(cohorts.get(value), numbers))
  }
  const largest = [...cohorts].sort(([, one], [, other]) => other.conversations - one.conversations)
  const kept = new Map(largest.slice(0, mostCohorts))
  for (const [, numbers] of largest.slice(mostCohorts)) kept.set(rest, sum(kept.get(rest), numbers))
  return kept
}

function sum(one: Numbers | undefined, other: Numbers): Numbers {
  if (!one) return other
  return {
    conversations: one.conversations + other.conversations,
    started: one.started + other.started,
    completed: one.completed + other.completed,
  }
}
