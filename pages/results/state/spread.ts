import { answersTo } from './describe-answers.ts'
import type { Analytics, OutlineBlock, Result } from './wire.ts'

/** One bar of a distribution. */
export interface Bar {
  readonly label: string
  readonly count: number
}

/** How the answers to a question are spread. */
export interface Spread {
  readonly bars: readonly Bar[]
  /** Answers, or choices that were made, together. */
  readonly total: number
  /** Of numbers. */
  readonly average?: number
  /** Whether all conversations of the range count, or the latest that were read. */
  readonly isWhole: boolean
  /** Answers that no bar shows. */
  readonly others: number
}

const mostBars = 12

/** Choices as the service has counted them; undefined for what is no choice, or had none to count. */
export function countedSpread({ id, items }: OutlineBlock, analytics: Analytics): Spread | undefined {
  if (!items) return undefined
  const counts = new Map(
    analytics.items.filter((one) => one.blockId === id && !one.flowId).map((one) => [one.itemId, one.count]),
  )
  const bars = items.map((item) => ({ label: item.words, count: counts.get(item.id) ?? 0 }))
  const total = bars.reduce((sum, { count }) => sum + count, 0)
  return total === 0 ? undefined : { bars, total, isWhole: true, others: 0 }
}

/** Answers of the results that were read: numbers in their order, everything else the most frequent first. */
export function readSpread(block: OutlineBlock, results: readonly Result[]): Spread {
  const said = results.flatMap((result) => answersTo(block, result)).filter((text) => text !== '')
  if (/^(?:number|rating) input$/.test(block.type))
    return numberSpread(said.map(Number).filter(Number.isFinite))
  const counts = new Map<string, number>()
  for (const text of said) counts.set(text, (counts.get(text) ?? 0) + 1)
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  const bars = sorted.slice(0, mostBars).map(([label, count]) => ({ label, count }))
  return withOthers(bars, said.length)
}

function numberSpread(numbers: readonly number[]): Spread {
  if (numbers.length === 0) return withOthers([], 0)
  const average = numbers.reduce((sum, one) => sum + one / numbers.length, 0)
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const width = stepFor(high / 2 - low / 2)
  const first = Math.floor(low / width)
  const indexOf = (number: number) => Math.floor(number / width) - first
  const counts = Array.from({ length: indexOf(high) + 1 }, () => 0)
  for (const number of numbers) counts[indexOf(number)] = (counts[indexOf(number)] ?? 0) + 1
  const isSingle = width === 1 && numbers.every(Number.isInteger)
  const bars = counts.map((count, index) => {
    const from = (first + index) * width
    return { label: isSingle ? String(from) : `${tidy(from)} up to ${tidy(from + width)}`, count }
  })
  return { ...withOthers(bars, numbers.length), average }
}

/** A width of 1, 2 or 5 times a power of ten that makes a dozen bars or so, for half of a range. */
function stepFor(half: number): number {
  const least = (half / mostBars) * 2
  if (!(least > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const width = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10)
  // Of numbers that lie so close to zero that nothing divides by it.
  return Number.isFinite(1 / width) && Number.isFinite(width) ? Math.max(width, half < 1 ? 0 : 1) : 1
}

const tidy = (number: number) => String(Math.round(number * 1e6) / 1e6)

function withOthers(bars: readonly Bar[], total: number): Spread {
  const shown = bars.reduce((sum, { count }) => sum + count, 0)
  return { bars, total, isWhole: false, others: total - shown }
}
