import { writeFile } from 'node:fs/promises'
import { applyEdits, findNodeAtLocation, modify } from 'jsonc-parser'
import { positionJson, segmentsOf } from '../../definition/json-positions.ts'
import { tokensOf } from '../../lib/json-pointer.ts'
import type { Fix } from '../../tooling/lint/finding.ts'
import type { Console } from '../command.ts'
import { countOf } from '../output/plain-text.ts'
import { type CheckTerms, checkFiles } from './check-files.ts'
import type { CheckedFile } from './flow-file.ts'

/** Passes over a file: a fix can make something else superfluous. */
const mostPasses = 10

/** Writes what can be mended with certainty into the files; gives how many findings that were. */
export async function applyFixes(
  checked: readonly CheckedFile[],
  terms: CheckTerms,
  { warn }: Pick<Console, 'warn'>,
): Promise<number> {
  let mended = 0
  let files = checked
  for (let pass = 0; pass < mostPasses; pass++) {
    const fixed = files.map((file) => ({ file, ...mend(file) })).filter(({ count }) => count > 0)
    if (fixed.length === 0) break
    for (const { file, text, count } of fixed) {
      await writeFile(file.path, text)
      mended += count
    }
    files = await checkFiles(
      checked.map(({ path }) => path),
      terms,
    )
  }
  if (mended > 0) warn(`${countOf(mended, 'finding was', 'findings were')} mended.\n`)
  return mended
}

interface FixResult {
  readonly text: string
  readonly count: number
}

/** Applies the fixes of one file, from its end to its start, so that none moves what another names. */
export function mend({ text, findings }: Pick<CheckedFile, 'text' | 'findings'>): FixResult {
  const { tree } = positionJson(text)
  if (!tree) return { text, count: 0 }
  const steps = findings
    .flatMap(({ fix }) => (fix?.patch.length === 1 ? fix.patch : []))
    .map((step) => ({
      step,
      offset: findNodeAtLocation(tree, segmentsOf(tree, tokensOf(step.path)))?.offset ?? -1,
    }))
    .filter(({ offset }) => offset >= 0)
    .sort((a, b) => b.offset - a.offset)
  let mended = text
  let count = 0
  let [last, untouchedTo] = ['', Number.POSITIVE_INFINITY]
  for (const { step, offset } of steps) {
    // Of several for one place, or inside what goes, one is enough: the rest is found again.
    if (step.path === last || offset >= untouchedTo) continue
    const changed = applyStep(mended, step)
    if (changed === undefined) continue
    mended = changed
    count += 1
    last = step.path
    untouchedTo = offset
  }
  return { text: mended, count }
}

function applyStep(text: string, step: Fix['patch'][number]): string | undefined {
  const { tree } = positionJson(text)
  if (!tree) return undefined
  const value = step.op === 'remove' ? undefined : step.value
  const edits = modify(text, segmentsOf(tree, tokensOf(step.path)), value, {})
  return edits.length > 0 ? applyEdits(text, edits) : undefined
}
