import type { Value } from '../../engine/values/value.ts'
import type { ResultUpdate } from '../result-store.ts'

/** Texts that results are found by, in small letters, each in a line. */
export interface SearchedTexts {
  readonly said: string
  /** Of all variables. */
  readonly held: string | undefined
}

/** Beyond, a copy costs more than to compare the lines. */
const mostCharacters = 16 * 1024

/**
 * Texts that a change, or a whole result, is found by. Undefined where they are long, or have marked values beside them, which are
 * kept nowhere else.
 */
export function searchedTexts({
  answers = [],
  variables,
  masked = [],
}: Pick<ResultUpdate, 'answers' | 'variables' | 'masked'>): SearchedTexts | undefined {
  if (masked.length > 0) return undefined
  let said = ''
  for (const { content } of answers) said += lineOf(content)
  let held = variables && ''
  if (variables) for (const { value } of variables) held += linesOf(value)
  return said.length + (held?.length ?? 0) > mostCharacters ? undefined : { said, held }
}

const lineOf = (text: string) => `${text.toLowerCase()}\n`

/** Nearly all values are texts: no list is made for one. */
const linesOf = (value: Value) =>
  typeof value === 'string' ? lineOf(value) : textsOf(value).map(lineOf).join('')

/** The texts that a value has to be found by. */
export const textsOf = (value: Value): string[] =>
  [value].flat().flatMap((part) => (typeof part === 'string' ? [part] : []))
