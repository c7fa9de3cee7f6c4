/** What code came to. */
export type Evaluated =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly message: string
      /** The code may be fine: it goes beyond what is interpreted here. */
      readonly needsSandbox: boolean
    }

/** Thrown where JavaScript itself would throw. */
export class Failed extends Error {}

/** Thrown at anything that only a whole JavaScript engine can answer. */
export class NeedsSandbox extends Error {}
