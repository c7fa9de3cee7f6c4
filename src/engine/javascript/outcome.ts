/** Outcome of code. */
export type CodeOutcome =
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
export class CodeError extends Error {}

/** Thrown at what words do that happen to be JavaScript: they name nothing, or name a function. */
export class NotCodeError extends CodeError {}

/** Thrown at anything that only a whole JavaScript engine can answer. */
export class NeedsSandboxError extends Error {}
