/** Does work under a name once all earlier work under that name is done, however it ended. */
export type KeyedMutex = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Runs work under one name one at a time. A name without work takes no memory. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const done = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, done)
    try {
      return await done
    } finally {
      if (last.get(name) === done) last.delete(name)
    }
  }
}
