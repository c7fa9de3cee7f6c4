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
