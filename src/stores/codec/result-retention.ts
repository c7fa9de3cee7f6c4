import type { Retention } from '../../engine/model/program.ts'
import type { Sensitivity } from '../../engine/values/sensitive-values.ts'
import type { Result, ResultUpdate } from '../result-store.ts'

/** The part of a time by which its end may be late, so that an index of ends need not change with every turn. */
const lateShare = 1 / 24

/** When the first thing of a result may have outlived its time, after a change; undefined where nothing ever does. */
export function dueAfter({ now, retention, masked }: ResultUpdate): number | undefined {
  if (!retention) return undefined
  const kinds = new Set(masked?.map(({ sensitivity }) => sensitivity))
  const times = [retention.results, retention.unfinished, ...[...kinds].map((kind) => retention[kind])]
  const timeMs = Math.min(...times.map((time) => time ?? Infinity))
  if (timeMs === Infinity) return undefined
  const slackMs = Math.max(1, Math.floor(timeMs * lateShare))
  return Math.ceil((now + timeMs) / slackMs) * slackMs
}

/** Whether the whole result has outlived its time. */
export function hasOutlived(result: Result, now: number): boolean {
  return now >= endOf(result)
}

/** The result without the values that have outlived their time, and when the next thing of it will have. */
export function withoutOldValues(
  result: Result,
  now: number,
): { readonly result: Result; readonly due: number | undefined } {
  const { retention = {}, updatedAt } = result
  const isOld = (kind: Sensitivity | undefined) =>
    kind !== undefined && now >= endAfter(updatedAt, retention, kind)
  const masked = result.masked?.filter(({ sensitivity }) => !isOld(sensitivity))
  const variables = result.variables.filter(({ sensitivity }) => !isOld(sensitivity))
  const { masked: _, ...rest } = result
  const left = { ...rest, variables, ...(masked && masked.length > 0 && { masked }) }
  const ends = (left.masked ?? []).map(({ sensitivity }) => endAfter(updatedAt, retention, sensitivity))
  const due = Math.min(endOf(result), ...ends)
  return { result: left, due: due === Infinity ? undefined : due }
}

function endOf({ retention = {}, isCompleted, updatedAt }: Result): number {
  const whole = endAfter(updatedAt, retention, 'results')
  return isCompleted ? whole : Math.min(whole, endAfter(updatedAt, retention, 'unfinished'))
}

const endAfter = (from: number, retention: Retention, of: keyof Retention) =>
  from + (retention[of] ?? Infinity)
