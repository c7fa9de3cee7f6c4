import { type GetTextTranslationRecord, type GetTextTranslations, po } from 'gettext-parser'
import type { Flow, Translation } from '../../../schemas/flow.ts'
import { sourceHash } from '../../definition/content-hash.ts'
import { hasWords, shownTexts, translationIn } from '../../engine/compile/localise-flow.ts'

/**
 * Writes the texts of a flow with their translations as a PO file (GNU gettext): the key of each is its context, and what
 * was translated from another text is marked as fuzzy.
 */
export function writePo(flow: Flow, locale: string): { readonly text: string; readonly missing: number } {
  const known = flow.localizations?.[locale] ?? {}
  const translations: GetTextTranslationRecord = {}
  let missing = 0
  for (const { key, pointer, text } of shownTexts(flow)) {
    if (!hasWords(text)) continue
    const translation = Object.hasOwn(known, key) ? known[key] : undefined
    const isOutdated =
      typeof translation === 'object' && ![undefined, sourceHash(text)].includes(translation.source)
    const translated = translationIn(known, key) ?? ''
    if (isOutdated || translated === '') missing += 1
    const comments = { extracted: titleOf(flow, pointer), ...(isOutdated && { flag: 'fuzzy' }) }
    translations[key] = { [text]: { msgctxt: key, msgid: text, msgstr: [translated], comments } }
  }
  const headers = {
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Transfer-Encoding': '8bit',
    Language: locale.replaceAll('-', '_'),
  }
  return {
    text: `${po.compile({ charset: 'utf-8', headers, translations }).toString().trimEnd()}\n`,
    missing,
  }
}

/** The title of the group that a text stands in, for translators. */
function titleOf({ groups }: Flow, pointer: string): string {
  const [, at] = /^\/groups\/(\d+)\//.exec(pointer) ?? []
  return at === undefined ? 'settings' : (groups[Number(at)]?.title ?? '')
}

/** Translations of one language, by their keys. */
interface PoFile {
  /** Undefined where the file does not say. */
  readonly locale: string | undefined
  readonly texts: ReadonlyMap<string, Translation>
}

/** Reads what `writePo` has written, once it is translated; leaves out what has no translation, or a fuzzy one. */
export function readPo(text: string): PoFile {
  // A file without its first entry has no headers.
  const { headers = {}, translations = {} } = po.parse(text) as Partial<GetTextTranslations>
  const texts = new Map<string, Translation>()
  for (const [key, entries] of Object.entries(translations)) {
    for (const { msgid, msgstr, comments } of Object.values(entries)) {
      const [translated = ''] = msgstr
      const isFuzzy = comments?.flag?.split(/,\s*/).includes('fuzzy')
      if (key !== '' && translated !== '' && !isFuzzy)
        texts.set(key, { text: translated, source: sourceHash(msgid) })
    }
  }
  return { locale: headers['Language']?.trim().replaceAll('_', '-') || undefined, texts }
}
