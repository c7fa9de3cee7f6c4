import type { Flow } from '../../../schemas/flow.ts'

/** A part of a definition that asks for silence: `"lint": {"ignore": ["code"]}`. */
interface Suppression {
  /** Place of the code. */
  readonly pointer: string
  readonly code: string
  /** Of the part that is spared, with everything inside. */
  readonly owner: string
}

/** The suppressions of a definition: in blocks, and in groups, edges, events and variables. */
export function suppressionsOf({ groups, edges, events, variables }: Flow): Suppression[] {
  const blocks = groups.flatMap((group, index) =>
    group.blocks.flatMap((block, at) => ignoredIn(block, () => `/groups/${index}/blocks/${at}`)),
  )
  const lists = { groups, edges, events, variables }
  const others = Object.entries(lists).flatMap(([name, list]) =>
    (list as readonly object[]).flatMap((part, index) => ignoredIn(part, () => `/${name}/${index}`)),
  )
  return [...blocks, ...others]
}

const none: readonly Suppression[] = []

function ignoredIn(part: object, place: () => string): readonly Suppression[] {
  const { lint } = part as { lint?: { ignore?: unknown } | null }
  const ignore = lint?.ignore
  if (!Array.isArray(ignore)) return none
  const owner = place()
  return ignore.flatMap((code, index) =>
    typeof code === 'string' ? [{ pointer: `${owner}/lint/ignore/${index}`, code, owner }] : [],
  )
}

/** Decides which findings are suppressed, and remembers what was of use. */
export class SuppressionIndex {
  readonly #byPlace = new Map<string, Suppression>()
  /** Those that say again what another says. */
  readonly #repeated: Suppression[] = []
  readonly #used = new Set<Suppression>()

  constructor(suppressions: readonly Suppression[]) {
    for (const suppression of suppressions) {
      const key = `${suppression.code} ${suppression.owner}`
      if (this.#byPlace.has(key)) this.#repeated.push(suppression)
      else this.#byPlace.set(key, suppression)
    }
  }

  /** Whether a part at the pointer or around it asks for silence about this rule. */
  covers(code: string, pointer: string): boolean {
    const owners = [/^\/[a-z]+\/\d+/.exec(pointer)?.[0], /^\/groups\/\d+\/blocks\/\d+/.exec(pointer)?.[0]]
    const found = owners.flatMap((owner) => this.#byPlace.get(`${code} ${owner}`) ?? [])
    for (const suppression of found) this.#used.add(suppression)
    return found.length > 0
  }

  /** Those that have not covered anything. */
  unused(): Suppression[] {
    return [...this.#byPlace.values()]
      .filter((suppression) => !this.#used.has(suppression))
      .concat(this.#repeated)
  }
}
