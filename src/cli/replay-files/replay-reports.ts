import type { Divergence } from '../../replay/divergence.ts'
import { countOf } from '../count-of.ts'

/** What came of one recording. */
export interface ReplayedFile {
  readonly path: string
  /** Those that were recorded. */
  readonly turns: number
  readonly divergence?: (Divergence & { readonly description: string }) | undefined
}

/** The report of a run, by the name of its format. */
export const replayReports: Readonly<Record<'pretty' | 'json', (files: readonly ReplayedFile[]) => string>> =
  {
    pretty(files) {
      const lines = files.map(({ path, turns, divergence }) =>
        divergence ? `diverged  ${path}: ${divergence.description}` : `same      ${path} (${turns} turns)`,
      )
      const diverged = files.filter(({ divergence }) => divergence).length
      return `${[...lines, `${countOf(files.length, 'recording')}: ${diverged} diverged`].join('\n')}\n`
    },
    json: (files) => `${JSON.stringify({ files }, null, 2)}\n`,
  }
