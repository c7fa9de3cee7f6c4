import type { LazyParser } from '../javascript/parse.ts'
import type { VariableRef } from '../values/variables.ts'
import type { Footprint } from './footprint.ts'

/** A text, cut at its placeholders once and for all. */
export interface TextTemplate {
  readonly parts: readonly (string | Placeholder)[]
  /** The text itself when it holds no placeholder. */
  readonly constant: string | undefined
  /** The placeholder when the text is exactly one, nothing before or after it. */
  readonly lone: Placeholder | undefined
  /** All code in it, code inside other code before that. */
  readonly codes: readonly Code[]
}

/** Codes of a template without code. */
export const noCodes: readonly Code[] = Object.freeze([])

/** A part of a text that is not constant: a placeholder, or inline code. */
export type Placeholder =
  | { readonly kind: 'variable'; readonly ref: VariableRef }
  | { readonly kind: 'code'; readonly code: Code }

/** JavaScript of a flow that the service evaluates: a text that may itself hold placeholders. */
export interface Code {
  readonly source: string
  readonly template: TextTemplate
  /** Inline code reaches every variable by its id, an expression only those that it refers to. */
  readonly reaches: 'all variables' | 'its references'
  /** Whether it may await. */
  readonly isAsync: boolean
  /** Footprint to which memory kept beside it is added; undefined for code that is thrown away after use. */
  readonly footprint: Footprint | undefined
  /** Parses the code with identifiers in place of its references. */
  readonly parse: LazyParser
}
