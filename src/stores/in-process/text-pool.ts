import { bytesOfText } from './flat-text.ts'

/** Texts beyond a quarter of it have one of their own. */
const chunkBytes = 256 * 1024

/** Handle and length stand before a text; all of it takes whole units. */
const [headBytes, unitBytes] = [8, 8]

const unitsPerChunk = chunkBytes / unitBytes

/** The part of a chunk that has to be in use: below it, its texts move together with others. */
const leastUsed = 7 / 8

interface Chunk {
  readonly bytes: Buffer
  /** The same bytes: before each text, its handle and its length, which is negative where a character takes two bytes. */
  readonly heads: Int32Array
  end: number
  used: number
}

/**
 * Texts outside the heap, by handles that are small numbers. In the heap each of them takes a header, and those that are
 * written again and again leave gaps that no other fits.
 */
export class TextPool {
  readonly #chunks: (Chunk | undefined)[] = []
  readonly #freeChunks: number[] = []
  readonly #freeHandles: number[] = []
  /** Where each text begins, in units of all chunks; -1 for a handle that is free. */
  #places = new Int32Array(64)
  #handles = 0
  #current = -1
  #spare: Chunk | undefined

  add(text: string): number {
    const handle = this.#freeHandles.pop() ?? this.#nextHandle()
    this.#write(handle, text)
    return handle
  }

  get(handle: number): string {
    const { chunk, at } = this.#find(handle)
    const length = chunk.heads[at / 4 + 1] as number
    const start = at + headBytes
    return length < 0
      ? chunk.bytes.toString('utf16le', start, start - length)
      : chunk.bytes.toString('latin1', start, start + length)
  }

  set(handle: number, text: string): void {
    this.#leave(handle)
    this.#write(handle, text)
  }

  free(handle: number): void {
    this.#leave(handle)
    this.#freeHandles.push(handle)
  }

  #find(handle: number): { readonly chunk: Chunk; readonly at: number; readonly index: number } {
    const place = this.#places[handle] as number
    const index = Math.floor(place / unitsPerChunk)
    return { chunk: this.#chunks[index] as Chunk, at: (place % unitsPerChunk) * unitBytes, index }
  }

  #nextHandle(): number {
    const { length } = this.#places
    if (this.#handles === length) {
      const grown = new Int32Array(length * 2)
      grown.set(this.#places)
      this.#places = grown
    }
    this.#handles += 1
    return this.#handles - 1
  }

  #write(handle: number, text: string): void {
    const bytes = bytesOfText(text)
    const { chunk, at } = this.#take(handle, sizeOf(bytes))
    const isLatin1 = bytes === text.length
    chunk.heads[at / 4] = handle
    chunk.heads[at / 4 + 1] = isLatin1 ? bytes : -bytes
    chunk.bytes.write(text, at + headBytes, isLatin1 ? 'latin1' : 'utf16le')
  }

  /** Room for a text, to be written at once. */
  #take(handle: number, size: number): { readonly chunk: Chunk; readonly at: number } {
    const index = size > chunkBytes / 4 ? this.#open(size) : this.#withRoom(size)
    const chunk = this.#chunks[index] as Chunk
    const at = chunk.end
    chunk.end += size
    chunk.used += size
    this.#places[handle] = index * unitsPerChunk + at / unitBytes
    return { chunk, at }
  }

  #withRoom(size: number): number {
    const before = this.#current
    const chunk = this.#chunks[before]
    if (chunk && chunk.end + size <= chunkBytes) return before
    this.#current = this.#open(chunkBytes)
    if (chunk) this.#tidy(before, chunk)
    return this.#current
  }

  #open(size: number): number {
    const isUsual = size === chunkBytes
    const chunk = (isUsual && this.#spare) || newChunk(size)
    if (isUsual) this.#spare = undefined
    const index = this.#freeChunks.pop() ?? this.#chunks.length
    this.#chunks[index] = chunk
    return index
  }

  #leave(handle: number): void {
    const { chunk, at, index } = this.#find(handle)
    this.#places[handle] = -1
    chunk.used -= sizeOf(Math.abs(chunk.heads[at / 4 + 1] as number))
    if (index !== this.#current) this.#tidy(index, chunk)
  }

  /** Moves what a chunk still holds, if that is little, to where others are. */
  #tidy(index: number, chunk: Chunk): void {
    const { bytes, heads, end, used } = chunk
    if (used >= leastUsed * bytes.length) return
    for (let at = 0, size = 0; at < end; at += size) {
      const handle = heads[at / 4] as number
      size = sizeOf(Math.abs(heads[at / 4 + 1] as number))
      if (this.#places[handle] !== index * unitsPerChunk + at / unitBytes) continue
      const to = this.#take(handle, size)
      bytes.copy(to.chunk.bytes, to.at, at, at + size)
    }
    this.#chunks[index] = undefined
    this.#freeChunks.push(index)
    if (bytes.length !== chunkBytes) return
    chunk.end = 0
    chunk.used = 0
    this.#spare = chunk
  }
}

function sizeOf(bytes: number): number {
  return Math.ceil((headBytes + bytes) / unitBytes) * unitBytes
}

function newChunk(size: number): Chunk {
  const bytes = Buffer.allocUnsafeSlow(size)
  return { bytes, heads: new Int32Array(bytes.buffer), end: 0, used: 0 }
}
