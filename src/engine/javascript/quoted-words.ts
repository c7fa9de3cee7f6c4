import type { Token } from 'acorn'
import { ScriptParser, tokTypes } from './script-parser.ts'

/** Words that stand in code for values. */
interface Words {
  /** A word anywhere in a text; its only group is the number of the value. */
  readonly pattern: RegExp
  /** Names behind a dot that mean a member which is named by values. */
  readonly member: RegExp
  /** The word that stands for the text of a value. */
  readonly textOf: (index: string) => string
}

/** A part of code, and what stands there instead. */
interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Makes references of words that stand inside quotes, or behind a dot: `"Hello {{= code =}}"` is the text with the result in
 * it, `data.{{Key}}` the member of that name. Works on tokens, since scripts are of any length and a parser recurses. Text
 * that does not even consist of tokens is no code, and stays as it is.
 */
export function bindQuotedWords(code: string, words: Words): string {
  const tokens = tokensOf(code)
  const edits = tokens.flatMap((token, index) => editOf(token, tokens, { index, words }) ?? [])
  let edited = ''
  let at = 0
  for (const { from, to, text } of edits) {
    edited += code.slice(at, from) + text
    at = to
  }
  return edited + code.slice(at)
}

/** Whether a word stands inside a pattern, where it is no reference: a value is never part of one. */
export function hasWordInPattern(code: string, { pattern }: Words): boolean {
  return tokensOf(code).some(
    ({ type, value }) => type === tokTypes.regexp && pattern.test((value as { pattern: string }).pattern),
  )
}

type ReadToken = Token & { readonly value: unknown }

function tokensOf(text: string): ReadToken[] {
  try {
    return [...ScriptParser.tokenizer(text, { ecmaVersion: 'latest', allowHashBang: false })] as ReadToken[]
  } catch {
    return []
  }
}

function editOf(
  { type, value, start: from, end: to }: ReadToken,
  tokens: readonly ReadToken[],
  { index, words }: { readonly index: number; readonly words: Words },
): Edit | undefined {
  if (typeof value !== 'string' || !words.pattern.test(value)) return undefined
  const before = tokens[index - 1]
  if (type === tokTypes.template) return { from, to, text: toTemplateText(value, words) }
  const sum = toSum(value, words)
  if (type === tokTypes.string)
    return { from, to, text: isKey(before, tokens[index + 1]) ? `[${sum}]` : `(${sum})` }
  if (!words.member.test(value)) return undefined
  if (before?.type === tokTypes.dot) return { from: before.start, to, text: `[${sum}]` }
  return before?.type === tokTypes.questionDot ? { from, to, text: `[${sum}]` } : undefined
}

/** A text before `(` names a method, as no text can be called; behind `{` or `,` and before `:` it names a property. */
function isKey(before: Token | undefined, after: Token | undefined): boolean {
  if (after?.type === tokTypes.parenL) return true
  const opens = before?.type === tokTypes.braceL || before?.type === tokTypes.comma
  return opens && after?.type === tokTypes.colon
}

/** A text as a sum, the words in it made references. */
function toSum(text: string, { pattern, textOf }: Words): string {
  const parts = text.split(pattern)
  return parts.map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : textOf(part))).join('+')
}

/** A text between backticks, the words in it made expressions. */
function toTemplateText(text: string, { pattern, textOf }: Words): string {
  const parts = text.split(pattern)
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/[\\`$]/g, '\\$&') : `\${${textOf(part)}}`))
    .join('')
}
