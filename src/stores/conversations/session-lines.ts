/** A place in the line of an id, from its arrival until it leaves. */
export class Place {
  readonly id: string
  /** Resolves once it is the first in line; undefined for one that found the line empty. */
  readonly turn: Promise<void> | undefined = undefined
  call: (() => void) | undefined = undefined
  refuse: ((error: Error) => void) | undefined = undefined

  constructor(id: string, isFirst: boolean) {
    this.id = id
    if (isFirst) return
    this.turn = new Promise((resolve, reject) => {
      this.call = resolve
      this.refuse = reject
    })
    // One that is answered otherwise waits for nothing.
    this.turn.catch(() => undefined)
  }
}

/** The requests of this process for each id, in order of arrival. An id that nobody wants takes no memory. */
export class Lines {
  readonly #maxWaiting: number
  readonly #lines = new Map<string, Place[]>()

  /** At most so many wait in each line, besides the first. */
  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  isFree(id: string): boolean {
    return !this.#lines.has(id)
  }

  /** Takes the last place; undefined where too many wait. */
  join(id: string): Place | undefined {
    const line = this.#lines.get(id)
    const place = new Place(id, !line)
    if (!line) this.#lines.set(id, [place])
    else if (line.length <= this.#maxWaiting) line.push(place)
    else return undefined
    return place
  }

  leave(place: Place): void {
    const line = this.#lines.get(place.id) ?? []
    const index = line.indexOf(place)
    if (index === -1) return
    line.splice(index, 1)
    if (line.length === 0) this.#lines.delete(place.id)
    else if (index === 0) line[0]?.call?.()
  }

  /** Refuses all that wait. */
  refuseWaiting(error: Error): void {
    for (const line of this.#lines.values()) for (const place of line) place.refuse?.(error)
  }
}
