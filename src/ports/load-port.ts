/** Decides which turns may go on that take longer than one slice of time. */
export interface HeavyTurns {
  /** Whether there is room for one more. Conversations under way are the last to be refused. */
  admit(entry: 'start' | 'continue'): boolean
}

/** Current load of the process. */
export interface Load {
  /** Milliseconds that events wait for their turn, on the average of the last few seconds. */
  readonly delayMs: number
  readonly heapBytes: number
  /** Memory of the whole process, with its threads and all memory outside the heap. */
  readonly rssBytes: number
}
