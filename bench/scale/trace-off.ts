import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Figures, Measurement } from '../measurement.ts'
import { median, rounded } from '../support/figures.ts'
import type { WalkedTurn } from './engine-only.ts'

const root = join(import.meta.dirname, '../..')
const turnsARound = 12_000
const rounds = 41

/** What the hooks of the trace cost where no turn is traced, beside a copy of the engine without them. */
export const traceOff: Measurement = {
  name: 'trace: off, beside an engine without hooks',
  async measure() {
    // Below this folder, as packages are found from there.
    const copy = mkdtempSync(join(root, 'dist-bench-trace-'))
    try {
      for (const folder of ['bench', 'schemas', 'src', 'test'])
        cpSync(join(root, folder), join(copy, folder), { recursive: true })
      cutHooks(join(copy, 'src/engine'))
      const [hooked, bare] = [await turnsIn(root), await turnsIn(copy)]
      return Object.fromEntries(
        hooked.map(({ name, walk }, index) => [name, compare(walk, bare[index]!.walk)]),
      )
    } finally {
      rmSync(copy, { recursive: true })
    }
  },
}

async function turnsIn(folder: string): Promise<readonly WalkedTurn[]> {
  const path = join(folder, 'bench/scale/engine-only.ts')
  const { turnsToWalk } = (await import(pathToFileURL(path).href)) as typeof import('./engine-only.ts')
  return turnsToWalk()
}

const hook = /\b(?:turn|this)\.#?recorder\?\.\w+\(.*\)$/gm

/** Throws where there are none: the two would be the same. */
function cutHooks(folder: string): void {
  let cut = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const text = readFileSync(join(folder, name), 'utf8')
    cut += text.match(hook)?.length ?? 0
    writeFileSync(join(folder, name), text.replace(hook, 'undefined'))
  }
  if (cut === 0) throw new Error('the engine has no hooks to cut')
}

/** In turn, so that what else the machine does disturbs both. */
function compare(hooked: () => unknown, bare: () => unknown): Figures[string] {
  const measured = Array.from({ length: rounds }, () => [microseconds(hooked), microseconds(bare)] as const)
  return {
    'µs with the hooks': rounded(median(measured.map(([ours]) => ours))),
    'µs without': rounded(median(measured.map(([, other]) => other))),
    '× CPU': rounded(median(measured.map(([ours, other]) => ours / other))),
  }
}

function microseconds(work: () => unknown): number {
  const before = process.cpuUsage()
  for (let turn = 0; turn < turnsARound; turn++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / turnsARound
}
