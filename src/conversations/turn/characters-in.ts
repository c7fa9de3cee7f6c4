/** About how many characters plain data holds. What several of its parts share counts each time. */
export function charactersIn(data: unknown): number {
  let characters = 0
  const left = [data]
  while (left.length > 0) {
    const part = left.pop()
    characters += typeof part === 'string' ? part.length : 8
    if (typeof part === 'object' && part !== null) for (const inside of Object.values(part)) left.push(inside)
  }
  return characters
}
