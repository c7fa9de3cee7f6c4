import {
  freeMark,
  type MaskedValue,
  mapTexts,
  mostMasked,
  unmasking,
} from '../../engine/values/sensitive-values.ts'
import type { ResultUpdate } from '../result-store.ts'

/**
 * The values of the marks of a result after a change. Where the change has a mark for another value, it gets another one in
 * all that the change says.
 */
export function joinMasked(
  earlier: readonly MaskedValue[] = [],
  change: ResultUpdate,
): { readonly change: ResultUpdate; readonly masked: readonly MaskedValue[] } {
  if (!change.masked || earlier.length === 0) return { change, masked: change.masked ?? earlier }
  const byText = new Map(earlier.map((value) => [value.text, value]))
  const taken = new Set(earlier.map(({ mark }) => mark))
  const renamed: { mark: string; text: string }[] = []
  for (const value of change.masked) {
    const known = byText.get(value.text)
    const mark = known?.mark ?? freeMark(value.name, (one) => taken.has(one))
    taken.add(mark)
    byText.set(value.text, known ?? { ...value, mark })
    if (mark !== value.mark) renamed.push({ mark: value.mark, text: mark })
  }
  const masked = [...byText.values()].slice(-mostMasked)
  if (renamed.length === 0) return { change, masked }
  return { change: mapTexts(change, unmasking(renamed)), masked }
}
