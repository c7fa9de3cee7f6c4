import type { StoreBounds } from '../../store-bounds.ts'
import type { Clock, Database } from './binding.ts'
import type { Marks } from './marks.ts'
import type { Tallies } from './tally.ts'

/** Shared by all rows. */
export interface RowsContext {
  readonly database: Database
  readonly clock: Clock
  readonly bounds: StoreBounds
  readonly tallies: Tallies
  readonly marks: Marks
}

/** How long erasures are remembered: sessions that could bring something back are renewed by their visitors. */
export const erasedMs = 366 * 24 * 60 * 60 * 1000
