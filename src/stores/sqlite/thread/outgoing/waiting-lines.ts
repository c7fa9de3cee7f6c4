import type { Database } from '../binding.ts'

/** An event by its line. */
export interface InLine {
  readonly line: string
  readonly destination: string
  readonly number: number
}

type LineName = Omit<InLine, 'number'>

interface Waiting extends InLine {
  readonly due: number
}

interface Line {
  /** Of those that wait, in order. */
  readonly numbers: number[]
  /** None of them is due later. */
  latest: number
}

const none: readonly number[] = []

/**
 * Lines of events that wait, in memory: an index of them in the file has each line in a place of its own, which made every
 * turn write a page more. It is read anew when the folder is opened, and follows transactions.
 */
export class WaitingLines {
  /** By their destinations. */
  readonly #lines = new Map<string, Map<string, Line>>()
  /** Undoes the transaction, from its end. */
  #undo: (() => void)[] = []

  constructor(database: Database, table: 'outbox' | 'inbox') {
    const waiting = database.prepare(
      `SELECT number, line, destination, due FROM ${table} WHERE due IS NOT NULL ORDER BY number`,
    )
    for (const event of waiting.all<Waiting>()) this.#add(event, event.due)
  }

  /** Harmless when repeated. */
  join(event: InLine, due: number): void {
    if (this.#add(event, due)) this.#undo.push(() => this.#remove(event))
  }

  /** Harmless when repeated. */
  leave(event: InLine): void {
    const latest = this.latest(event)
    if (this.#remove(event)) this.#undo.push(() => this.#add(event, latest))
  }

  /** Drops all lines of a destination. */
  drop(destination: string): void {
    const dropped = this.#lines.get(destination)
    if (!dropped) return
    this.#lines.delete(destination)
    this.#undo.push(() => this.#lines.set(destination, dropped))
  }

  /** Those that wait in a line, the first one first. */
  of(name: LineName): readonly number[] {
    return this.#find(name)?.numbers ?? none
  }

  /** When the latest one of a line is due, or a time after that; 0 for an empty one. */
  latest(name: LineName): number {
    return this.#find(name)?.latest ?? 0
  }

  /** One of a line is due at a time. */
  raise(name: LineName, due: number): void {
    const line = this.#find(name)
    if (line) line.latest = Math.max(line.latest, due)
  }

  /** All of a line are due at a time or before it. */
  lower(name: LineName, due: number): void {
    const line = this.#find(name)
    if (!line) return
    const { latest } = line
    line.latest = due
    this.#undo.push(() => this.raise(name, latest))
  }

  /** Those that wait behind one, which may wait no more. */
  behind(event: InLine): readonly number[] {
    const numbers = this.of(event)
    return numbers.slice(placeOf(numbers, event.number + 1))
  }

  /** Those that wait in a line, whatever their destination. */
  named(line: string): readonly InLine[] {
    return [...this.#lines.keys()].flatMap((destination) =>
      this.of({ line, destination }).map((number) => ({ line, destination, number })),
    )
  }

  confirm(): void {
    if (this.#undo.length > 0) this.#undo = []
  }

  revert(): void {
    for (const undo of this.#undo.reverse()) undo()
    this.#undo = []
  }

  #find({ line, destination }: LineName): Line | undefined {
    return this.#lines.get(destination)?.get(line)
  }

  #add({ line: name, destination, number }: InLine, due: number): boolean {
    const lines = this.#lines.get(destination) ?? new Map<string, Line>()
    if (lines.size === 0) this.#lines.set(destination, lines)
    const line = lines.get(name)
    if (!line) {
      lines.set(name, { numbers: [number], latest: due })
      return true
    }
    const { numbers } = line
    line.latest = Math.max(line.latest, due)
    const place = placeOf(numbers, number)
    if (numbers[place] === number) return false
    numbers.splice(place, 0, number)
    return true
  }

  #remove({ number, ...name }: InLine): boolean {
    const numbers = this.#find(name)?.numbers
    const place = numbers ? placeOf(numbers, number) : 0
    if (numbers?.[place] !== number) return false
    if (numbers.length > 1) numbers.splice(place, 1)
    else this.#lines.get(name.destination)?.delete(name.line)
    return true
  }
}

/** Where a number is in a line, or belongs: most are its first or come last. */
function placeOf(numbers: readonly number[], number: number): number {
  if ((numbers[0] ?? number) >= number) return 0
  let [low, high] = [0, numbers.length]
  if (numbers[high - 1]! < number) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}
