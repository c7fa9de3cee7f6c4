import type { Conversation, History } from './visitors.ts'
import type { World } from './world.ts'

/** What became of a conversation, in order. */
export type ContentsOf = (conversation: Conversation) => Promise<readonly string[]>

/** What has to be so whatever happened; empty when it is. */
export interface Violations {
  /** Acknowledged and not kept. */
  readonly missing: string[]
  /** Kept more than once. */
  readonly twice: string[]
  /** Kept elsewhere than the answer said. */
  readonly misplaced: string[]
  /** Kept before an earlier one of the same client. */
  readonly outOfOrder: string[]
  /** Kept and never sent. */
  readonly unknown: string[]
  /** Answers to repetitions that were not those to the first. */
  readonly different: readonly string[]
  /** Keys under which different orders were placed. */
  readonly unclear: readonly string[]
  /** What `/ready` said that was not so. */
  readonly lies: readonly string[]
}

export async function checkHistory(
  history: History,
  contentsOf: ContentsOf,
  { orders, lies }: Pick<World, 'orders' | 'lies'>,
): Promise<Violations> {
  const found = {
    missing: [] as string[],
    twice: [] as string[],
    misplaced: [] as string[],
    outOfOrder: [] as string[],
    unknown: [] as string[],
    different: history.different,
    unclear: orders?.unclear() ?? [],
    lies,
  }
  for (const conversation of history.conversations) {
    const contents = await contentsOf(conversation)
    const name = (message: string) => `${conversation.resultId} ${message}`
    const last = new Map<string, number>()
    contents.forEach((message, index) => {
      if (contents.indexOf(message) !== index) found.twice.push(name(message))
      if (!conversation.sent.has(message)) found.unknown.push(name(message))
      const [client = '', turn] = message.split('-')
      if (Number(turn) < (last.get(client) ?? -1)) found.outOfOrder.push(name(message))
      last.set(client, Number(turn))
    })
    for (const { message, place } of conversation.acknowledged) {
      if (!contents.includes(message)) found.missing.push(name(message))
      else if (contents[place - 1] !== message) found.misplaced.push(name(message))
    }
  }
  return found
}

export const countViolations = (violations: Violations) =>
  Object.values(violations).reduce((sum, list: readonly string[]) => sum + list.length, 0)
