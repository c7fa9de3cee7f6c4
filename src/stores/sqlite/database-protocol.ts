import type { ErrorCode } from '../../lib/errors.ts'
import type { StoreBounds } from '../store-bounds.ts'
import type { BindingName } from './thread/binding.ts'

/** The data that the thread is started with. */
export interface ThreadData {
  readonly folder: string
  readonly binding: BindingName
  readonly now: number
  readonly bounds: StoreBounds
}

/** Methods of rows in the thread, as those who ask for them call them. */
export type Calls<AllOf, Method extends keyof AllOf> = {
  readonly [Name in Method]: AllOf[Name] extends (...args: infer Args) => infer Value
    ? (...args: Args) => Promise<Value>
    : never
}

export interface Request {
  /** The names of rows and of their method, with a full stop between them. */
  readonly kind: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly args: readonly unknown[]
}

/** The outcomes of a batch, in its order. */
export interface Outcomes {
  readonly values: readonly unknown[]
  readonly failures?: readonly (Failure | undefined)[]
}

export interface Failure {
  readonly message: string
  /** Of SQLite. */
  readonly errcode: number | undefined
  /** Of a refusal. */
  readonly code: ErrorCode | undefined
}

export type ToThread = { readonly batch: readonly Request[] } | 'close'

export type FromThread =
  | {
      readonly kind: 'ready'
      /** Why nothing can be written. */
      readonly failure: Failure | undefined
      /** For the operator to know. */
      readonly warning: string | undefined
    }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'done'; readonly outcomes: Outcomes }
  | { readonly kind: 'closed' }

/** Error codes of SQLite for what the machine refuses, whatever is asked: no memory, no rights, no room, broken files. */
const machineErrors = [3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]

/** Whether a request failed for what the machine is, and not for what it asked. */
export function isOfMachine(errcode: number | undefined): boolean {
  return machineErrors.includes((errcode ?? 0) & 0xff)
}
