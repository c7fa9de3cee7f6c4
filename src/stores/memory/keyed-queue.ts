import { ServiceError } from '../../errors.ts'

/** Runs the turns of one key one at a time, in the order of the calls (see `SessionStore.exclusive`). */
export type KeyedQueue = <T>(key: string, turn: () => Promise<T>) => Promise<T>

interface Line {
  /** Settles when the turn that came last is over; undefined while none has come. */
  last: Promise<unknown> | undefined
  /** Turns that run or wait. */
  length: number
}

/** Makes lines of turns for one process, at most `maxQueuedTurns` waiting in each. A line goes with its last turn. */
export function createKeyedQueue(maxQueuedTurns: number): KeyedQueue {
  const lines = new Map<string, Line>()
  return async (key, turn) => {
    const line = lines.get(key) ?? { last: undefined, length: 0 }
    if (line.length > maxQueuedTurns) {
      throw new ServiceError('TOO_MANY_REQUESTS', 'Too many requests are waiting for this session')
    }
    lines.set(key, line)
    line.length += 1
    try {
      const next = () => turn()
      const done = line.last ? line.last.then(next, next) : turn()
      line.last = done
      return await done
    } finally {
      line.length -= 1
      if (line.length === 0) lines.delete(key)
    }
  }
}
