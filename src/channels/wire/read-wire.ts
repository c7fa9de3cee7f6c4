import { ServiceError } from '../../lib/errors.ts'
import { excessOfJson, type JsonBounds } from '../../lib/json-bounds.ts'

/** An object of somebody else, of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>

/** More than any messenger sends at once: WhatsApp's batches have a thousand messages or statuses. */
const bounds: JsonBounds = { values: 60_000, keys: 5_000, shapes: 5_000, levels: 64 }

/** The object that a JSON text is; undefined for anything else, and for what would take long to read. */
export function readObject(bytes: Uint8Array): Fields | undefined {
  if (excessOfJson(bytes, bounds)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The body of a request, as each `Messenger` reads it first. */
export function readInbound(bytes: Uint8Array, messenger: string): Fields {
  const body = readObject(bytes)
  if (!body) throw notInbound(messenger, { pointer: '', message: 'must be an object in JSON' })
  return body
}

/** The refusal of a body that a messenger would not send: its address was given to something else. */
export function notInbound(messenger: string, problem: { pointer: string; message: string }): ServiceError {
  return new ServiceError('BAD_REQUEST', `The request body is not one of ${messenger}`, {
    problems: [problem],
  })
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Empty for what is no object. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})

/** The objects of a list; none for what is no list. */
export const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** Undefined for what is no text, or an empty one. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A text that may stand in an address and in a line of a log; undefined for others. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.=+/-]{1,256}$/.test(value) ? value : undefined

/** Undefined for what is no finite number. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** Milliseconds since 1970 of seconds since then, which some messengers write as a text. */
export function millisecondsOf(seconds: unknown): number | undefined {
  const number = typeof seconds === 'string' && /^\d{1,12}$/.test(seconds) ? Number(seconds) : seconds
  return typeof number === 'number' && number >= 0 && number < 1e12 ? Math.floor(number * 1000) : undefined
}

type Present<Value> = {
  [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key]
} & { [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined> }

/** The members that are there. */
export const present = <Value extends object>(value: Value): Present<Value> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<Value>
