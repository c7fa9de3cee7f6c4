import { type ByteString, toByteString } from '../../lib/byte-string.ts'

/**
 * Puts a JSON object together from parts that already are JSON. Each part is serialised by its owner, once
 * where it never changes; a response is then a matter of joining texts.
 */
export class JsonObjectWriter {
  #text = ''
  #separator = '{'

  /** Adds a property. The name is the program's own and needs no escaping. */
  add(name: string, json: ByteString): this {
    this.#begin(name)
    this.#text += json
    return this
  }

  /** Adds a value that is written now. */
  addValue(name: string, value: string | number | object): this {
    return this.add(name, toByteString(JSON.stringify(value)))
  }

  addList(name: string, items: readonly { readonly json: ByteString }[]): this {
    this.#begin(name)
    let separator = '['
    for (const { json } of items) {
      this.#text += separator + json
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

  finish(): ByteString {
    this.#end()
    return this.#text as ByteString
  }

  /** As `finish`, with all properties of another object behind those of this one. Both have some. */
  finishWith(object: ByteString): ByteString {
    return `${this.#text},${object.slice(1)}` as ByteString
  }

  #begin(name: string): void {
    this.#text += `${this.#separator}"${name}":`
    this.#separator = ','
  }

  #end(): void {
    this.#text += this.#separator === '{' ? '{}' : '}'
    this.#separator = ','
  }
}
