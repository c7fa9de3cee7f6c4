import { Pool } from 'undici'
import type { FlowTest } from '../../schemas/flow-test.ts'
import { blockRegistry } from '../../src/blocks/index.ts'
import { openLocalWorld } from '../../src/cli/test-files/local-world.ts'
import type { UserInput } from '../../src/engine/model/step.ts'
import { exploreFlow } from '../../src/tooling/flow-tests/explore.ts'
import { mapOf } from '../../src/tooling/flow-tests/path.ts'
import { TestConversation } from '../../src/tooling/flow-tests/test-conversation.ts'

/** A conversation that `explore` has held with a flow. */
export interface Way {
  readonly vars: Readonly<Record<string, unknown>>
  readonly said: readonly (UserInput | undefined)[]
  /** Whether nothing can be said any more. */
  readonly isOver: boolean
}

/** Conversations that are held at once. */
const atOnce = 8

/** Remembers what was said in it. */
class RecordedConversation extends TestConversation {
  readonly said: (UserInput | undefined)[] = []

  override say(input: UserInput | undefined) {
    this.said.push(input)
    return super.say(input)
  }
}

/** The ways of the flow of a file that a test with this `explore` walks, each with all that was said on it. */
export async function findWays(
  path: string,
  explore: NonNullable<FlowTest['explore']>,
  mostWays: number,
): Promise<readonly Way[]> {
  const world = openLocalWorld({ warn: () => undefined }, blockRegistry)
  const ways: { readonly vars: Way['vars']; readonly conversation: RecordedConversation }[] = []
  try {
    const { flow, program } = await world.readFlow(path)
    const deps = world.dependenciesFor(path)
    await exploreFlow(explore, {
      flow,
      map: mapOf(flow),
      mocks: { seed: 7 },
      expect: {},
      pointer: '',
      mostWays,
      open(mocks, vars) {
        const conversation = new RecordedConversation({ program, mocks, vars, isTrusted: true, deps })
        ways.push({ vars, conversation })
        return conversation
      },
      onTurn: () => undefined,
      yieldToEventLoop: async () => false,
    })
    return ways.map(({ vars, conversation }) => ({
      vars,
      said: conversation.said,
      isOver: !conversation.isWaiting,
    }))
  } finally {
    await world.close()
  }
}

/** Has a visitor go each way in a live conversation, over few connections that stay. */
export async function playWays(address: string, flow: string, ways: readonly Way[]): Promise<void> {
  const pool = new Pool(address, { connections: atOnce })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await pool.request({ path, method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text) as { readonly sessionId: string }
  }
  const rest = ways.values()
  const hold = async () => {
    for (const { vars, said } of rest) {
      const { sessionId } = await post(`/v1/flows/${flow}/startChat`, { prefilledVariables: vars })
      for (const message of said) await post(`/v1/sessions/${sessionId}/continueChat`, { message })
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, hold))
  } finally {
    await pool.close()
  }
}
