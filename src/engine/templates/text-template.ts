import { visibleError } from '../model/log-entry.ts'
import type { Scope } from '../model/scope.ts'
import type { Code, Placeholder, TextTemplate } from '../model/template.ts'
import { valueToText } from '../values/value.ts'

export type { Placeholder, TextTemplate } from '../model/template.ts'

/** Characters of code that are quoted in a log. */
const reportedCode = 200

/**
 * Renders a text with the present values: each placeholder once, what it yields is never scanned again
 * (docs/behaviour/variables.md, "Placeholders"). What it yields passes through `escapeValue`, what the author wrote does not.
 */
export function renderText(
  template: TextTemplate,
  scope: Scope,
  escapeValue: (value: string) => string = unescaped,
): string {
  if (template.constant !== undefined) return template.constant
  let text = ''
  for (const part of template.parts) {
    const added = typeof part === 'string' ? part : escapeValue(renderPlaceholder(part, scope))
    // Before it is added: a few megabytes of placeholders could grow into more than memory holds.
    scope.spend(added.length)
    text += added
  }
  return text
}

const unescaped = (value: string) => value

/** The text that a placeholder stands for; nothing when the variable is unset or unknown. */
export function renderPlaceholder(placeholder: Placeholder, scope: Scope): string {
  return placeholder.kind === 'variable'
    ? valueToText(scope.variables.read(placeholder.ref))
    : renderInlineCode(placeholder.code, scope, inlineCodeText)
}

/**
 * Text of inline code. Code that fails shows its own source, with values in place of references; a log says why, unless
 * the text may not be meant as code.
 */
export function renderInlineCode<Shown>(
  code: Code,
  scope: Scope,
  show: (result: unknown) => Shown,
): Shown | string {
  const evaluated = scope.evaluate(code)
  if (evaluated.ok) return show(evaluated.value)
  if (evaluated.needsSandbox || !evaluated.mayBeWords) {
    const outcome = evaluated.needsSandbox ? 'did not run to its end' : 'failed'
    const description = `Code in a text ${outcome}: ${evaluated.message}`
    scope.log(visibleError({ description, details: code.source.slice(0, reportedCode) }))
  }
  return renderText(code.template, scope)
}

/** The result of code as text: JSON, unless it is a text already. Nothing where there is no JSON for it. */
export function inlineCodeText(result: unknown): string {
  if (typeof result === 'string') return result
  if (result === undefined) return 'undefined'
  try {
    return JSON.stringify(result) ?? ''
  } catch {
    return ''
  }
}
