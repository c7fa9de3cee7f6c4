import { unmasking } from '../../engine/values/sensitive-values.ts'
import { characterOf } from '../counts/path-bits.ts'
import type { PathFilter, Result, ResultFilter, ResultVisit } from '../result-store.ts'
import { readResult } from './result-codec.ts'
import { textsOf } from './searched-texts.ts'

/** Results that one request for a text reads at most; the next page goes on behind them. */
export const mostScanned = 2000

/** Results of which a database compares all that they hold with a text for one request, and their bytes. */
export const mostSearched = { results: 10_000, bytes: 8 * 1024 * 1024 }

/** The same for what is told without reading them. */
export const mostPassed = 20_000

/** Whether a result was created within the times that are asked for. */
export function isWithin(createdAt: number, { from = -Infinity, until = Infinity }: ResultFilter): boolean {
  return createdAt >= from && createdAt < until
}

/** Whether a filter asks how far conversations have come. */
export const asksForVisit = ({ paths, cohort, place, waiting }: ResultFilter): boolean =>
  Boolean(paths ?? cohort ?? place ?? waiting)

/** Tells visits that a filter asks for. */
export function visitTest({
  paths,
  cohort = [],
  place,
  waiting,
}: ResultFilter): (visit: ResultVisit) => boolean {
  const tests = paths?.map(pathTest)
  return (visit) =>
    (tests?.some((test) => test(visit)) ?? true) &&
    cohort.every((part) => visit.cohort.includes(part)) &&
    (place === undefined || visit.place === place) &&
    (waiting === undefined || visit.askedAt >= waiting.since === waiting.is)
}

function pathTest({ versions, through, without }: PathFilter): (visit: ResultVisit) => boolean {
  const wanted = new Set(versions)
  const has = through.map(characterOf)
  const hasNot = without.map(characterOf)
  return ({ version, path }) =>
    wanted.has(version) &&
    has.every(({ at, oneOf }) => oneOf.includes(path.charAt(at))) &&
    !hasNot.some(({ at, oneOf }) => oneOf.includes(path.charAt(at)))
}

/** Finds the results that hold a text. */
interface TextSearch {
  /** False only for a result without the text: reading it can then be spared. Takes what `writeResult` wrote. */
  mayMatch(text: string): boolean
  matches(result: Result): boolean
}

/**
 * Reads the results that hold the texts of a filter from what `writeResult` wrote, or what has the same texts as JSON and is
 * read otherwise; undefined for the others.
 */
export function readerFor({
  answer,
  answeredAt,
  text,
  hidesMasked = false,
}: ResultFilter): (written: string, read?: () => Result) => Result | undefined {
  const searches = [
    ...(answer === undefined ? [] : [answerSearch(fold(answer), answeredAt)]),
    ...(text === undefined ? [] : [partSearch(text.toLowerCase(), hidesMasked)]),
  ]
  return (written, read = () => readResult(written)) => {
    if (!searches.every(({ mayMatch }) => mayMatch(written))) return undefined
    const result = read()
    return searches.every(({ matches }) => matches(result)) ? result : undefined
  }
}

const answerSearch = (sought: string, answeredAt: string | undefined): TextSearch => ({
  mayMatch: includesWritten(sought),
  matches({ answers, masked = [] }) {
    const whole = unmasking(masked)
    return answers.some(({ blockId, content }) => {
      const said = whole(content)
      if (answeredAt === undefined) return fold(said) === sought
      return blockId === answeredAt && [said, ...said.split(', ')].some((one) => fold(one) === sought)
    })
  },
})

const partSearch = (sought: string, hidesMasked: boolean): TextSearch => ({
  mayMatch: includesWritten(sought),
  matches({ answers, variables, masked = [] }) {
    const whole = unmasking(hidesMasked ? [] : masked)
    const isFound = (text: string) => whole(text).toLowerCase().includes(sought)
    return (
      answers.some(({ content }) => isFound(content)) ||
      variables.some(({ value }) => textsOf(value).some(isFound))
    )
  },
})

function includesWritten(sought: string): (text: string) => boolean {
  const asWritten = JSON.stringify(sought).slice(1, -1)
  // Of a text, a part may stand beside it.
  return (text) => text.includes('"mark":"') || text.toLowerCase().includes(asWritten)
}

const fold = (text: string) => text.trim().toLowerCase()

/** The texts of a filter as `searchedTexts` has them: each is within those of every result that it finds. */
export const soughtTexts = ({ answer, text }: ResultFilter): readonly string[] => [
  ...(answer === undefined ? [] : [fold(answer)]),
  ...(text === undefined ? [] : [text.toLowerCase()]),
]
