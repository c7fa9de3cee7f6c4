/**
 * Whether a path, with slashes, fits a pattern: `*` stands for anything but a slash, `**` for any folders, `?` for one
 * character. A pattern without a slash fits the name of a file in any folder.
 */
export function fitsGlob(path: string, pattern: string): boolean {
  const parts = pattern.includes('/') ? pattern.replace(/^\.?\//, '').split('/') : ['**', pattern]
  return fitParts(path.split('/'), parts)
}

function fitParts(path: readonly string[], pattern: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return path.length === 0
  if (first === '**') return path.some((_, index) => fitParts(path.slice(index), rest)) || rest.length === 0
  const [name, ...below] = path
  return name !== undefined && fitsName(name, first) && fitParts(below, rest)
}

/** Goes back to the last `*` where the rest does not fit, so that it takes no more than their lengths multiplied. */
function fitsName(name: string, pattern: string): boolean {
  let [at, from, star, starAt] = [0, 0, -1, 0]
  while (at < name.length) {
    const wanted = pattern[from]
    if (wanted === '*') {
      star = from++
      starAt = at
    } else if (wanted === '?' || wanted === name[at]) {
      from++
      at++
    } else if (star !== -1) {
      from = star + 1
      at = ++starAt
    } else return false
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}
