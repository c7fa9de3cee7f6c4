import type { Flow, Translation } from '../../../schemas/flow.ts'
import { escapeToken, tokensOf, valueAt } from '../../lib/json-pointer.ts'

/** A text of a flow that visitors read. */
interface ShownText {
  /** By which localizations name it: the id of the block and the pointer inside; of a setting the pointer alone. */
  readonly key: string
  /** Inside the definition. */
  readonly pointer: string
  readonly text: string
}

/** Places of blocks and of settings that visitors read: nothing that a walk decides by, and no name of anything. */
const shownPlaces = [
  /^\/content(?:\/(?:markdown|richText(?:\/children|\/\d+)*\/text|clickLink\/alt))?$/,
  /^\/options\/(?:labels\/.+|buttonLabel|searchInputPlaceholder|retryMessageContent|additionalInformation\/description)$/,
  /^\/items\/\d+\/(?:content|title|description|paths\/\d+\/text)$/,
  /^\/settings\/(?:general\/systemMessages\/\w+|metadata\/(?:title|description)|header\/name)$/,
]

/** The end of a key that is a pointer to such a place, behind the id of a block. */
const placeInKey = /\/(?:content$|(?:content|options|items|settings)\/)/

const isShown = (pointer: string) => shownPlaces.some((place) => place.test(pointer))

/** Lists the texts that localizations may translate, in the order of the definition; of blocks with one id the first. */
export function* shownTexts({ groups, settings }: Pick<Flow, 'groups' | 'settings'>): Generator<ShownText> {
  const met = new Set<string>()
  for (const [at, { blocks }] of groups.entries()) {
    for (const [index, block] of blocks.entries()) {
      if (met.has(block.id)) continue
      met.add(block.id)
      const place = `/groups/${at}/blocks/${index}`
      for (const { pointer, text } of textsIn(block, ''))
        if (isShown(pointer)) yield { key: block.id + pointer, pointer: place + pointer, text }
    }
  }
  for (const { pointer, text } of textsIn(settings, '/settings'))
    if (isShown(pointer)) yield { key: pointer, pointer, text }
}

function* textsIn(value: unknown, pointer: string): Generator<{ pointer: string; text: string }> {
  if (typeof value === 'string') yield { pointer, text: value }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inside] of Object.entries(value)) {
    if (typeof inside === 'string' || typeof inside === 'object') {
      yield* textsIn(inside, `${pointer}/${escapeToken(name)}`)
    }
  }
}

/** Whether there is something to translate in a text, beside its placeholders. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(/\{\{[^{}]*\}\}/g, ''))

interface Replacement {
  readonly tokens: readonly string[]
  readonly text: string
}

/** A translation without what is said about it. */
export const textOfTranslation = (translation: Translation): string =>
  typeof translation === 'string' ? translation : translation.text

/** Finds the translation of a text by its key; undefined where it has none: an empty text counts as none. */
export function translationIn(
  translations: Readonly<Record<string, Translation>> = {},
  key: string,
): string | undefined {
  if (!Object.hasOwn(translations, key)) return undefined
  return textOfTranslation(translations[key] as Translation) || undefined
}

/**
 * The flow with the texts that visitors read in another of its languages, and with all else as it is: what is not
 * translated is shared. Keys that lead to no such text are passed over, and the linter names them.
 */
export function localiseFlow(flow: Flow, locale: string): Flow {
  const ofBlocks = new Map<string, Replacement[]>()
  const copied = new Set<unknown>()
  for (const [key, translation] of Object.entries(flow.localizations?.[locale] ?? {})) {
    const at = placeInKey.exec(key)?.index ?? -1
    const pointer = key.slice(at)
    const text = textOfTranslation(translation)
    if (at === -1 || text === '' || !isShown(pointer)) continue
    const blockId = key.slice(0, at)
    const tokens = tokensOf(pointer)
    const known = ofBlocks.get(blockId)
    if (known) known.push({ tokens, text })
    else ofBlocks.set(blockId, [{ tokens, text }])
  }
  const translated = <Value>(value: Value, id: string): Value => {
    const replacements = ofBlocks.get(id) ?? []
    // Of blocks with one id the first.
    ofBlocks.delete(id)
    return replacements.reduce((before, replacement) => replaceText(before, replacement, copied), value)
  }
  const { settings } = translated({ settings: flow.settings }, '')
  return {
    ...flow,
    settings: { ...settings, general: { ...settings.general, language: locale } },
    groups: flow.groups.map((group) =>
      group.blocks.some(({ id }) => ofBlocks.has(id))
        ? { ...group, blocks: group.blocks.map((block) => translated(block, block.id)) }
        : group,
    ),
  }
}

/**
 * A copy with another text at a place; the value itself where it has no text there. What was copied before is changed in
 * place: a block may hold any number of texts.
 */
function replaceText<Value>(value: Value, { tokens, text }: Replacement, copied: Set<unknown>): Value {
  if (typeof valueAt(value, tokens) !== 'string') return value
  const ownCopy = (of: unknown) => {
    if (copied.has(of)) return of as Record<string, unknown>
    const copy = Array.isArray(of) ? [...of] : { ...(of as object) }
    copied.add(copy)
    return copy as Record<string, unknown>
  }
  const copy = ownCopy(value)
  let inside = copy
  for (const token of tokens.slice(0, -1)) {
    inside[token] = ownCopy(inside[token])
    inside = inside[token] as Record<string, unknown>
  }
  inside[tokens.at(-1) as string] = text
  return copy as Value
}
