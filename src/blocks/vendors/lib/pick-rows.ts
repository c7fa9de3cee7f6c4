import { ask, type Effects } from '../../../engine/model/effects.ts'

/** Picks all rows, the first, the last, or one that is drawn at random; none of none. */
export function* pickRows<Row>(
  rows: readonly Row[],
  which: 'All' | 'First' | 'Last' | 'Random' = 'All',
): Effects<readonly Row[]> {
  switch (which) {
    case 'All':
      return rows
    case 'First':
      return rows.slice(0, 1)
    case 'Last':
      return rows.slice(-1)
    case 'Random': {
      const at = Math.floor((yield* ask({ type: 'random' })) * rows.length)
      return rows.slice(at, at + 1)
    }
  }
}
