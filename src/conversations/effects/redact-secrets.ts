import { excessOfJsonText } from '../../engine/values/json-excess.ts'

const mask = '******'

/** Shorter secrets are mostly words that stand in for one: they are masked as whole words only. */
const shortestSecret = 12

/** The text without the secrets, which servers repeat when they do not like them. */
export function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replace(patternOf(secret), mask), text)
}

/** The same data without the secrets, wherever they stand. Throws for what is nested beyond all bounds. */
export function redactData(value: unknown, secrets: readonly string[]): unknown {
  const patterns = secrets.map(patternOf)
  const hide = (text: string) => patterns.reduce((rest, pattern) => rest.replace(pattern, mask), text)
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string') return hide(part)
    if (Array.isArray(part)) return part.map(clean)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [hide(name), clean(inner)]))
  }
  return clean(value)
}

/** JSON without the secrets; undefined for text that is no JSON, and for more than is read. */
export function parseRedacted(
  text: string,
  secrets: readonly string[],
): { readonly value: unknown } | undefined {
  if (excessOfJsonText(text) !== undefined) return undefined
  try {
    return { value: redactData(JSON.parse(text), secrets) }
  } catch {
    return undefined
  }
}

/** The text without the secrets, however JSON spells them where it is some. */
export function redactAnswer(text: string, secrets: readonly string[]): string {
  const plain = redactText(text, secrets)
  const parsed = plain.includes('\\') ? parseRedacted(plain, secrets) : undefined
  return parsed ? JSON.stringify(parsed.value) : plain
}

function patternOf(secret: string): RegExp {
  const literal = secret.replace(/[^A-Za-z0-9]/g, '\\$&')
  return new RegExp(secret.length < shortestSecret ? `(?<![\\w-])${literal}(?![\\w-])` : literal, 'g')
}
