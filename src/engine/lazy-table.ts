/** Things by id, as far as a program looks for them. */
export interface Table<Value> {
  get(id: string): Value | undefined
  has(id: string): boolean
  /** All of them, in the order of the definition. */
  values(): Iterable<Value>
}

/**
 * Makes each thing when it is first asked for, and never again: a draft of a thousand groups is started with every
 * keystroke of its author, and a start meets a few of them.
 */
export class LazyTable<Source, Value> implements Table<Value> {
  readonly #listSources: () => Map<string, Source>
  readonly #make: (source: Source, id: string) => Value
  readonly #made = new Map<string, Value>()
  #sources: Map<string, Source> | undefined

  constructor(listSources: () => Map<string, Source>, make: (source: Source, id: string) => Value) {
    this.#listSources = listSources
    this.#make = make
  }

  get(id: string): Value | undefined {
    const known = this.#made.get(id)
    if (known !== undefined) return known
    const source = this.#known().get(id)
    if (source === undefined) return undefined
    const made = this.#make(source, id)
    this.#made.set(id, made)
    return made
  }

  has(id: string): boolean {
    return this.#known().has(id)
  }

  *values(): Generator<Value> {
    for (const id of this.#known().keys()) yield this.get(id) as Value
  }

  #known(): Map<string, Source> {
    this.#sources ??= this.#listSources()
    return this.#sources
  }
}

/** The items by their ids; of several with one id the first. */
export function firstById<Item extends { readonly id: string }>(items: Iterable<Item>): Map<string, Item> {
  const byId = new Map<string, Item>()
  for (const item of items) if (!byId.has(item.id)) byId.set(item.id, item)
  return byId
}
