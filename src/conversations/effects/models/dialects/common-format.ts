/** The parts of the common format that dialects look into; what came from outside is checked before it is this. */
export interface CommonMessage {
  readonly role: string
  readonly content?: string | readonly CommonPart[]
  readonly tool_calls?: readonly CommonCall[]
  readonly tool_call_id?: string
}

export type CommonPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

export interface CommonCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface CommonTool {
  readonly type: string
  readonly function?: { readonly name: string; readonly description?: string; readonly parameters: object }
}

/** The body of a question, as blocks write it. */
export interface CommonBody {
  readonly model: string
  readonly messages: readonly CommonMessage[]
  readonly tools?: readonly CommonTool[]
  readonly temperature?: number
  readonly max_tokens?: number
  readonly previous_response_id?: string
}

interface CommonAnswer {
  readonly id?: unknown
  readonly text: string
  readonly calls: readonly CommonCall[]
  readonly finishReason: string
  readonly usage: unknown
}

/** An answer in the common format. */
export function commonAnswer({ id, text, calls, finishReason, usage }: CommonAnswer): object {
  const toolCalls = calls.map((call) => ({ type: 'function', ...call }))
  const message = {
    role: 'assistant',
    content: text,
    ...(calls.length > 0 && { tool_calls: toolCalls }),
  }
  return { ...(id !== undefined && { id }), choices: [{ message, finish_reason: finishReason }], usage }
}

/** Usage as the servers of some makers return it, in the common format. */
export function commonUsage(usage: unknown): object | undefined {
  const { input_tokens: prompt, output_tokens: completion } = Object(usage) as Record<string, unknown>
  if (typeof prompt !== 'number' || typeof completion !== 'number') return undefined
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

/** The texts of the system, which other formats want apart. */
export function systemText(messages: readonly CommonMessage[]): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n\n')
}

/** The elements of what came in as a list, each as an object. */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map((element) => Object(element)) : []
}

export const textOr = (value: unknown, other: string) => (typeof value === 'string' ? value : other)
