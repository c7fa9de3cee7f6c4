/** Bounds of a JSON text, checked before it is parsed. */
export interface JsonBounds {
  /** Elements of lists and members of objects, all together. */
  readonly values: number
  /** Different names of members: each costs the parser far more than a name that it has seen. */
  readonly keys: number
  /**
   * Different orders of names in which objects begin, each name counted behind those before it: the engine keeps a
   * hidden class for each, which takes it some three microseconds.
   */
  readonly shapes: number
  /** Lists and objects, all together: the parser makes room for four members in an empty object. As many as values unless given. */
  readonly containers?: number
  /** Lists and objects inside each other. */
  readonly levels: number
}

/**
 * Bytes up to which no text can hold enough of anything but levels to matter: its parser is done within milliseconds,
 * whatever it holds.
 */
const harmlessBytes = 128 * 1024

const space = 0x20
const quote = 0x22
const backslash = 0x5c
/** `[` and `{`, `]` and `}` are the same but for this bit. */
const isObject = 0x20
const open = 0x5b
const close = 0x5d
const comma = 0x2c
const colon = 0x3a

/** The upper bits of a hash are the place of a name among the names that were seen. */
const placeBits = 18
const seenNames = new Uint8Array(2 ** placeBits)
const seenShapes = new Uint8Array(2 ** placeBits)

/** Drawn for each process, so that no sender can choose names that share a place. A factor near a power of 2 would mix nothing. */
const [seed, drawn] = crypto.getRandomValues(new Int32Array(2)) as unknown as [number, number]
const factor = (drawn & ~7) | 5

/** An object with more members is a dictionary, which has no hidden class. */
const mostInShape = 128

/** Levels whose objects are counted each; those further down count as one. */
const shapeLevels = 256
const shapes = new Int32Array(shapeLevels)
const members = new Int32Array(shapeLevels)

/**
 * Returns what a JSON text has too much of, without parsing it: one pass over the bytes, and no allocation. What is no
 * JSON may get any answer, as the parser refuses it.
 */
export function excessOfJson(bytes: Uint8Array, most: JsonBounds): keyof JsonBounds | undefined {
  if (bytes.length <= harmlessBytes) return nestsDeeper(bytes, most.levels) ? 'levels' : undefined
  const { containers: mostContainers = most.values } = most
  seenNames.fill(0)
  seenShapes.fill(0)
  let values = 0
  let keys = 0
  let shapeCount = 0
  let containers = 0
  let level = 0
  let nameStart = 0
  let nameEnd = 0
  const { length } = bytes
  for (let index = 0; index < length; index++) {
    const byte = bytes[index] as number
    if (byte <= space) continue
    if (byte === quote) {
      nameStart = index + 1
      nameEnd = endOfString(bytes, nameStart)
      index = nameEnd
    } else if (byte === comma) {
      values += 1
    } else if (byte === colon) {
      const name = hashOf(bytes, nameStart, nameEnd)
      keys += mark(name, seenNames)
      if (keys > most.keys) return 'keys'
      shapeCount += markShape(name, level)
      if (shapeCount > most.shapes) return 'shapes'
    } else if ((byte | isObject) === (open | isObject)) {
      values += 1
      containers += 1
      level += 1
      if (level > most.levels) return 'levels'
      if (containers > mostContainers) return 'containers'
      if (level < shapeLevels) beginShape(level)
    } else if ((byte | isObject) === (close | isObject)) {
      level -= 1
    }
    if (values > most.values) return 'values'
  }
  return undefined
}

/** Recursion over a value overflows the stack at some thousands of levels, which take a few bytes each. */
function nestsDeeper(bytes: Uint8Array, levels: number): boolean {
  const { length } = bytes
  if (length <= levels) return false
  let level = 0
  for (let index = 0; index < length; index++) {
    const byte = bytes[index] as number
    if (byte === quote) index = endOfString(bytes, index + 1)
    else if ((byte | isObject) === (open | isObject)) level += 1
    else if ((byte | isObject) === (close | isObject)) level -= 1
    if (level > levels) return true
  }
  return false
}

/** The place of the quote that ends a string; the end of the text where none does. */
function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes
  for (let index = start; index < length; index++) {
    const byte = bytes[index]
    if (byte === quote) return index
    if (byte === backslash) index++
  }
  return length
}

/**
 * The hash of a name. Its upper bits are folded into the lower after each byte: without it some factors give names that
 * resemble each other, as `k1` to `k50000`, the same hash, and too few of them are counted.
 */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = seed
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ (bytes[index] as number), factor)
    hash ^= hash >>> 15
  }
  return hash
}

function beginShape(level: number): void {
  shapes[level] = seed
  members[level] = 0
}

/** 1 for a name that comes behind such names for the first time, else 0. */
function markShape(name: number, level: number): number {
  const at = Math.min(level, shapeLevels - 1)
  const count = (members[at] as number) + 1
  members[at] = count
  if (count > mostInShape) return 0
  const shape = Math.imul((shapes[at] as number) ^ name, factor)
  shapes[at] = shape
  return mark(shape, seenShapes)
}

/**
 * 1 for a hash that was not seen before, else 0. Names that resemble each other have hashes that do, with some of the
 * factors that may be drawn: these are spread, or too many would share a place and not be counted.
 */
function mark(hash: number, seen: Uint8Array): number {
  let spread = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  spread = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35)
  const place = (spread ^ (spread >>> 16)) >>> (32 - placeBits)
  const isNew = 1 - (seen[place] as number)
  seen[place] = 1
  return isNew
}

/** The value of a text of JSON; undefined for what is none. Its callers have bounded the text: a long one keeps all others waiting. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
