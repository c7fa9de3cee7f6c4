/** Does work under a name once all earlier work under that name is done, however it ended. */
export type KeyedMutex = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Lets nobody work under a name while somebody else does. Names that nobody works under take no room. */
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
