import { hasBalancedParentheses } from '../values/parentheses.ts'

/** What ends a value, a rule, a text, a comment or the style element itself, or begins another; `/` only beside others. */
const breaksOut = /(?!\t)\p{Cc}|["'*;<>@[\\\]{}]|^\/|\/$/gu

/**
 * A value as it stands in style rules: where it has a text or an address to itself it is read as it was, and nowhere
 * does it reach beyond its place. Colours, lengths and functions stay as they are.
 */
export function escapeStyleValue(value: string): string {
  const escaped = value.replace(breaksOut, escapeCharacter)
  return hasBalancedParentheses(escaped) ? escaped : escaped.replace(/[()]/g, escapeCharacter)
}

/** The blank ends the escape, and is part of it. */
function escapeCharacter(character: string): string {
  return `\\${character.charCodeAt(0).toString(16)} `
}
