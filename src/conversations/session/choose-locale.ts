import type { Program } from '../../engine/model/program.ts'
import { lookUpLanguage, readAcceptLanguage } from '../../lib/language-tags.ts'

/** Wish of a client for a language. */
interface AskedLanguage {
  /** A tag. */
  readonly locale?: string | undefined
  /** The header of that name, which counts where no tag is given. */
  readonly acceptLanguage?: string | undefined
}

/**
 * The language that a conversation is held in (docs/behaviour/languages.md): of those of the flow, by RFC 4647. Undefined
 * for a flow that is in one language; one that does not say which takes the tag that was asked for.
 */
export function chooseLocale(
  { locale: own, locales }: Pick<Program, 'locale' | 'locales'>,
  { locale, acceptLanguage }: AskedLanguage,
): string | undefined {
  if (locales.length === 0) return own === undefined ? locale : undefined
  const wish = locale === undefined ? readAcceptLanguage(acceptLanguage) : { ranges: [locale] }
  return lookUpLanguage(wish, locales) ?? own
}
