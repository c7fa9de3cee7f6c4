/** Meaning of a word: the value of a placeholder, or its text. */
export interface Reference {
  readonly index: number
  readonly isText: boolean
}

/** A word that stands for a value, anywhere in a text. */
export const word = /\$ref(\d+)\$/
const wholeWord = /^\$(ref|text)(\d+)\$$/

/** The word that stands in code for the value of a placeholder. */
export const wordFor = (index: number) => `$ref${index}$`

/** The word that stands for its text. */
export const textWordFor = (index: number | string) => `$text${index}$`

/** Reads a word; undefined for any other name. */
export function findReference(name: string): Reference | undefined {
  const match = wholeWord.exec(name)
  return match ? { index: Number(match[2]), isText: match[1] === 'text' } : undefined
}
