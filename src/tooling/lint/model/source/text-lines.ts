/** A place in a text; both count from 0, and characters are units of UTF-16. */
export interface Position {
  readonly line: number
  readonly character: number
}

/** The end is behind the last character. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

/** Finds the lines of a text. */
interface TextLines {
  /** `end` is behind the last character. */
  rangeAt(start: number, end: number): Range
}

export function linesOf(text: string): TextLines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const positionAt = (offset: number): Position => {
    const line = lineAt(offset, starts)
    return { line, character: offset - (starts[line] ?? 0) }
  }
  return { rangeAt: (start, end) => ({ start: positionAt(start), end: positionAt(end) }) }
}

/** The last line that starts at or before an offset. */
function lineAt(offset: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
