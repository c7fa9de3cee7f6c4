export type Line = ReturnType<typeof createLine>

/** Lets so many pieces of work run at once; the others begin as these end, in the order in which they came. */
export function createLine(most: number) {
  const waiting: (() => void)[] = []
  let free = most
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
