import type { CodeJob, CodeResult } from '../../ports/known-types.ts'

/** Initial data of a thread. */
export interface WorkerData {
  readonly wasm: WebAssembly.Module
  /** Memory for one evaluation. */
  readonly memoryBytes: number
}

/** Messages to a thread. */
export type ToWorker =
  /** With the milliseconds that it may run. */
  | { readonly kind: 'job'; readonly id: number; readonly job: CodeJob; readonly limitMs: number }
  | { readonly kind: 'fetched'; readonly id: number; readonly answer: FetchAnswer }

/** The text of a response, or why there is none, for one `fetch` of a job. */
export interface FetchAnswer {
  readonly call: number
  readonly isOk: boolean
  readonly text: string
}

/** Messages from a thread. A job is one text, and so is its result: texts cross between threads at the least cost. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly result: string; readonly ranMs: number }
  | { readonly kind: 'fetch'; readonly id: number; readonly call: number; readonly request: string }
  /** Nothing runs until a `fetch` is answered; so many answers have been taken. */
  | { readonly kind: 'waiting'; readonly id: number; readonly answers: number }

/**
 * In the JSON that crosses the border of the sandbox, a text that begins with this character stands for what JSON
 * lacks: its next letters say which. The sandbox's half is in prelude.ts.
 */
const mark = '\0'
const markInJson = '\\u0000'

/** Serialises a job for the sandbox. Throws for values that are not data. */
export function encodeJob({ body, isAsync, globals, mayAssign, mayFetch }: CodeJob): string {
  return JSON.stringify([body, isAsync, globals, mayAssign, mayFetch], (_key, value: unknown) =>
    encode(value),
  )
}

function encode(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? `${mark}s${value}` : value
  if (value === undefined) return `${mark}undefined`
  if (typeof value !== 'number') return value
  if (Number.isFinite(value) && !Object.is(value, -0)) return value
  return `${mark}${Object.is(value, -0) ? '-0' : value}`
}

/** Reads a result that the sandbox wrote. */
export function decodeResult(text: string): CodeResult {
  return decode(text) as CodeResult
}

/** Reads what a `fetch` was called with. */
export function decodeRequest(text: string): readonly [address: string, init: unknown] {
  return decode(text) as [string, unknown]
}

function decode(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes(markInJson) ? revive(value) : value
}

function revive(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? unmarked(value.slice(1)) : value
  if (typeof value !== 'object' || value === null) return value
  for (const [key, held] of Object.entries(value)) {
    const revived = revive(held)
    // Not an assignment: a key may be `__proto__`.
    if (revived !== held) Object.defineProperty(value, key, { value: revived })
  }
  return value
}

function unmarked(text: string): unknown {
  if (text.startsWith('s')) return text.slice(1)
  if (text.startsWith('date')) return new Date(Number(text.slice(4)))
  if (text.endsWith('n')) return BigInt(text.slice(0, -1))
  return text === 'undefined' ? undefined : Number(text)
}

export const tooMuchMemory = 'The code used more memory than it may'

/** A job that failed, as the sandbox would write it. */
export function encodeFailure(reason: 'thrown' | 'limit', message: string): string {
  return JSON.stringify({ ok: false, reason, message: encode(message) })
}
