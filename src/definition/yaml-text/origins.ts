import { tokensOf } from '../../lib/json-pointer.ts'
import type { Span } from './yaml-nodes.ts'

interface Origin {
  readonly self: Span
  readonly inside: Map<string, Span>
}

/** Places that the parts of a definition come from. */
export class Origins {
  readonly #origins = new Map<object, Origin>()

  /** Says where an object or a list comes from, and those of its values that stand elsewhere. */
  note<Part extends object>(
    part: Part,
    self: Span,
    inside: Readonly<Record<string, Span | undefined>> = {},
  ): Part {
    const places = new Map<string, Span>()
    for (const [key, span] of Object.entries(inside)) if (span) places.set(key, span)
    this.#origins.set(part, { self, inside: places })
    return part
  }

  /** Says where one value of a part comes from. */
  noteValue(part: object, key: string, span: Span): void {
    this.#origins.get(part)?.inside.set(key, span)
  }

  /** Says that the values of a part come from others, the last of which wins. */
  merge<Part extends object>(part: Part, ...sources: readonly object[]): Part {
    const known = sources.flatMap((source) => this.#origins.get(source) ?? [])
    const [first] = known
    if (!first) return part
    const inside = new Map(known.flatMap((origin) => [...origin.inside]))
    this.#origins.set(part, { self: first.self, inside })
    return part
  }

  /** The place of a pointer's target; of what has none, that of what is around it. */
  spanOf(root: unknown, pointer: string): Span {
    let [part, span] = [root, this.#origins.get(Object(root))?.self ?? { start: 0, end: 0 }]
    for (const token of tokensOf(pointer)) {
      if (typeof part !== 'object' || part === null) break
      const inside = this.#origins.get(part)?.inside.get(token)
      part = Object.hasOwn(part, token) ? (part as Readonly<Record<string, unknown>>)[token] : undefined
      span =
        inside ??
        (typeof part === 'object' && part !== null ? this.#origins.get(part)?.self : undefined) ??
        span
    }
    return span
  }
}
