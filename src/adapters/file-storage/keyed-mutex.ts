/** Runs work under one name one at a time, however the work before it ended. A name without work takes no memory. */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const done = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, done)
    try {
      return await done
    } finally {
      if (last.get(name) === done) last.delete(name)
    }
  }
}
