import { setVariable } from '../../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../../support/conformance.ts'
import type { Row } from '../world.ts'
import { textInput, times, variable } from './flows.ts'

/** A draft whose session takes a megabyte. */
const large = wholeDefinition({
  id: 'draft',
  blocks: [
    ...times(15, (nth) => setVariable(`s${nth}`, `v${nth}`, { expressionToEvaluate: 'x'.repeat(65_000) })),
    textInput('last'),
  ],
  variables: times(15, (nth) => variable(`${nth}`)),
})

/** The streams that one session may have. */
const streams = 5

/** Previews with large sessions, each followed by as many idle streams as it may have. */
export const followedSessions: readonly Row[] = (['events', 'trace'] as const).map((what) => ({
  name: `a session of a megabyte with ${streams} streams of its ${what}`,
  prepare: (world) => async () => {
    const sessionId = await world.preview(large, what === 'trace' ? { trace: true } : {})
    const opened = await Promise.all(times(streams, () => world.follow(sessionId, what)))
    for (const close of opened) close()
  },
}))
