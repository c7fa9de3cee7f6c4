import { composeText } from '../../../engine/values/compose-text.ts'

/**
 * A text in the form in which two that differ only in case are equal, however their accents are put together.
 * Both ways, since each alone keeps some apart: `ς` from `σ`, `ẞ` from `ß`.
 */
export function foldCase(text: string): string {
  return composeText(text.toLowerCase().toUpperCase())
}
