import { DueTimes } from '../in-process/due-times.ts'

/** An event by its line. */
export interface InLine {
  readonly line: string
  readonly destination: string
  readonly number: number
}

type LineName = Omit<InLine, 'number'>

/** Lines of one destination. */
interface Lines {
  /** Numbers of those that wait, in order. */
  readonly numbers: Map<string, number[]>
  /** When the first of each line is due: none of a line goes before it. */
  readonly times: DueTimes
}

const none: readonly number[] = []

/** Lines of events that wait, and when the first of each is due. */
export class WaitingLines {
  /** By their destinations. */
  readonly #lines = new Map<string, Lines>()
  readonly #dueOf: (number: number) => number | undefined
  #count = 0

  /** Told when an event is due that has become the first of its line. */
  constructor(dueOf: (number: number) => number | undefined) {
    this.#dueOf = dueOf
  }

  /** How many wait. */
  get count(): number {
    return this.#count
  }

  /** An event waits, or goes on to, and is due at a time. */
  join(event: InLine, due: number): void {
    if (this.#add(event)) this.changed(() => this.#remove(event))
    if (this.of(event)[0] === event.number) this.#schedule(event, due)
  }

  /** Harmless when repeated. */
  leave(event: InLine): void {
    const [first] = this.of(event)
    if (!this.#remove(event)) return
    this.changed(() => this.#add(event))
    if (first !== event.number) return
    const [next] = this.of(event)
    this.#schedule(event, next === undefined ? undefined : this.#dueOf(next))
  }

  /** Drops all lines of a destination. */
  drop(destination: string): void {
    const dropped = this.#lines.get(destination)
    if (!dropped) return
    const count = [...dropped.numbers.values()].reduce((sum, { length }) => sum + length, 0)
    this.#lines.delete(destination)
    this.#count -= count
    this.changed(() => {
      this.#lines.set(destination, dropped)
      this.#count += count
    })
  }

  /** The first ones of lines that are due by now, the earliest first. */
  due(destination: string, now: number, limit: number): readonly number[] {
    const lines = this.#lines.get(destination)
    const due: number[] = []
    for (const [line] of lines?.times.by(now) ?? []) {
      if (due.length === limit) break
      due.push(lines?.numbers.get(line)?.[0] as number)
    }
    return due
  }

  /** Those that wait in a line, the first one first. */
  of({ line, destination }: LineName): readonly number[] {
    return this.#lines.get(destination)?.numbers.get(line) ?? none
  }

  /** Those that wait in a line, whatever their destination. */
  named(line: string): readonly InLine[] {
    return [...this.#lines.keys()].flatMap((destination) =>
      this.of({ line, destination }).map((number) => ({ line, destination, number })),
    )
  }

  /** Called with what takes a change back. */
  protected changed(_undo: () => void): void {}

  /** The first of a line is due at a time; undefined for a line of none. */
  #schedule({ line, destination }: LineName, due: number | undefined): void {
    const times = this.#lines.get(destination)?.times
    const before = times?.get(line)
    if (before === due) return
    times?.set(line, due)
    this.changed(() => times?.set(line, before))
  }

  #add({ line, destination, number }: InLine): boolean {
    const lines = this.#lines.get(destination) ?? { numbers: new Map(), times: new DueTimes() }
    if (lines.numbers.size === 0) this.#lines.set(destination, lines)
    const numbers = lines.numbers.get(line)
    if (numbers) {
      const place = placeOf(numbers, number)
      if (numbers[place] === number) return false
      numbers.splice(place, 0, number)
    } else lines.numbers.set(line, [number])
    this.#count += 1
    return true
  }

  #remove({ line, destination, number }: InLine): boolean {
    const lines = this.#lines.get(destination)
    const numbers = lines?.numbers.get(line)
    const place = numbers ? placeOf(numbers, number) : 0
    if (numbers?.[place] !== number) return false
    if (numbers.length > 1) numbers.splice(place, 1)
    else lines?.numbers.delete(line)
    this.#count -= 1
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
