/** Languages that are asked for, the dearest first, and those that are refused. */
interface LanguageWish {
  readonly ranges: readonly string[]
  readonly refused?: ReadonlySet<string>
}

/**
 * The tag that serves a wish best, by the lookup of RFC 4647, section 3.4: each range, made shorter from its end until a
 * tag equals it. Undefined where none does, and for `*`, which names nothing.
 */
export function lookUpLanguage(
  { ranges, refused }: LanguageWish,
  tags: readonly string[],
): string | undefined {
  const byName = new Map(tags.toReversed().map((tag) => [tag.toLowerCase(), tag]))
  for (const range of ranges) {
    for (let name = range.toLowerCase(); name !== ''; name = shortened(name)) {
      const tag = refused?.has(name) ? undefined : byName.get(name)
      if (tag !== undefined) return tag
    }
  }
  return undefined
}

/** Without its last subtag, and without a single letter that would then be last: it only introduces what follows it. */
function shortened(name: string): string {
  const end = name.lastIndexOf('-')
  if (end === -1) return ''
  return name.slice(0, name[end - 2] === '-' ? end - 2 : end)
}

/** Reads an `Accept-Language` (RFC 9110, section 12.5.4). What is malformed in it is passed over. */
export function readAcceptLanguage(header: string | undefined): LanguageWish {
  const weighted = (header ?? '').split(',').flatMap((part) => {
    const [, range, weight = '1'] =
      /^\s*([A-Za-z0-9-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(part) ?? []
    return range === undefined ? [] : [{ range, weight: Number(weight) }]
  })
  const wanted = weighted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  const refused = weighted.filter(({ weight }) => weight === 0).map(({ range }) => range.toLowerCase())
  return { ranges: wanted.map(({ range }) => range), refused: new Set(refused) }
}
