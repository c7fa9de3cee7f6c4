/** Message of a model, or its calls of functions. */
export interface ModelMessage {
  readonly content: string
  readonly toolCalls: readonly ToolCall[]
}

/** A function that a model wants to have called. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON, as far as the model keeps to it. */
  readonly arguments: string
}

/** Tokens of an answer; undefined where the server does not return them. */
export interface Usage {
  readonly prompt: number | undefined
  readonly completion: number | undefined
  readonly total: number | undefined
}

/** Reads the body of an answer; undefined when nothing is said in it. */
export function readAnswer(
  body: unknown,
): { id: string | undefined; message: ModelMessage; usage: Usage } | undefined {
  const { id, choices, usage } = Object(body) as { id?: unknown; choices?: unknown; usage?: unknown }
  const { message } = Object(first(choices)) as { message?: unknown }
  if (typeof message !== 'object' || message === null) return undefined
  const { content, tool_calls: calls } = message as { content?: unknown; tool_calls?: unknown }
  const toolCalls = listOf(calls).map(readToolCall)
  return {
    id: typeof id === 'string' ? id : undefined,
    message: { content: textOf(content), toolCalls },
    usage: readUsage(usage),
  }
}

/** Adds up what the rounds of one question cost. */
export function addUsage(one: Usage, other: Usage): Usage {
  const add = (a: number | undefined, b: number | undefined) => (b === undefined ? a : (a ?? 0) + b)
  return {
    prompt: add(one.prompt, other.prompt),
    completion: add(one.completion, other.completion),
    total: add(one.total, other.total),
  }
}

export const nothingUsed: Usage = { prompt: undefined, completion: undefined, total: undefined }

const first = (list: unknown): unknown => listOf(list)[0]

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Some servers cut a text into parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => (Object(part) as { text?: unknown }).text)
    .filter((text) => typeof text === 'string')
    .join('')
}

function readToolCall(call: unknown, index: number): ToolCall {
  const { id, function: called } = Object(call) as { id?: unknown; function?: unknown }
  const { name, arguments: given } = Object(called) as { name?: unknown; arguments?: unknown }
  return {
    id: typeof id === 'string' ? id : `call-${index}`,
    name: String(name),
    // Some servers send the object itself.
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
  }
}

function readUsage(usage: unknown): Usage {
  const counts = Object(usage) as Record<string, unknown>
  const count = (name: string) => {
    const value = counts[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  return {
    prompt: count('prompt_tokens'),
    completion: count('completion_tokens'),
    total: count('total_tokens'),
  }
}
