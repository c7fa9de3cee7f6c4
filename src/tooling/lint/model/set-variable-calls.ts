/** Names that code writes by `setVariable`. */
interface SetVariables {
  readonly names: readonly string[]
  /** Whether a call computes the name. */
  readonly isOpen: boolean
}

const call = /\bsetVariable\s*\(\s*(?:'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\$]*)`)?/g

/** Finds the calls in the text of code, whether it can be parsed or not. */
export function variablesSetIn(code: string): SetVariables {
  const names: string[] = []
  let isOpen = false
  for (const [, single, double, template] of code.matchAll(call)) {
    const name = single ?? double ?? template
    if (name === undefined) isOpen = true
    else names.push(name)
  }
  return { names, isOpen }
}
