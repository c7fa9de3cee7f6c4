import { momentInZone } from '../../engine/values/zoned-time.ts'

/** How the times of a table are read. */
export interface TimeTerms {
  /** An IANA name, or an offset. */
  readonly zone: string
  /** Milliseconds since 1970: tables leave out the year of the time at which they were made. */
  readonly madeAt: number
}

/** Editors write dates in the language of their browser. */
const languages = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'sv',
  'da',
  'nb',
  'fi',
  'ro',
  'tr',
  'ru',
  'uk',
  'id',
]

const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/
const clock = /\b(\d{1,2})[:.h](\d\d)(?::\d\d)?(?:\s*([ap])\.?\s?m\b\.?)?/i
const wholeYear = /\b\d{4}\b/
/** Characters of a date, in whatever language. */
const longest = 100
const dayMs = 24 * 60 * 60 * 1000

/** Reads a date of a table, in milliseconds since 1970; undefined for what is none, or might be several. */
export function readMoment(text: string, terms: TimeTerms): number | undefined {
  if (text.length > longest) return undefined
  const plain = text.normalize('NFKC').trim()
  const [, date, time = '00:00', zone = terms.zone] = iso.exec(plain) ?? []
  return date === undefined ? readWords(plain, terms) : momentOf(date, time, zone)
}

/** `Jun 3, 2:15 PM`, `3. Juni 2024, 14:15`. */
function readWords(text: string, { zone, madeAt }: TimeTerms): number | undefined {
  const time = timeIn(text)
  const [year] = wholeYear.exec(text.replace(clock, ' ')) ?? []
  const rest = text.replace(clock, ' ').replace(wholeYear, ' ')
  const days = rest.match(/\d+/g) ?? []
  const months = (rest.match(/\p{L}+/gu) ?? []).flatMap((word) => monthsByWord().get(plainWord(word)) ?? [])
  const [day, month] = [days[0], months[0]]
  if (
    time === undefined ||
    days.length !== 1 ||
    day === undefined ||
    months.length !== 1 ||
    month === undefined
  )
    return undefined
  const momentIn = (inYear: number) => momentOf(`${inYear}-${two(month)}-${two(Number(day))}`, time, zone)
  if (year !== undefined) return momentIn(Number(year))
  const latest = new Date(madeAt + dayMs).getUTCFullYear()
  return [latest, latest - 1].map(momentIn).find((moment) => moment !== undefined && moment <= madeAt + dayMs)
}

function timeIn(text: string): string | undefined {
  const [, hours, minutes, half] = clock.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return undefined
  const isLate = half?.toLowerCase() === 'p'
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isLate ? 12 : 0)
  return hour < 24 && Number(minutes) < 60 ? `${two(hour)}:${minutes}` : undefined
}

/** Undefined for a day that there is not, which would be read as a later one. */
function momentOf(date: string, time: string, zone: string): number | undefined {
  const midnight = Date.parse(`${date}T00:00Z`)
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined
  return momentInZone(`${date}T${time}`, zone)
}

let months: ReadonlyMap<string, number> | undefined

/** The numbers of months by what they are called in some language; without words that mean two. */
function monthsByWord(): ReadonlyMap<string, number> {
  if (months) return months
  const found = new Map<string, number>()
  const ambiguous = new Set<string>()
  for (const language of languages) {
    for (const month of ['short', 'long'] as const) {
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' })
        for (let number = 1; number <= 12; number++) {
          const parts = format.formatToParts(Date.UTC(2024, number - 1, 1))
          const word = plainWord(parts.find(({ type }) => type === 'month')?.value ?? '')
          if ((found.get(word) ?? number) !== number) ambiguous.add(word)
          found.set(word, number)
        }
      }
    }
  }
  for (const word of ambiguous) found.delete(word)
  months = found
  return months
}

const plainWord = (word: string) =>
  word
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()

const two = (number: number) => String(number).padStart(2, '0')
