/** A key as it stands in a JSON pointer (RFC 6901). */
export function escapeToken(key: string | number): string {
  const text = String(key)
  return /[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text
}

/** The keys of a pointer, outermost first. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A value inside another; undefined where there is none. */
export function valueAt(value: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>(
    (inside, token) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, token)
        ? (inside as Record<string, unknown>)[token]
        : undefined,
    value,
  )
}
