/** Records on their way to a client that reads them at its own pace. Their producer bounds what it pushes. */
export class AsyncQueue {
  /** Gives the records as soon as there is one; rejects with what they were refused by. */
  readonly opened: Promise<AsyncIterable<string>>
  /** Whether something was pushed. */
  isOpen = false
  #open: (records: AsyncIterable<string>) => void = () => {}
  #refuse: (error: unknown) => void = () => {}
  #wake = () => {}
  #isOver = false
  readonly #waiting: string[] = []

  constructor() {
    this.opened = new Promise((resolve, reject) => {
      this.#open = resolve
      this.#refuse = reject
    })
  }

  push(record: string): void {
    this.#waiting.push(record)
    this.#wake()
    if (!this.isOpen) this.#open(this.#read())
    this.isOpen = true
  }

  /** Nothing more comes. */
  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /** Nothing came, and nothing will. */
  refuse(error: unknown): void {
    this.#refuse(error)
  }

  async *#read(): AsyncGenerator<string> {
    for (;;) {
      if (this.#waiting.length > 0) yield this.#waiting.splice(0).join('')
      else if (this.#isOver) return
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
  }
}
