/** A part of a response that already is JSON. */
export type Json = string | Buffer

/**
 * Puts a JSON object together from parts that already are JSON. Each part is serialised by whoever owns it, once
 * where it never changes; a response is then a matter of copying bytes.
 */
export class ResponseWriter {
  readonly #parts: Json[] = []
  /** Text behind the parts: to join texts costs less than to write each by itself. */
  #text = ''
  #separator = '{'

  /** Adds a property. The name is the program's own and needs no escaping. */
  add(name: string, json: Json): this {
    this.#begin(name)
    this.#put(json)
    return this
  }

  addText(name: string, text: string): this {
    return this.add(name, JSON.stringify(text))
  }

  addList(name: string, items: Iterable<{ readonly bytes: Buffer }>): this {
    this.#begin(name)
    let separator = '['
    for (const { bytes } of items) {
      this.#text += separator
      this.#put(bytes)
      separator = ','
    }
    this.#text += separator === '[' ? '[]' : ']'
    return this
  }

  /** Adds an object; `write` adds its properties to this very writer. */
  addObject(name: string, write: (writer: this) => void): this {
    this.#begin(name)
    this.#separator = '{'
    write(this)
    this.#end()
    return this
  }

  finish(): Buffer {
    this.#end()
    this.#parts.push(this.#text)
    let length = 0
    for (const part of this.#parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length
    const bytes = Buffer.allocUnsafe(length)
    let at = 0
    for (const part of this.#parts) {
      if (typeof part === 'string') {
        at += bytes.write(part, at)
      } else {
        bytes.set(part, at)
        at += part.length
      }
    }
    return bytes
  }

  #begin(name: string): void {
    this.#text += `${this.#separator}"${name}":`
    this.#separator = ','
  }

  #put(json: Json): void {
    if (typeof json === 'string') {
      this.#text += json
    } else {
      this.#parts.push(this.#text, json)
      this.#text = ''
    }
  }

  #end(): void {
    this.#text += this.#separator === '{' ? '{}' : '}'
    this.#separator = ','
  }
}
