import { Counter, type Registry } from './prom-client.ts'

/** Creates a counter with one label, each of whose values has a series from the beginning. */
export function createFixedCounter<Label extends string>(
  registry: Registry,
  label: Label,
  values: readonly string[],
  description: { readonly name: string; readonly help: string },
) {
  const counter = new Counter<Label>({ ...description, labelNames: [label], registers: [registry] })
  for (const value of values) counter.labels(value).inc(0)
  return counter
}
