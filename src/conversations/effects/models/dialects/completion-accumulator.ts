import type { AnswerAccumulator } from './model-dialect.ts'

interface Chunk {
  readonly choices?: unknown
  readonly usage?: unknown
}

interface Delta {
  readonly content?: unknown
  readonly tool_calls?: unknown
}

interface CallPart {
  readonly index?: unknown
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown }
}

interface Call {
  id: string
  name: string
  arguments: string
}

/** The answer of a model as it comes in, chunk by chunk; in the end the same as one that came whole. */
export class CompletionAccumulator implements AnswerAccumulator {
  #text = ''
  #usage: unknown
  #finishReason: string | undefined
  readonly #calls = new Map<unknown, Call>()

  add(chunk: unknown): string {
    const { choices, usage } = Object(chunk) as Chunk
    if (usage) this.#usage = usage
    const [choice] = Array.isArray(choices) ? choices : []
    const { delta, finish_reason: reason } = Object(choice) as { delta?: Delta; finish_reason?: unknown }
    if (typeof reason === 'string') this.#finishReason = reason
    const { content, tool_calls: calls } = Object(delta) as Delta
    if (Array.isArray(calls)) for (const part of calls) this.#addToCall(Object(part))
    if (typeof content !== 'string') return ''
    this.#text += content
    return content
  }

  get finishReason(): string | undefined {
    return this.#finishReason
  }

  get body(): object {
    const calls = [...this.#calls.values()]
    const toolCalls = calls.map(({ id, ...called }) => ({ id, type: 'function', function: called }))
    const message = {
      role: 'assistant',
      content: this.#text,
      ...(calls.length > 0 && { tool_calls: toolCalls }),
    }
    return { choices: [{ message, finish_reason: this.#finishReason }], usage: this.#usage }
  }

  get cutOff(): object {
    const message = { role: 'assistant', content: this.#text }
    return { choices: [{ message, finish_reason: 'length' }], usage: this.#usage }
  }

  #addToCall({ index = 0, id, function: called }: CallPart): void {
    const call = this.#calls.get(index) ?? { id: `call-${this.#calls.size}`, name: '', arguments: '' }
    this.#calls.set(index, call)
    const { name, arguments: given } = Object(called) as NonNullable<CallPart['function']>
    if (typeof id === 'string' && id !== '') call.id = id
    if (typeof name === 'string') call.name += name
    if (typeof given === 'string') call.arguments += given
  }
}
