/** Formatters that are kept: making one takes as long as a thousand uses. */
const mostFormatters = 50

/** A formatter with longer terms is not kept. */
const maxKeyLength = 1000

/** Longest request, in characters. */
const maxRequestLength = 2 ** 18

/** Longest integer without bounds: reading one takes the square of its length. */
const maxIntegerLength = 400

type Terms = readonly [locales: string | string[] | null, options: object | null]
type Formatter = Intl.DateTimeFormat | Intl.NumberFormat | Intl.PluralRules | Intl.Collator
type Method = (terms: Terms, args: readonly string[]) => unknown

/**
 * Answers what code of a flow asks of `Intl`, which its own engine does not have: data in, text out. It never throws, and
 * nothing of what it makes is handed out.
 */
export function createIntlHost(): (request: string) => string {
  const formatters = new Map<string, Formatter>()

  function formatter<Kind extends Formatter>(kind: keyof typeof constructors, terms: Terms): Kind {
    const key = JSON.stringify([kind, terms])
    const known = formatters.get(key)
    if (known) return known as Kind
    const made = constructors[kind](localesOf(terms), terms[1] ?? undefined)
    if (key.length > maxKeyLength) return made as Kind
    const [oldest] = formatters.keys()
    if (formatters.size >= mostFormatters && oldest !== undefined) formatters.delete(oldest)
    formatters.set(key, made)
    return made as Kind
  }

  const dates = (terms: Terms) => formatter<Intl.DateTimeFormat>('DateTimeFormat', terms)
  const numbers = (terms: Terms) => formatter<Intl.NumberFormat>('NumberFormat', terms)
  const plurals = (terms: Terms) => formatter<Intl.PluralRules>('PluralRules', terms)
  const collator = (terms: Terms) => formatter<Intl.Collator>('Collator', terms)

  const methods = new Map<string, Method>([
    ['DateTimeFormat.format', (terms, [date]) => dates(terms).format(Number(date))],
    ['DateTimeFormat.formatToParts', (terms, [date]) => dates(terms).formatToParts(Number(date))],
    ['DateTimeFormat.formatRange', (terms, [from, to]) => dates(terms).formatRange(Number(from), Number(to))],
    [
      'DateTimeFormat.formatRangeToParts',
      (terms, [from, to]) => dates(terms).formatRangeToParts(Number(from), Number(to)),
    ],
    ['DateTimeFormat.resolvedOptions', (terms) => dates(terms).resolvedOptions()],
    [
      'DateTimeFormat.supportedLocalesOf',
      ([locales]) => Intl.DateTimeFormat.supportedLocalesOf(locales ?? []),
    ],
    ['NumberFormat.format', (terms, [number]) => numbers(terms).format(numeric(number))],
    ['NumberFormat.formatToParts', (terms, [number]) => numbers(terms).formatToParts(numeric(number))],
    ['NumberFormat.resolvedOptions', (terms) => numbers(terms).resolvedOptions()],
    ['NumberFormat.supportedLocalesOf', ([locales]) => Intl.NumberFormat.supportedLocalesOf(locales ?? [])],
    ['PluralRules.select', (terms, [number]) => plurals(terms).select(Number(number))],
    ['PluralRules.resolvedOptions', (terms) => plurals(terms).resolvedOptions()],
    ['PluralRules.supportedLocalesOf', ([locales]) => Intl.PluralRules.supportedLocalesOf(locales ?? [])],
    ['Collator.compare', (terms, [left = '', right = '']) => collator(terms).compare(left, right)],
    ['Collator.resolvedOptions', (terms) => collator(terms).resolvedOptions()],
    ['Collator.supportedLocalesOf', ([locales]) => Intl.Collator.supportedLocalesOf(locales ?? [])],
    ['Date.toLocaleString', (terms, [date]) => new Date(Number(date)).toLocaleString(...dated(terms))],
    [
      'Date.toLocaleDateString',
      (terms, [date]) => new Date(Number(date)).toLocaleDateString(...dated(terms)),
    ],
    [
      'Date.toLocaleTimeString',
      (terms, [date]) => new Date(Number(date)).toLocaleTimeString(...dated(terms)),
    ],
    ['String.toLocaleLowerCase', (terms, [text = '']) => text.toLocaleLowerCase(localesOf(terms))],
    ['String.toLocaleUpperCase', (terms, [text = '']) => text.toLocaleUpperCase(localesOf(terms))],
  ])

  return (request) => {
    try {
      if (request.length > maxRequestLength) throw new RangeError('What is given to Intl is too long')
      const [name, terms, args] = JSON.parse(request) as [string, Terms, string[]]
      return JSON.stringify({ error: null, value: methods.get(name)?.(terms, args) ?? null })
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error('Intl failed')
      return JSON.stringify({ error: name, message })
    }
  }
}

const constructors = {
  DateTimeFormat: (locales: Locales, options?: object) => new Intl.DateTimeFormat(locales, options),
  NumberFormat: (locales: Locales, options?: object) => new Intl.NumberFormat(locales, options),
  PluralRules: (locales: Locales, options?: object) => new Intl.PluralRules(locales, options),
  Collator: (locales: Locales, options?: object) => new Intl.Collator(locales, options),
}

type Locales = string | string[]

/** The same on every machine, independent of its locale. */
const defaultLocale = 'en-US'

const localesOf = ([locales]: Terms): Locales => locales ?? defaultLocale

const dated = (terms: Terms): [Locales, object | undefined] => [localesOf(terms), terms[1] ?? undefined]

/** A number, or with an `n` at its end an integer without bounds. */
function numeric(text = 'NaN'): number | bigint {
  if (!text.endsWith('n')) return Number(text)
  if (text.length > maxIntegerLength) throw new RangeError('An integer given to Intl is too long')
  return BigInt(text.slice(0, -1))
}
