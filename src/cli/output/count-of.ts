/** A number with what it counts: `1 file`, `2 files`. */
export function countOf(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
