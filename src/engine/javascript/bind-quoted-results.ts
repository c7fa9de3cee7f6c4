import type { Token } from 'acorn'
import { applyEdits, type Edit, type NamesInText, toSum, toTemplateText } from './quoted-text.ts'
import { ScriptParser, tokTypes } from './script-parser.ts'

/** The name that the result of inline code has in the code around it. */
export const resultWord = (index: number) => `$inline${index}$`

/** The name of the result as text, for where it stands in quotes. */
export const resultTextWord = (index: number | string) => `$inlineText${index}$`

const word = /\$inline(\d+)\$/
const names: NamesInText = { pattern: word, referenceTo: resultTextWord }
const wholeWord = /^\$inline\d+\$$/

/**
 * Makes references of the names of results that stand inside quotes, or behind a dot: `"Hello {{= code =}}"` is the text
 * with the result in it, `data.{{= code =}}` the member of that name. Works on tokens, since scripts are of any length and
 * a parser recurses. Text that does not even consist of tokens is no code, and stays as it is.
 */
export function bindQuotedResults(text: string): string {
  return applyEdits(editsOf(tokensOf(text)), text)
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
    if (type === tokTypes.template) return [{ from, to, text: toTemplateText(value, names) }]
    if (type === tokTypes.string) {
      const isKey = isKeyBetween(before, tokens[index + 1])
      return [{ from, to, text: isKey ? `[${toSum(value, names)}]` : `(${toSum(value, names)})` }]
    }
    if (!wholeWord.test(value)) return []
    const member = `[${toSum(value, names)}]`
    if (before?.type === tokTypes.dot) return [{ from: before.start, to, text: member }]
    return before?.type === tokTypes.questionDot ? [{ from, to, text: member }] : []
  })
}

/** A text behind `{` or `,` and before `:` can be nothing but the name of a property. */
function isKeyBetween(before: Token | undefined, after: Token | undefined): boolean {
  const opens = before?.type === tokTypes.braceL || before?.type === tokTypes.comma
  return opens && after?.type === tokTypes.colon
}
