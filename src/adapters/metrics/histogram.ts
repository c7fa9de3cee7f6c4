import type { Histogram, Registry } from 'prom-client'
import type { Description } from './counter.ts'
import { createLabelledChildren } from './labelled-children.ts'

/** One series of a histogram. */
export interface HistogramChild {
  observe(value: number): void
}

interface HistogramDescription<Label extends string> extends Description<Label> {
  /** The upper bounds of the buckets, rising. */
  readonly buckets: readonly number[]
}

/** As `createCounter`; an observation by prom-client takes 0.24 µs. */
export function createHistogram<Label extends string = never>(
  registry: Registry,
  { name, help, buckets }: HistogramDescription<Label>,
): (labels: Readonly<Record<Label, string>>) => HistogramChild {
  const { all, childOf } = createLabelledChildren<Label, Buckets>(() => new Buckets(buckets))
  const get = async () => {
    const values = [...all()].flatMap(({ labels, child }) => child.samples(name, labels))
    return { name, help, type: 'histogram', values }
  }
  // A registry takes no more of its metrics than this.
  registry.registerMetric({ name, get } as unknown as Histogram)
  return childOf
}

class Buckets implements HistogramChild {
  readonly #bounds: readonly number[]
  /** How many values are in each bucket alone; the last one has no bound. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array(bounds.length + 1).fill(0)
  }

  observe(value: number): void {
    const bounds = this.#bounds
    let place = 0
    while (place < bounds.length && value > (bounds[place] as number)) place += 1
    ;(this.#counts[place] as number) += 1
    this.#sum += value
  }

  samples(name: string, labels: Readonly<Record<string, string>>) {
    let count = 0
    const buckets = this.#counts.map((own, place) => {
      count += own
      const le = this.#bounds[place] ?? '+Inf'
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }
}
