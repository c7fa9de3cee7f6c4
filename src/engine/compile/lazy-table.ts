/** Things by id, as far as a program looks for them. */
export interface TableById<Value> {
  get(id: string): Value | undefined
  has(id: string): boolean
  /** All of them, in the order of the definition. */
  values(): Iterable<Value>
  /** Their ids, in the same order; nothing is made for it. */
  ids(): readonly string[]
}

/**
 * Makes each thing when it is first asked for, and never again, and looks no further for it than it has to: a draft of a
 * thousand groups is started with every keystroke of its author, and a start meets a few of them.
 */
export class LazyTable<Source, Value> implements TableById<Value> {
  readonly #sources: Iterator<readonly [id: string, source: Source]>
  readonly #make: (source: Source, id: string) => Value
  readonly #made = new Map<string, Value>()
  /** Sources read so far; of several with one id the first. */
  readonly #found = new Map<string, Source>()

  /** The sources are in the order of the definition. */
  constructor(
    sources: Iterable<readonly [id: string, source: Source]>,
    make: (source: Source, id: string) => Value,
  ) {
    this.#sources = sources[Symbol.iterator]()
    this.#make = make
  }

  get(id: string): Value | undefined {
    const known = this.#made.get(id)
    if (known !== undefined) return known
    const source = this.#find(id)
    if (source === undefined) return undefined
    const made = this.#make(source, id)
    this.#made.set(id, made)
    return made
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined
  }

  ids(): readonly string[] {
    this.#goOn(undefined)
    return [...this.#found.keys()]
  }

  *values(): Generator<Value> {
    this.#goOn(undefined)
    for (const id of this.#found.keys()) yield this.get(id) as Value
  }

  #find(id: string): Source | undefined {
    return this.#found.get(id) ?? this.#goOn(id)
  }

  /** Goes through the list as far as it has to. */
  #goOn(wanted: string | undefined): Source | undefined {
    for (let next = this.#sources.next(); !next.done; next = this.#sources.next()) {
      const [id, source] = next.value
      if (this.#found.has(id)) continue
      this.#found.set(id, source)
      if (id === wanted) return source
    }
    return undefined
  }
}

/** The items by their ids; of several with one id the first. */
export function firstById<Item extends { readonly id: string }>(items: Iterable<Item>): Map<string, Item> {
  const byId = new Map<string, Item>()
  for (const item of items) if (!byId.has(item.id)) byId.set(item.id, item)
  return byId
}
