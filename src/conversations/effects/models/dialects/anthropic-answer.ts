import { type CommonCall, commonAnswer, commonUsage, recordsOf, textOr } from './common-format.ts'
import type { AnswerAccumulator } from './model-dialect.ts'

/** The function that a model is made to call when its answer has to fit a schema. */
export const structuredAnswerTool = 'answer'

/** Why a model stopped, by the names of the common format. */
const reasons: ReadonlyMap<unknown, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
])

/** Call of a model: of a function of the flow, or of the one that takes an answer by its schema. */
interface ToolUse {
  readonly id: string
  readonly name: string
  /** JSON. */
  input: string
}

/** Reads an answer of `POST /messages`; anything else stays as it is. */
export function readAnthropicAnswer(body: unknown): unknown {
  const { content, stop_reason: reason, usage } = Object(body) as Record<string, unknown>
  if (!Array.isArray(content)) return body
  const blocks = recordsOf(content)
  const text = blocks.map((block) => (block['type'] === 'text' ? textOr(block['text'], '') : '')).join('')
  const uses = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({
      id: String(id),
      name: String(name),
      input: JSON.stringify(input ?? {}),
    }))
  return answerOf({ text, uses, reason: reasons.get(reason) ?? 'stop', usage: commonUsage(usage) })
}

interface AnswerParts {
  readonly text: string
  readonly uses: readonly ToolUse[]
  readonly reason: string
  readonly usage: unknown
}

function answerOf({ text, uses, reason, usage }: AnswerParts): object {
  const answer = uses.find(({ name }) => name === structuredAnswerTool)
  if (answer) return commonAnswer({ text: answer.input, calls: [], finishReason: 'stop', usage })
  const calls = uses.map(
    ({ id, name, input }): CommonCall => ({ id, function: { name, arguments: input || '{}' } }),
  )
  return commonAnswer({ text, calls, finishReason: reason, usage })
}

/** The events of a streamed answer. */
export class AnthropicAccumulator implements AnswerAccumulator {
  #text = ''
  #reason: string | undefined
  #usage: Record<string, unknown> = {}
  readonly #uses = new Map<unknown, ToolUse>()

  add(chunk: unknown): string {
    const event = Object(chunk) as Record<string, unknown>
    const part = Object(event['delta']) as Record<string, unknown>
    switch (event['type']) {
      case 'message_start':
        this.#count((Object(event['message']) as Record<string, unknown>)['usage'])
        return ''
      case 'content_block_start':
        this.#open(event['index'], Object(event['content_block']))
        return ''
      case 'content_block_delta':
        return this.#continue(event['index'], part)
      case 'message_delta':
        this.#reason = reasons.get(part['stop_reason']) ?? 'stop'
        this.#count(event['usage'])
        return ''
      default:
        return ''
    }
  }

  get finishReason(): string | undefined {
    return this.#reason
  }

  get body(): object {
    return this.#answer([...this.#uses.values()], this.#reason ?? 'stop')
  }

  get cutOff(): object {
    return this.#answer([], 'length')
  }

  #answer(uses: readonly ToolUse[], reason: string): object {
    return answerOf({ text: this.#text, uses, reason, usage: commonUsage(this.#usage) })
  }

  #open(index: unknown, { type, id, name }: Record<string, unknown>): void {
    if (type === 'tool_use') this.#uses.set(index, { id: String(id), name: String(name), input: '' })
  }

  #continue(index: unknown, { type, text, partial_json: json }: Record<string, unknown>): string {
    const use = this.#uses.get(index)
    if (type === 'input_json_delta' && use) use.input += textOr(json, '')
    if (type !== 'text_delta') return ''
    const added = textOr(text, '')
    this.#text += added
    return added
  }

  #count(usage: unknown): void {
    Object.assign(this.#usage, usage)
  }
}
