import type { Token } from 'acorn'
import { ScriptParser, tokTypes } from './script-parser.ts'

/** The name that the result of inline code has in the code around it. */
export const resultWord = (index: number) => `$inline${index}$`

/** The name of the result as text, for where it stands in quotes. */
export const resultTextWord = (index: number | string) => `$inlineText${index}$`

const word = /\$inline(\d+)\$/
const wholeWord = /^\$inline\d+\$$/

/**
 * Makes references of the names of results that stand inside quotes, or behind a dot: `"Hello {{= code =}}"` is the text
 * with the result in it, `data.{{= code =}}` the member of that name. Works on tokens, since scripts are of any length and
 * a parser recurses. Text that does not even consist of tokens is no code, and stays as it is.
 */
export function bindQuotedResults(text: string): string {
  let edited = ''
  let at = 0
  for (const { from, to, text: replacement } of editsOf(tokensOf(text))) {
    edited += text.slice(at, from) + replacement
    at = to
  }
  return edited + text.slice(at)
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

function tokensOf(text: string): Token[] {
  try {
    return [...ScriptParser.tokenizer(text, { ecmaVersion: 'latest', allowHashBang: false })]
  } catch {
    return []
  }
}

function editsOf(tokens: readonly Token[]): Edit[] {
  return tokens.flatMap((token, index) => {
    const { type, value, start: from, end: to } = token as Token & { readonly value: unknown }
    if (typeof value !== 'string' || !word.test(value)) return []
    const before = tokens[index - 1]
    if (type === tokTypes.template) return [{ from, to, text: quasiOf(value) }]
    if (type === tokTypes.string) {
      const isKey = isKeyBetween(before, tokens[index + 1])
      return [{ from, to, text: isKey ? `[${sumOf(value)}]` : `(${sumOf(value)})` }]
    }
    if (!wholeWord.test(value)) return []
    const member = `[${sumOf(value)}]`
    if (before?.type === tokTypes.dot) return [{ from: before.start, to, text: member }]
    return before?.type === tokTypes.questionDot ? [{ from, to, text: member }] : []
  })
}

/** A text behind `{` or `,` and before `:` can be nothing but the name of a property. */
function isKeyBetween(before: Token | undefined, after: Token | undefined): boolean {
  const opens = before?.type === tokTypes.braceL || before?.type === tokTypes.comma
  return opens && after?.type === tokTypes.colon
}

/** A text as a sum, the names in it made references. */
function sumOf(text: string): string {
  const operands = text
    .split(word)
    .map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : resultTextWord(part)))
  return operands.join('+')
}

/** A text between backticks, the names in it made expressions. */
function quasiOf(text: string): string {
  const parts = text
    .split(word)
    .map((part, index) => (index % 2 === 0 ? part.replace(/[\\`$]/g, '\\$&') : `\${${resultTextWord(part)}}`))
  return parts.join('')
}
