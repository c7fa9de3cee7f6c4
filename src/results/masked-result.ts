import { type Mask, unmaskData } from '../engine/values/sensitive-values.ts'
import type { Result, ResultUpdate } from '../stores/result-store.ts'

/** A change of a result as it is kept: values of marked variables stand beside it, as long as they are kept at all. */
export function maskedUpdate(update: ResultUpdate, mask: Mask): ResultUpdate {
  const { retention, variables = [], answers = [], transcript = [], logs = [] } = update
  const kept = mask.values.filter(
    ({ sensitivity }) => sensitivity === 'personal' || retention?.secret !== undefined,
  )
  return {
    ...update,
    variables: variables.map((variable) => ({ ...variable, value: mask.data(variable.value) })),
    answers: mask.data(answers),
    transcript: mask.data(transcript),
    logs: mask.data(logs),
    ...(kept.length > 0 && { masked: kept }),
  }
}

/** A result with the values of marked variables in their places, as far as they are still known. */
export function unmaskedResult(result: Result): Result {
  const { masked = [], variables, answers, transcript, logs } = result
  return { ...result, ...unmaskData({ variables, answers, transcript, logs }, masked) }
}
