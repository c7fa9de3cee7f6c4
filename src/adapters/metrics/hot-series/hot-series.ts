import { Counter, type Registry } from '../prom-client.ts'
import { type Histogram, type HistogramOptions, HotHistogram } from './hot-histogram.ts'

/** One series of a counter: add to it. */
export interface Tally {
  count: number
}

interface CounterOptions<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Label[]
}

type Labels<Label extends string> = Readonly<Record<Label, string>>

/** Makes the metrics that every request counts in (README.md), beside those of a registry. */
export interface HotSeries {
  /** Returns what finds a series of a counter: to be called once for each series. */
  counter<Label extends string>(options: CounterOptions<Label>): (labels: Labels<Label>) => Tally
  histogram(options: HistogramOptions): Histogram
  /** The text of the registry and of the histograms. */
  text(): Promise<string>
}

export function createHotSeries(registry: Registry): HotSeries {
  const histograms: HotHistogram[] = []
  return {
    counter<Label extends string>(options: CounterOptions<Label>) {
      const tallies: { labels: Labels<Label>; tally: Tally }[] = []
      new Counter<Label>({
        ...options,
        registers: [registry],
        collect() {
          this.reset()
          for (const { labels, tally } of tallies) this.inc(labels, tally.count)
        },
      })
      return (labels: Labels<Label>) => {
        const tally = { count: 0 }
        tallies.push({ labels, tally })
        return tally
      }
    },
    histogram(options) {
      const histogram = new HotHistogram(options)
      histograms.push(histogram)
      return histogram
    },
    async text() {
      const others = await registry.metrics()
      return [others, ...histograms.map((histogram) => histogram.text())].join('\n')
    },
  }
}
