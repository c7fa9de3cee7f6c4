import type { Ports } from '../../ports/ports.ts'

/** How long work may block the event loop, in milliseconds. */
export const sliceMs = 1

/** Lets others be served where work has gone on for a slice since they last were; makes no promise where it has not. */
export function createEventLoopYield({
  elapsed,
  nextTurn,
}: Pick<Ports, 'elapsed' | 'nextTurn'>): () => Promise<void> | undefined {
  let since = elapsed()
  const pass = async () => {
    await nextTurn()
    since = elapsed()
  }
  return () => (elapsed() - since < sliceMs ? undefined : pass())
}
