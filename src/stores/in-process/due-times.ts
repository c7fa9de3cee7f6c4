/** Keys that are due in the same second, with their times; in the order of these where it is sorted. */
interface Bucket {
  times: Map<string, number>
  isSorted: boolean
}

/**
 * When something is due, by key: in buckets of a second, so that adding and removing one takes the same whatever their number. One
 * is sorted when it is first due.
 */
export class DueTimes {
  readonly #times = new Map<string, number>()
  readonly #seconds = new Map<number, Bucket>()
  /** Nothing is due before. */
  #first = Infinity

  /** The key is due at a time, in milliseconds, instead of the one before; undefined for never. */
  set(key: string, due: number | undefined): void {
    const before = this.#times.get(key)
    if (before === due) return
    if (before !== undefined) this.#drop(key, secondOf(before))
    if (due === undefined) return void this.#times.delete(key)
    this.#times.set(key, due)
    const second = secondOf(due)
    const bucket = this.#seconds.get(second) ?? { times: new Map(), isSorted: true }
    bucket.times.set(key, due)
    bucket.isSorted = bucket.times.size === 1
    this.#seconds.set(second, bucket)
    this.#first = Math.min(this.#first, second)
  }

  get(key: string): number | undefined {
    return this.#times.get(key)
  }

  /** The keys that are due by now, the earliest first, with their times. */
  *by(now: number): Generator<readonly [key: string, due: number]> {
    for (const second of this.#secondsTo(secondOf(now))) {
      if (!this.#seconds.has(second) && second === this.#first) this.#first = second + 1
      for (const one of this.#sorted(second)) {
        if (one[1] > now) return
        yield one
      }
    }
  }

  #sorted(second: number): Iterable<readonly [key: string, due: number]> {
    const bucket = this.#seconds.get(second)
    if (!bucket) return []
    if (!bucket.isSorted) bucket.times = new Map([...bucket.times].sort(([, one], [, other]) => one - other))
    bucket.isSorted = true
    return bucket.times
  }

  /** A clock that went on by a year is not followed second by second. */
  *#secondsTo(last: number): Generator<number> {
    if (last - this.#first <= this.#seconds.size) {
      for (let second = this.#first; second <= last; second++) yield second
      return
    }
    const past = [...this.#seconds.keys()].filter((second) => second <= last)
    past.sort((one, other) => one - other)
    this.#first = past[0] ?? last + 1
    yield* past
  }

  #drop(key: string, second: number): void {
    const bucket = this.#seconds.get(second)
    bucket?.times.delete(key)
    if (bucket?.times.size === 0) this.#seconds.delete(second)
  }
}

const secondOf = (ms: number) => Math.floor(ms / 1000)
