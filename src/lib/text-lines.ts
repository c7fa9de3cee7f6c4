/** A part of a text: lines and characters count from 0, in units of UTF-16, and the end is behind the last character. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

interface Position {
  readonly line: number
  readonly character: number
}

/** Finds the lines of a text. `end` is behind the last character. */
export function linesOf(text: string) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const positionAt = (offset: number): Position => {
    const line = lineAt(offset, starts)
    return { line, character: offset - (starts[line] ?? 0) }
  }
  return {
    rangeAt: (start: number, end: number): Range => ({ start: positionAt(start), end: positionAt(end) }),
  }
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
