/** A part of a response that already is JSON. */
export type Json = string | Buffer

/**
 * Puts a JSON object together from parts that already are JSON. Each part is serialised by whoever owns it, once
 * where it never changes; a response is then a matter of copying bytes.
 */
export class ResponseWriter {
  readonly #parts: Json[] = []
  #separator = '{'

  /** Adds a property. The name is the program's own and needs no escaping. */
  add(name: string, json: Json): this {
    this.#parts.push(`${this.#separator}"${name}":`, json)
    this.#separator = ','
    return this
  }

  addText(name: string, text: string): this {
    return this.add(name, JSON.stringify(text))
  }

  addList(name: string, items: Iterable<{ readonly bytes: Buffer }>): this {
    this.add(name, '[')
    let separator = ''
    for (const { bytes } of items) {
      this.#parts.push(separator, bytes)
      separator = ','
    }
    this.#parts.push(']')
    return this
  }

  finish(): Buffer {
    if (this.#parts.length === 0) return Buffer.from('{}')
    this.#parts.push('}')
    const length = this.#parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
    const bytes = Buffer.allocUnsafe(length)
    let at = 0
    for (const part of this.#parts)
      at += typeof part === 'string' ? bytes.write(part, at) : part.copy(bytes, at)
    return bytes
  }
}
