/** Records on their way to a client that reads them at its own pace. */
export interface AsyncQueue {
  push(record: string): void
  /** Nothing more comes. */
  end(): void
  /** Nothing came, and nothing will. */
  refuse(error: unknown): void
  /** Whether something was pushed. */
  readonly isOpen: boolean
  /** Gives the records as soon as there is one; rejects with what they were refused by. */
  readonly opened: Promise<AsyncIterable<string>>
}

/** Creates an empty queue. Its producer bounds what it pushes. */
export function createAsyncQueue(): AsyncQueue {
  const waiting: string[] = []
  let isOpen = false
  let isOver = false
  let wake = () => {}
  let open: (records: AsyncIterable<string>) => void
  let refuse: (error: unknown) => void
  const opened = new Promise<AsyncIterable<string>>((resolve, reject) => {
    open = resolve
    refuse = reject
  })

  async function* read(): AsyncGenerator<string> {
    for (;;) {
      if (waiting.length > 0) yield waiting.splice(0).join('')
      else if (isOver) return
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  }

  return {
    opened,
    get isOpen() {
      return isOpen
    },
    push(record) {
      waiting.push(record)
      wake()
      if (!isOpen) open(read())
      isOpen = true
    },
    end() {
      isOver = true
      wake()
    },
    refuse: (error) => refuse(error),
  }
}
