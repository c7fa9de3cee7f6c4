import { type ByteString, toByteString } from '../../lib/byte-string.ts'

/**
 * A part of a response: its value, and its JSON, made once and only when asked for.
 *
 * What never changes for a flow (its settings, its constant messages) is one piece shared by every response.
 */
export class JsonFragment<out T> {
  readonly value: T
  #json: ByteString | undefined
  #said: { readonly line: string | undefined } | undefined

  /** `json` is what the value is written as, where that is known. */
  constructor(value: T, json?: ByteString) {
    this.value = value
    this.#json = json
  }

  get json(): ByteString {
    this.#json ??= toByteString(JSON.stringify(this.value))
    return this.#json
  }

  /** The same with one more property, which it has not yet; its JSON is not made once more. */
  with(name: string, text: string): JsonFragment<T> {
    const json = `${this.json.slice(0, -1)},"${name}":${toByteString(JSON.stringify(text))}}` as ByteString
    return new JsonFragment<T>({ ...this.value, [name]: text }, json)
  }

  /** Line of the transcript, rendered likewise. */
  transcriptLine(describe: (value: T) => string | undefined): string | undefined {
    this.#said ??= { line: describe(this.value) }
    return this.#said.line
  }
}

/** Freezes a JSON value at every depth, so that a piece can be shared without fear. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  // Of objects with many keys, lists of keys or values take much longer than the keys themselves.
  for (const key in value) deepFreeze(value[key])
  return value
}
