import type { RunContext } from '../../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../../engine/model/effects.ts'
import { isHeld, type Value } from '../../../engine/values/value.ts'

/**
 * The body of a request that says nothing else: when it was made, every answer, and every variable that has a
 * value (docs/behaviour/integrations.md, "HTTP request"). Built from values, which are never scanned for placeholders.
 */
export function* autoBody(context: RunContext): Effects<Record<string, string>> {
  const submittedAt = new Date(yield* ask({ type: 'now' })).toISOString()
  return Object.fromEntries([['submittedAt', submittedAt], ...context.answers, ...variableTexts(context)])
}

/** One text a name; among namesakes the first with a value. */
function variableTexts({ variables }: RunContext): Map<string, string> {
  const texts = new Map<string, string>()
  const add = (name: string, value: Value) => {
    if (!isHeld(value) || texts.has(name)) return
    texts.set(name, typeof value === 'string' ? value : value.join(','))
  }
  for (const [{ name }, value] of variables.entries()) add(name, value)
  for (const [name, value] of variables.inherited) add(name, value)
  return texts
}
