export interface HistogramOptions {
  readonly name: string
  readonly help: string
  /** Upper bounds, rising. */
  readonly buckets: readonly number[]
}

/** Makes the series of a histogram. */
export interface SeriesFactory {
  /** Called once for each value of a label. Names and values of labels need no escaping. */
  series(label?: readonly [name: string, value: string]): Spread
}

/** One series of a histogram. */
export interface Spread {
  observe(value: number): void
}

/** A histogram that counts in plain numbers, and writes the text format of Prometheus itself. */
export class HotHistogram implements SeriesFactory {
  readonly #options: HistogramOptions
  readonly #series: { readonly label: string; readonly buckets: Buckets }[] = []

  constructor(options: HistogramOptions) {
    this.#options = options
  }

  series(label?: readonly [name: string, value: string]): Spread {
    const buckets = new Buckets(this.#options.buckets)
    this.#series.push({ label: label ? `${label[0]}="${label[1]}"` : '', buckets })
    return buckets
  }

  text(): string {
    const { name, help } = this.#options
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
    for (const { label, buckets } of this.#series) lines.push(...buckets.lines(name, label))
    return `${lines.join('\n')}\n`
  }
}

class Buckets implements Spread {
  readonly #bounds: readonly number[]
  /** Values in each bucket alone; the last one has no bound. */
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

  lines(name: string, label: string): string[] {
    let count = 0
    const buckets = this.#counts.map((own, place) => {
      count += own
      const bound = `le="${this.#bounds[place] ?? '+Inf'}"`
      return `${name}_bucket{${label === '' ? bound : `${bound},${label}`}} ${count}`
    })
    const labels = label === '' ? '' : `{${label}}`
    return [...buckets, `${name}_sum${labels} ${this.#sum}`, `${name}_count${labels} ${count}`]
  }
}
