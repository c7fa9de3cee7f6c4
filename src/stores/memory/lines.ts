/** Who is in the middle of something with a key; the others wait behind it. */
export interface Holder {
  readonly id: string
  /** Kept by the line; undefined while none waits. */
  waiting: Next[] | undefined
}

/** Called when its turn has come, and the key is free. True when it has taken the key, else the next one is called. */
export type Next = () => boolean

/** Lets one at a time hold a key, in order of arrival. A key without holder takes no memory. */
export interface Lines<H extends Holder> {
  /** Undefined when the key is free. */
  holderOf(id: string): H | undefined
  /** Takes a key that is free. */
  take(holder: H): void
  /** Waits behind the holder of a key; false when too many do. */
  wait(holder: H, next: Next): boolean
  /** Lets go of a key, and lets the next one have it. Does nothing for one who doesn't hold it. */
  leave(holder: H): void
  /** The keys that are held. */
  holders(): Iterable<H>
}

/** Makes lines for one process, at most `maxWaiting` in each besides the one that holds the key. */
export function createLines<H extends Holder>(maxWaiting: number): Lines<H> {
  const held = new Map<string, H>()
  return {
    holderOf: (id) => held.get(id),
    take: (holder) => void held.set(holder.id, holder),
    wait(holder, next) {
      holder.waiting ??= []
      if (holder.waiting.length >= maxWaiting) return false
      holder.waiting.push(next)
      return true
    },
    leave(holder) {
      const { id, waiting } = holder
      if (held.get(id) !== holder) return
      held.delete(id)
      if (!waiting) return
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (!next()) continue
        const successor = held.get(id)
        if (successor) successor.waiting = waiting
        return
      }
    },
    holders: () => held.values(),
  }
}
