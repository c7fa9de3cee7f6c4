/** Decides which turns may go on that take longer than one slice of time. */
export interface HeavyTurns {
  /** Whether there is room for one more. Conversations under way are the last to be refused. */
  admit(entry: 'start' | 'continue'): boolean
}

/** How much of what the process can bear it has to do, each from 0 to 1. */
export interface LoadShares {
  readonly loop: number
  readonly memory: number
  readonly queue: number
}

/** Current load of the process. */
export interface Load {
  /** Milliseconds that events wait for their turn, on the average of the last few seconds. */
  readonly delayMs: number
  readonly heapBytes: number
  /** Memory of the whole process, with its threads and all memory outside the heap. */
  readonly rssBytes: number
}

export interface MeasuredLoad extends Load {
  /** Share of the last seconds in which the event loop was busy, from 0 to 1. */
  readonly utilization: number
}
