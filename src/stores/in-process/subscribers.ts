/** Those who want to know when something of a name changes. */
export function createSubscribers() {
  const waiting = new Map<string, Set<() => void>>()
  return {
    add(name: string, wake: () => void): () => void {
      const others = waiting.get(name) ?? new Set()
      // The same function may subscribe twice, and each of them ends by itself.
      const own = () => wake()
      waiting.set(name, others.add(own))
      return () => {
        others.delete(own)
        if (others.size === 0 && waiting.get(name) === others) waiting.delete(name)
      }
    },
    has: (name: string) => waiting.has(name),
    wake(name: string): void {
      if (waiting.size === 0) return
      for (const wake of [...(waiting.get(name) ?? [])]) wake()
    },
  }
}
