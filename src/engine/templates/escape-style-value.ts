import { hasBalancedParentheses } from '../values/parentheses.ts'

/**
 * Characters that end a value, a rule, a text, a comment or the style element itself, or begin another; `/` only beside
 * others.
 */
const breaksOut = /(?!\t)\p{Cc}|["'*;<>@[\\\]{}]|^\/|\/$/gu

/** A whole text; what is in it is escaped like all else, and so are parentheses, which an address without quotes would read. */
const quotedText = /("[^"]*"|'[^']*')/

/**
 * A value as it stands in style rules: where it has a text or an address to itself it is read as it was, and nowhere
 * does it reach beyond its place. Colours, lengths and functions stay as they are.
 */
export function escapeStyleValue(value: string): string {
  const escaped = value.replace(breaksOut, escapeCharacter)
  return hasBalancedParentheses(escaped) ? escaped : escaped.replace(/[()]/g, escapeCharacter)
}

/** As `escapeStyleValue`, where a value may hold texts of its own, such as names of fonts: they keep their quotes. */
export function escapeStyleValueWithTexts(value: string): string {
  const pieces = value.split(quotedText)
  const isBalanced = hasBalancedParentheses(pieces.filter((_, index) => index % 2 === 0).join(''))
  return pieces
    .map((piece, index) => {
      if (index % 2 === 1) return piece[0] + escapeAll(piece.slice(1, -1)) + piece[0]
      const escaped = piece.replace(breaksOut, escapeCharacter)
      return isBalanced ? escaped : escaped.replace(/[()]/g, escapeCharacter)
    })
    .join('')
}

function escapeAll(text: string): string {
  return text.replace(breaksOut, escapeCharacter).replace(/[()]/g, escapeCharacter)
}

/** The blank ends the escape, and is part of it. */
function escapeCharacter(character: string): string {
  return `\\${character.charCodeAt(0).toString(16)} `
}
