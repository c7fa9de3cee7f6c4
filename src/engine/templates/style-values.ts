import { hasBalancedParentheses } from '../values/parentheses.ts'
import type { TextTemplate } from './text-template.ts'

/** State of a reader of CSS: between tokens, in a text by its quote, in a comment, or in an address without quotes. */
type State = 'plain' | '"' | "'" | 'comment' | 'address'

/** Transitions of each state: ends, starts of another state, and escapes, which are passed over whole. */
const turns: Readonly<Record<State, RegExp>> = {
  plain: /\\.?|\/\*|["']|(?<![-\w]|[^\0-\x7f])url\((?!\s*["'])/gis,
  '"': /\\.?|["\n\r\f]/gs,
  "'": /\\.?|['\n\r\f]/gs,
  comment: /\*\//g,
  address: /\\.?|\)/gs,
}

/**
 * For each placeholder of style rules, whether it stands outside of texts, comments and addresses without quotes: there a
 * value may bring a text of its own. Values change nothing of that, as none reaches beyond its place.
 */
export function placesForTexts({ parts }: TextTemplate): readonly boolean[] {
  const places: boolean[] = []
  let at: { readonly state: State; readonly isEscaped: boolean } = { state: 'plain', isEscaped: false }
  for (const part of parts) {
    if (typeof part === 'string') at = readOn(at.state, part)
    else {
      places.push(at.state === 'plain' && !at.isEscaped)
      at = { state: at.state, isEscaped: false }
    }
  }
  return places
}

/** The state behind a text that the author wrote, and whether it ends in a backslash that takes what follows along. */
function readOn(before: State, text: string): { readonly state: State; readonly isEscaped: boolean } {
  let state = before
  let from = 0
  for (;;) {
    const pattern = turns[state]
    pattern.lastIndex = from
    const [turn] = pattern.exec(text) ?? []
    if (turn === undefined) return { state, isEscaped: false }
    from = pattern.lastIndex
    if (turn === '\\') return { state, isEscaped: true }
    if (!turn.startsWith('\\')) state = state === 'plain' ? stateBehind(turn) : 'plain'
  }
}

function stateBehind(turn: string): State {
  if (turn === '"' || turn === "'") return turn
  return turn === '/*' ? 'comment' : 'address'
}

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
