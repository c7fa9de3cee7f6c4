import type { Divergence } from '../../tooling/replay/divergence.ts'
import { countOf } from '../output/count-of.ts'
import { oneLine } from '../output/plain-text.ts'

/** Outcome of one recording. */
export interface ReplayedFile {
  readonly path: string
  /** Those that were recorded. */
  readonly turns: number
  /** Whether it took longer than it may. */
  readonly isCut?: true | undefined
  readonly divergence?: (Divergence & { readonly description: string }) | undefined
}

/** The report of a run, by the name of its format. */
export const replayReports: Readonly<Record<'pretty' | 'json', (files: readonly ReplayedFile[]) => string>> =
  {
    pretty(files) {
      const lines = files.map(({ path, turns, divergence, isCut }) =>
        divergence
          ? `diverged  ${path}: ${oneLine(divergence.description)}`
          : `${isCut ? 'cut off ' : 'same    '}  ${path} (${turns} turns)`,
      )
      const diverged = files.filter(({ divergence }) => divergence).length
      const cut = files.filter((file) => file.isCut).length
      const stopped = cut > 0 ? `, ${cut} cut off as they took too long` : ''
      return `${[...lines, `${countOf(files.length, 'recording')}: ${diverged} diverged${stopped}`].join('\n')}\n`
    },
    json: (files) => `${JSON.stringify({ files }, null, 2)}\n`,
  }
