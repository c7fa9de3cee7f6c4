import { endOfJsonString } from '../../../engine/values/json-excess.ts'
import { tokensOf } from '../../../lib/json-pointer.ts'
import { linesOf, type Range } from '../../../lib/text-lines.ts'

/** Characters that are looked at between two pauses. */
const slice = 32_768

/** A place that is looked for, with those inside it by their keys as texts of JSON write them. */
interface PointerTree {
  readonly inside: Map<string, PointerTree>
  range: readonly [start: number, end: number] | undefined
}

/** A list or an object that has begun and not ended. */
interface Open {
  readonly wanted: PointerTree | undefined
  readonly start: number
  readonly isList: boolean
  /** Of the next element. */
  index: number
  /** Of the next member; undefined before it. */
  key: string | undefined
}

/**
 * Finds where pointers lead in a text of JSON, which has to be valid; what is not there has the range of what is around
 * it. Looks at each character once, and pauses on the way. A key that is written with needless escapes is not found.
 */
export function* findRanges(
  text: string,
  pointers: Iterable<string>,
): Generator<void, (pointer: string) => Range> {
  const root: PointerTree = { inside: new Map(), range: undefined }
  for (const pointer of pointers) want(pointer, root)
  yield* scan(text, root)
  const { rangeAt } = linesOf(text)
  return (pointer) => {
    const [start, end] = nearestRange(pointer, root)
    return rangeAt(start, end)
  }
}

const written = (token: string) => JSON.stringify(token).slice(1, -1)

function want(pointer: string, root: PointerTree): void {
  let place = root
  for (const token of tokensOf(pointer)) {
    const key = written(token)
    const inside = place.inside.get(key) ?? { inside: new Map(), range: undefined }
    place.inside.set(key, inside)
    place = inside
  }
}

function nearestRange(pointer: string, root: PointerTree): readonly [number, number] {
  let place: PointerTree | undefined = root
  let range = root.range ?? ([0, 0] as const)
  for (const token of tokensOf(pointer)) {
    place = place?.inside.get(written(token))
    range = place?.range ?? range
  }
  return range
}

const delimiter = /[,\]}\s]/g

function* scan(text: string, root: PointerTree): Generator<void> {
  const open: Open[] = []
  let pauseAt = slice
  const nextWanted = () => {
    const around = open.at(-1)
    if (!around) return root
    return around.wanted?.inside.get(around.isList ? String(around.index) : (around.key ?? ''))
  }
  for (let at = 0; at < text.length; ) {
    if (at > pauseAt) {
      pauseAt = at + slice
      yield
    }
    const around = open.at(-1)
    const character = text[at] as string
    if (character === '{' || character === '[') {
      open.push({ wanted: nextWanted(), start: at, isList: character === '[', index: 0, key: undefined })
      at += 1
    } else if (character === '}' || character === ']') {
      open.pop()
      at += 1
      if (around?.wanted) around.wanted.range = [around.start, at]
    } else if (character === ',') {
      if (around) around.key = undefined
      if (around) around.index += 1
      at += 1
    } else if (/[\s:]/.test(character)) at += 1
    else {
      const end = character === '"' ? endOfJsonString(text, at) + 1 : endOfWord(text, at)
      const isKey = around !== undefined && !around.isList && around.key === undefined
      const wanted = isKey ? undefined : nextWanted()
      if (isKey) around.key = text.slice(at + 1, end - 1)
      if (wanted) wanted.range = [at, end]
      at = end
    }
  }
}

function endOfWord(text: string, start: number): number {
  delimiter.lastIndex = start
  return delimiter.exec(text)?.index ?? text.length
}
