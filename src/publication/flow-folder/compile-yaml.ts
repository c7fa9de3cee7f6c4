import { readFlowText, yamlEnding } from '../../definition/read-flow-text.ts'

/** A flow in YAML, as JSON or with why it is none, and the places of what was asked for. */
export interface CompiledYaml {
  /** Undefined where there are problems. */
  readonly json: string | undefined
  readonly problems: readonly { readonly message: string; readonly place: string }[]
  /** Places as `line:column`, in the order of the pointers. */
  readonly places: readonly string[]
}

/** Compiles a text, and finds the places that JSON pointers into its definition lead to. Never throws. */
export function compileYaml(text: string, pointers: readonly string[]): CompiledYaml {
  const { definition, problems, rangeOf } = readFlowText(yamlEnding, text)
  return {
    json: problems.length === 0 ? JSON.stringify(definition) : undefined,
    problems: problems.map(({ message, range }) => ({ message, place: placeOf(range) })),
    places: problems.length === 0 ? pointers.map((pointer) => placeOf(rangeOf(pointer))) : [],
  }
}

const placeOf = ({ start }: ReturnType<ReturnType<typeof readFlowText>['rangeOf']>) =>
  `${start.line + 1}:${start.character + 1}`
