/** Deeper than any address or style value has them; readers of markdown count up to 32. */
const maxDepth = 8

/** Whether every parenthesis of a text has its other one. */
export function hasBalancedParentheses(text: string): boolean {
  let depth = 0
  for (const [parenthesis] of text.matchAll(/[()]/g)) {
    depth += parenthesis === '(' ? 1 : -1
    if (depth < 0 || depth > maxDepth) return false
  }
  return depth === 0
}
