import { Counter, type Registry } from 'prom-client'
import { createLabelledChildren } from './labelled-children.ts'

/** One series of a counter, incremented by its callers. */
export interface CounterChild {
  count: number
}

export interface Description<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly Label[]
}

/**
 * A counter whose series are plain numbers, which prom-client is told when somebody reads them: it takes 0.12 µs to
 * find a series by its labels, with each count, and a turn is counted several times.
 */
export function createCounter<Label extends string = never>(
  registry: Registry,
  { name, help, labelNames = [] }: Description<Label>,
): (labels: Readonly<Record<Label, string>>) => CounterChild {
  const { all, childOf } = createLabelledChildren<Label, CounterChild>(() => ({ count: 0 }))
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { labels, child } of all()) this.inc(labels, child.count)
    },
  })
  return childOf
}
