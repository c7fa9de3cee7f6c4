import type { Edit } from './defences.ts'

/** The text of a file with an edit made. Throws unless there is exactly one place for it. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const [before, after, more] = text.split(find)
  if (after === undefined || more !== undefined) {
    const places = text.split(find).length - 1
    throw new Error(`${file} has ${places} places instead of one for ${JSON.stringify(find)}`)
  }
  return before + replace + after
}
