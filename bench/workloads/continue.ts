import { loopFlow } from '../flows/published.ts'
import { post } from '../support/post.ts'
import { besideBaselines } from './beside-baselines.ts'
import type { Workload } from './workload.ts'

const connections = 32

export const continues: readonly Workload[] = [
  continuing('text answer', { sessionsEach: 320 }),
  continuing('text answer, in conversations of thousands of turns', { sessionsEach: 1 }),
]

interface ContinueOptions {
  /** Sessions of each connection, which take turns: the fewer, the longer their conversations get. */
  readonly sessionsEach: number
}

function continuing(name: string, { sessionsEach }: ContinueOptions): Workload {
  return besideBaselines(`continue: ${name}`, {
    flows: [loopFlow],
    async prepareLoad(address) {
      const paths: string[] = []
      while (paths.length < connections * sessionsEach) paths.push(await startSession(address))
      const body = { message: 'Analytical Engines' }
      const requests = paths.map((path) => ({ path, body: JSON.stringify(body) }))
      const answer = await post(address, await startSession(address), body)
      let loads = 0
      return {
        answer,
        load: {
          connections,
          requests(connection) {
            const own = requests.slice(connection * sessionsEach, (connection + 1) * sessionsEach)
            // Each round begins with others, or the first ones would have most turns.
            if (connection === 0) loads += 1
            const first = (loads * 97) % sessionsEach
            return [...own.slice(first), ...own.slice(0, first)]
          },
        },
      }
    },
  })
}

async function startSession(address: string): Promise<string> {
  const answer = await post(address, `/v1/flows/${loopFlow['publicId']}/startChat`, {})
  return `/v1/sessions/${JSON.parse(answer).sessionId}/continueChat`
}
