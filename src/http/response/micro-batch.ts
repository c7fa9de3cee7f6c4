/**
 * Does together what comes up one by one: `later` says when. Requests that came in with one turn of the event loop are
 * then read, worked on and answered step by step for all of them, rather than one after the other, so that each step
 * finds in the caches of the processor what it needs (docs/performance.md). A single item is not delayed.
 */
export function createMicroBatch<Item>(
  later: (work: () => void) => void,
  each: (item: Item) => void,
): (item: Item) => void {
  let waiting: Item[] = []
  function workOff(): void {
    const items = waiting.values()
    waiting = []
    try {
      for (const item of items) each(item)
    } finally {
      // The failure of one must not leave the others behind.
      for (const item of items) add(item)
    }
  }
  function add(item: Item): void {
    if (waiting.length === 0) later(workOff)
    waiting.push(item)
  }
  return add
}
