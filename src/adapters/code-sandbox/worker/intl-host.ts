/** Formatters that are kept: making one takes as long as a thousand uses. */
const mostFormatters = 50

/** A formatter with longer terms is not kept. */
const maxKeyLength = 1000

/** Longest request, in characters. */
const maxRequestLength = 2 ** 18

/** Longest integer without bounds: reading one takes the square of its length. */
const maxIntegerLength = 400

type Terms = readonly [locales: string | string[] | null, options: object | null]
type Formatter = Readonly<Record<string, (...args: unknown[]) => unknown>>
type Formatters = Map<string, Formatter>

/**
 * Answers calls of `Intl` from code of a flow, whose own engine does not have it: data in, text out. It never throws, and
 * no object of the host is handed out.
 */
export function createIntlHost(): (request: string) => string {
  const formatters: Formatters = new Map()
  return (request) => {
    try {
      if (request.length > maxRequestLength) throw new RangeError('What is given to Intl is too long')
      const [name, terms, args] = JSON.parse(request) as [string, Terms, string[]]
      const [kind = '', method = ''] = name.split('.')
      const known = kinds.get(kind)
      const value = known ? known(method, terms, { args, formatters }) : others.get(name)?.(terms, args)
      return JSON.stringify({ error: null, value: value ?? null })
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error('Intl failed')
      return JSON.stringify({ error: name, message })
    }
  }
}

interface Constructor {
  new (locales: Locales, options: object | undefined): unknown
  supportedLocalesOf(locales: string | readonly string[]): string[]
}

/** The calls of one kind of formatter, whose methods take arguments that are all read alike. */
function callsOf(Kind: Constructor, methods: readonly string[], read: (text: string | undefined) => unknown) {
  return (
    method: string,
    terms: Terms,
    call: { args: readonly string[]; formatters: Formatters },
  ): unknown => {
    if (method === 'supportedLocalesOf') return Kind.supportedLocalesOf(terms[0] ?? [])
    const formatter = formatterOf(Kind, terms, call.formatters)
    if (method === 'resolvedOptions') return formatter[method]?.()
    return methods.includes(method) ? formatter[method]?.(...call.args.map((text) => read(text))) : undefined
  }
}

function formatterOf(Kind: Constructor & { readonly name?: string }, terms: Terms, formatters: Formatters) {
  const key = JSON.stringify([Kind.name, terms])
  const known = formatters.get(key)
  if (known) return known
  const made = new Kind(localesOf(terms), terms[1] ?? undefined) as Formatter
  if (key.length > maxKeyLength) return made
  const [oldest] = formatters.keys()
  if (formatters.size >= mostFormatters && oldest !== undefined) formatters.delete(oldest)
  formatters.set(key, made)
  return made
}

const dateMethods = ['format', 'formatToParts', 'formatRange', 'formatRangeToParts']

const kinds = new Map([
  ['DateTimeFormat', callsOf(Intl.DateTimeFormat, dateMethods, Number)],
  ['NumberFormat', callsOf(Intl.NumberFormat, ['format', 'formatToParts'], numeric)],
  ['PluralRules', callsOf(Intl.PluralRules, ['select'], Number)],
  ['Collator', callsOf(Intl.Collator, ['compare'], (text = '') => text)],
])

const others = new Map<string, (terms: Terms, args: readonly string[]) => unknown>([
  ['Date.toLocaleString', (terms, [date]) => new Date(Number(date)).toLocaleString(...dated(terms))],
  ['Date.toLocaleDateString', (terms, [date]) => new Date(Number(date)).toLocaleDateString(...dated(terms))],
  ['Date.toLocaleTimeString', (terms, [date]) => new Date(Number(date)).toLocaleTimeString(...dated(terms))],
  ['String.toLocaleLowerCase', (terms, [text = '']) => text.toLocaleLowerCase(localesOf(terms))],
  ['String.toLocaleUpperCase', (terms, [text = '']) => text.toLocaleUpperCase(localesOf(terms))],
])

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
