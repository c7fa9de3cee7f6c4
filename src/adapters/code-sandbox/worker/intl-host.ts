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
type Method = (intl: FormatterCache, terms: Terms, args: readonly string[]) => unknown

/**
 * Answers calls of `Intl` from code of a flow, whose own engine does not have it: data in, text out. It never throws, and
 * no object of the host is handed out.
 */
export function createIntlHost(): (request: string) => string {
  const formatters = new FormatterCache()
  return (request) => {
    try {
      if (request.length > maxRequestLength) throw new RangeError('What is given to Intl is too long')
      const [name, terms, args] = JSON.parse(request) as [string, Terms, string[]]
      return JSON.stringify({ error: null, value: methods.get(name)?.(formatters, terms, args) ?? null })
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error('Intl failed')
      return JSON.stringify({ error: name, message })
    }
  }
}

class FormatterCache {
  readonly #formatters = new Map<string, Formatter>()

  dates(terms: Terms): Intl.DateTimeFormat {
    return this.#get('DateTimeFormat', terms)
  }

  numbers(terms: Terms): Intl.NumberFormat {
    return this.#get('NumberFormat', terms)
  }

  plurals(terms: Terms): Intl.PluralRules {
    return this.#get('PluralRules', terms)
  }

  collators(terms: Terms): Intl.Collator {
    return this.#get('Collator', terms)
  }

  #get<Kind extends Formatter>(kind: keyof typeof constructors, terms: Terms): Kind {
    const key = JSON.stringify([kind, terms])
    const known = this.#formatters.get(key)
    if (known) return known as Kind
    const made = constructors[kind](localesOf(terms), terms[1] ?? undefined)
    if (key.length > maxKeyLength) return made as Kind
    const [oldest] = this.#formatters.keys()
    if (this.#formatters.size >= mostFormatters && oldest !== undefined) this.#formatters.delete(oldest)
    this.#formatters.set(key, made)
    return made as Kind
  }
}

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['DateTimeFormat.format', (intl, terms, [date]) => intl.dates(terms).format(Number(date))],
  ['DateTimeFormat.formatToParts', (intl, terms, [date]) => intl.dates(terms).formatToParts(Number(date))],
  [
    'DateTimeFormat.formatRange',
    (intl, terms, [from, to]) => intl.dates(terms).formatRange(Number(from), Number(to)),
  ],
  [
    'DateTimeFormat.formatRangeToParts',
    (intl, terms, [from, to]) => intl.dates(terms).formatRangeToParts(Number(from), Number(to)),
  ],
  ['DateTimeFormat.resolvedOptions', (intl, terms) => intl.dates(terms).resolvedOptions()],
  [
    'DateTimeFormat.supportedLocalesOf',
    (_intl, [locales]) => Intl.DateTimeFormat.supportedLocalesOf(locales ?? []),
  ],
  ['NumberFormat.format', (intl, terms, [number]) => intl.numbers(terms).format(numeric(number))],
  [
    'NumberFormat.formatToParts',
    (intl, terms, [number]) => intl.numbers(terms).formatToParts(numeric(number)),
  ],
  ['NumberFormat.resolvedOptions', (intl, terms) => intl.numbers(terms).resolvedOptions()],
  [
    'NumberFormat.supportedLocalesOf',
    (_intl, [locales]) => Intl.NumberFormat.supportedLocalesOf(locales ?? []),
  ],
  ['PluralRules.select', (intl, terms, [number]) => intl.plurals(terms).select(Number(number))],
  ['PluralRules.resolvedOptions', (intl, terms) => intl.plurals(terms).resolvedOptions()],
  [
    'PluralRules.supportedLocalesOf',
    (_intl, [locales]) => Intl.PluralRules.supportedLocalesOf(locales ?? []),
  ],
  ['Collator.compare', (intl, terms, [left = '', right = '']) => intl.collators(terms).compare(left, right)],
  ['Collator.resolvedOptions', (intl, terms) => intl.collators(terms).resolvedOptions()],
  ['Collator.supportedLocalesOf', (_intl, [locales]) => Intl.Collator.supportedLocalesOf(locales ?? [])],
  ['Date.toLocaleString', (_intl, terms, [date]) => new Date(Number(date)).toLocaleString(...dated(terms))],
  [
    'Date.toLocaleDateString',
    (_intl, terms, [date]) => new Date(Number(date)).toLocaleDateString(...dated(terms)),
  ],
  [
    'Date.toLocaleTimeString',
    (_intl, terms, [date]) => new Date(Number(date)).toLocaleTimeString(...dated(terms)),
  ],
  ['String.toLocaleLowerCase', (_intl, terms, [text = '']) => text.toLocaleLowerCase(localesOf(terms))],
  ['String.toLocaleUpperCase', (_intl, terms, [text = '']) => text.toLocaleUpperCase(localesOf(terms))],
])

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
