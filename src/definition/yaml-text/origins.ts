import { tokensOf } from '../../lib/json-pointer.ts'
import type { Span } from './yaml-nodes.ts'

type Inside = Readonly<Record<string, Span | undefined>>

/** The notes on a part, as they came: few places are ever asked for. */
interface Origin {
  readonly self: Span
  /** Places of its values, the last of which counts. */
  readonly inside: readonly Inside[]
}

const nothing: Inside = {}

/** Places that the parts of a definition come from. */
export class Origins {
  readonly #origins = new Map<object, Origin>()

  /** Says where an object or a list comes from, and those of its values that stand elsewhere. */
  note<Part extends object>(part: Part, self: Span, inside: Inside = nothing): Part {
    this.#origins.set(part, { self, inside: [inside] })
    return part
  }

  /** Says where one value of a part comes from. */
  noteValue(part: object, key: string, span: Span): void {
    const origin = this.#origins.get(part)
    if (origin) this.#origins.set(part, { ...origin, inside: [...origin.inside, { [key]: span }] })
  }

  /** Says that the values of a part come from others, the last of which wins. */
  merge<Part extends object>(part: Part, ...sources: readonly object[]): Part {
    const known = sources.flatMap((source) => this.#origins.get(source) ?? [])
    const [first] = known
    if (first) this.#origins.set(part, { self: first.self, inside: known.flatMap(({ inside }) => inside) })
    return part
  }

  /** The place of a pointer's target; of what has none, that of what is around it. */
  spanOf(root: unknown, pointer: string): Span {
    let [part, span] = [root, this.#origins.get(Object(root))?.self ?? { start: 0, end: 0 }]
    for (const token of tokensOf(pointer)) {
      if (typeof part !== 'object' || part === null) break
      const inside = this.#origins.get(part)?.inside.findLast((places) => placeIn(places, token))
      part = Object.hasOwn(part, token) ? (part as Readonly<Record<string, unknown>>)[token] : undefined
      span =
        (inside && placeIn(inside, token)) ??
        (typeof part === 'object' && part !== null ? this.#origins.get(part)?.self : undefined) ??
        span
    }
    return span
  }
}

const placeIn = (places: Inside, token: string): Span | undefined =>
  Object.hasOwn(places, token) ? places[token] : undefined
