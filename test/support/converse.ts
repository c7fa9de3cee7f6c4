import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import type { StartChatBody } from '../../schemas/start-chat.ts'
import type { ChatDependencies } from '../../src/conversations/dependencies.ts'
import type { Value } from '../../src/engine/values/value.ts'
import { anonymous } from '../../src/ports/caller.ts'
import { wholeDefinition } from './conformance.ts'
import type { Json } from './json.ts'
import { sandbox } from './sandbox.ts'
import { createTestChat } from './start.ts'
import { parseWire } from './wire.ts'

/** A conversation on a published flow, with the real sandbox. */
export interface Conversation {
  /** What the start returned. */
  readonly first: Json
  /** Goes on with a body that says a message, or with none. */
  say(message?: unknown): Promise<Json>
  /** What the variables hold, by name, as the result keeps it. */
  values(): Promise<Record<string, Value>>
}

/** Publishes a definition, which may be as short as those of conformance cases, and starts it. */
export async function converse(
  definition: Json,
  body: Json = {},
  given: Partial<Pick<ChatDependencies, 'limits'>> = {},
): Promise<Conversation> {
  const { chat, results } = createTestChat([wholeDefinition(definition)], { sandbox, ...given })
  const started = await chat.startPublished({
    publicId: 'flow-1',
    origin: undefined,
    body: body as StartChatBody,
  })
  const { textBubbleContentFormat } = body
  return {
    first: parseWire(started),
    async say(message) {
      const next = {
        ...(textBubbleContentFormat !== undefined && { textBubbleContentFormat }),
        ...(message !== undefined && { message }),
      } as ContinueChatBody
      return parseWire(
        await chat.continue({ caller: anonymous, sessionId: 'session-1', origin: undefined, body: next }),
      )
    },
    async values() {
      const result = await results.get('flow-1', 'result-1')
      return Object.fromEntries((result?.variables ?? []).map(({ name, value }) => [name, value]))
    },
  }
}

/** Declares variables by their names; the id of `Name` is `vName`. */
export function declare(values: Readonly<Record<string, unknown>>): Json[] {
  return Object.entries(values).map(([name, value]) => ({
    id: `v${name}`,
    name,
    ...(value !== undefined && { value }),
  }))
}

/** What a flow shows as the address of a picture: plain text, with placeholders replaced. */
export async function shownText(url: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> {
  const blocks = [{ id: 'm', type: 'image', content: { url } }]
  const { first } = await converse({ variables: declare(variables), blocks })
  return messagesOf(first)[0]?.content['url']
}

/** What a variable holds after blocks that write it under `T`; it held something before. */
export async function writtenValue(
  blocks: readonly Json[],
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Value> {
  const { values } = await converse({ variables: declare({ ...variables, T: 'before' }), blocks })
  return (await values())['T'] ?? null
}

export const messagesOf = (response: Json) =>
  response['messages'] as { id: string; type: string; content: Json }[]

export const logsOf = (response: Json) => (response['logs'] ?? []) as Json[]
