/** A name that was probably meant. */
interface NearName {
  readonly name: string
  /** Whether it differs in case, blanks, hyphens and underscores only, and is the only one that does. */
  readonly isSpelling: boolean
}

/** Names that are compared, and their lengths: a definition can declare any number. */
const most = { names: 1_000, length: 60 }

const spelling = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '')

/** Finds the name that another was probably meant to be; undefined where none is near. */
export function nearestName(wanted: string, names: Iterable<string>): NearName | undefined {
  if (wanted.length > most.length) return undefined
  const alike: string[] = []
  let nearest: { name: string; distance: number } | undefined
  let compared = 0
  for (const name of names) {
    if (++compared > most.names) break
    if (name.length > most.length || name === wanted) continue
    if (spelling(name) === spelling(wanted)) alike.push(name)
    const distance = editDistance(wanted, name)
    // A short name is near to everything.
    const isNear = distance < Math.min(name.length, wanted.length) / 2
    if (isNear && distance < (nearest?.distance ?? tooFar)) nearest = { name, distance }
  }
  const [only] = alike
  if (only !== undefined) return { name: only, isSpelling: alike.length === 1 }
  return nearest && { name: nearest.name, isSpelling: false }
}

/** More changes than make a slip. */
const tooFar = 3

/**
 * Number of letters that are inserted, left out, replaced or swapped with their neighbour; 3 where it is more than 2
 * (the optimal string alignment distance: no letter is changed twice).
 */
export function editDistance(a: string, b: string): number {
  let twoAbove: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const [left = 0, up = 0, corner = 0] = [line[column - 1], above[column], above[column - 1]]
      const swapped = isSwap ? (twoAbove[column - 2] ?? tooFar) + 1 : tooFar
      line.push(Math.min(left + 1, up + 1, corner + change, swapped))
    }
    if (Math.min(...line) >= tooFar) return tooFar
    twoAbove = above
    above = line
  }
  return Math.min(tooFar, above[b.length] ?? tooFar)
}
