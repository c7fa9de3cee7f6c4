/** Parts of a flow that have a name. */
export type NamedKind = 'variable' | 'group' | 'edge' | 'block' | 'event'

/** Characters of a text, from `start` to before `end`. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** A place where something is called by its id, or by its name (a group: its title). */
export interface Occurrence extends TextRange {
  readonly kind: NamedKind
  readonly by: 'id' | 'name'
  /** The id or name that stands there. */
  readonly called: string
  readonly isDeclaration: boolean
  /** How a text is written there. */
  readonly form: 'json' | 'code' | 'yaml' | 'yaml quoted' | 'yaml inside'
}

/** Something that a flow declares, with the places of its id and of its name. */
export interface Declared {
  readonly kind: NamedKind
  readonly id: string
  readonly name?: string | undefined
  readonly span: TextRange
}

/** The names in a text. */
export interface NamesOfText {
  readonly occurrences: readonly Occurrence[]
  readonly declared: readonly Declared[]
}

export const noNames: NamesOfText = Object.freeze({ occurrences: [], declared: [] })

/** The nearest name at an offset that a flow declares; also just before it, as the cursor stands there after typing. */
export function meaningAt(
  { occurrences }: NamesOfText,
  { declared }: NamesOfText,
  offset: number,
): { readonly occurrence: Occurrence; readonly meant: Declared } | undefined {
  const [nearest] = occurrences
    .filter(({ start, end }) => start <= offset && offset <= end)
    .flatMap((occurrence) => {
      const { kind, by, called } = occurrence
      const meant = declared.find((one) => one.kind === kind && one[by] === called)
      return meant ? [{ occurrence, meant }] : []
    })
    .sort((a, b) => lengthOf(a.occurrence) - lengthOf(b.occurrence))
  return nearest
}

const lengthOf = ({ start, end }: TextRange) => end - start
