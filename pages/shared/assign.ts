import type { Signal } from '@preact/signals'

/** A handler that gives a signal a value. */
export function assign<Value>(signal: Signal<Value>, value: NoInfer<Value>): () => void {
  return () => {
    signal.value = value
  }
}
