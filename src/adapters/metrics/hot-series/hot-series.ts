import { Counter, type Registry } from '../prom-client.ts'
import { type HistogramOptions, HotHistogram, type SeriesFactory } from './hot-histogram.ts'

/** One series of a counter: add to it. */
export interface CounterSeries {
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
  counter<Label extends string>(options: CounterOptions<Label>): (labels: Labels<Label>) => CounterSeries
  histogram(options: HistogramOptions): SeriesFactory
  /** The text of the registry and of the histograms. */
  text(): Promise<string>
}

export function createHotSeries(registry: Registry): HotSeries {
  const histograms: HotHistogram[] = []
  return {
    counter<Label extends string>(options: CounterOptions<Label>) {
      const tallies: { labels: Labels<Label>; tally: CounterSeries }[] = []
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
