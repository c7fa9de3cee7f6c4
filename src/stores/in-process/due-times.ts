/** When a key is due, and the second whose bucket holds it: no later one. */
interface Entry {
  readonly key: string
  due: number
  second: number
}

/** Entries of the same second; in the order of their times where they are sorted. */
interface Bucket {
  entries: Set<Entry>
  isSorted: boolean
}

/**
 * When something is due, by key: in buckets of a second, so that adding and removing one takes the same whatever their number. What is
 * put off stays where it is until its bucket is looked at, as most is put off again before. A bucket is sorted when it is first due.
 */
export class DueTimes {
  readonly #entries = new Map<string, Entry>()
  readonly #seconds = new Map<number, Bucket>()
  /** Nothing is due before. */
  #first = Infinity
  /** The last second that was looked at: nothing in a bucket up to it is put off. */
  #seen = -Infinity

  /** The key is due at a time, in milliseconds, instead of the one before; undefined for never. */
  set(key: string, due: number | undefined): void {
    const entry = this.#entries.get(key)
    if (entry?.due === due) return
    if (due === undefined) {
      if (entry) this.#drop(entry)
      this.#entries.delete(key)
    } else if (!entry) {
      const added = { key, due, second: 0 }
      this.#entries.set(key, added)
      this.#file(added)
    } else {
      entry.due = due
      if (entry.second > this.#seen && secondOf(due) > entry.second) return
      this.#drop(entry)
      this.#file(entry)
    }
  }

  get(key: string): number | undefined {
    return this.#entries.get(key)?.due
  }

  /** The keys that are due by now, the earliest first, with their times. */
  *by(now: number): Generator<readonly [key: string, due: number]> {
    const last = secondOf(now)
    if (last > this.#seen) this.#moveTo(last)
    for (const second of this.#secondsTo(last)) {
      if (!this.#seconds.has(second) && second === this.#first) this.#first = second + 1
      for (const { key, due } of this.#sorted(second)) {
        if (due > now) return
        yield [key, due]
      }
    }
  }

  /** Moves what was put off into the bucket of its second. */
  #moveTo(last: number): void {
    for (const second of this.#secondsTo(last)) {
      for (const entry of this.#seconds.get(second)?.entries ?? []) {
        if (secondOf(entry.due) === second) continue
        this.#drop(entry)
        this.#file(entry)
      }
    }
    this.#seen = last
  }

  #sorted(second: number): Iterable<Entry> {
    const bucket = this.#seconds.get(second)
    if (!bucket) return []
    if (!bucket.isSorted)
      bucket.entries = new Set([...bucket.entries].sort((one, other) => one.due - other.due))
    bucket.isSorted = true
    return bucket.entries
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

  #file(entry: Entry): void {
    const second = secondOf(entry.due)
    entry.second = second
    const bucket = this.#seconds.get(second) ?? { entries: new Set(), isSorted: true }
    bucket.entries.add(entry)
    bucket.isSorted = bucket.entries.size === 1
    this.#seconds.set(second, bucket)
    this.#first = Math.min(this.#first, second)
  }

  #drop(entry: Entry): void {
    const bucket = this.#seconds.get(entry.second)
    bucket?.entries.delete(entry)
    if (bucket?.entries.size === 0) this.#seconds.delete(entry.second)
  }
}

const secondOf = (ms: number) => Math.floor(ms / 1000)
