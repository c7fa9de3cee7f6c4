/** Outcome of code. */
export type Evaluated =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly message: string
      /** The code may be fine: it goes beyond what is interpreted here. */
      readonly needsSandbox: boolean
      /** Set when the text may never have been meant as code: no JavaScript, or an unknown name. */
      readonly mayBeWords?: boolean
    }

/** Thrown where JavaScript itself would throw. */
export class Failed extends Error {}

/** Thrown at what words do that happen to be JavaScript: they name nothing, or name a function. */
export class MerelyNamed extends Failed {}

/** Thrown at anything that only a whole JavaScript engine can answer. */
export class NeedsSandbox extends Error {}
