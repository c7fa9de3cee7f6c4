import {
  type CommonBody,
  type CommonMessage,
  type CommonPart,
  type CommonTool,
  commonAnswer,
  commonUsage,
  recordsOf,
  systemText,
  textOr,
} from './common-format.ts'
import type { AnswerAccumulator, ModelDialect } from './model-dialect.ts'

/** The format of OpenAI's `POST /responses`, which remembers conversations. */
export const responsesDialect: ModelDialect = {
  path: '/responses',
  headersOf: (apiKey) => [['authorization', `Bearer ${apiKey}`]],
  write({ body }, isStreamed) {
    const {
      model,
      messages,
      tools = [],
      temperature,
      previous_response_id: previous,
    } = body as unknown as CommonBody
    const instructions = systemText(messages)
    return {
      model,
      input: messages.flatMap(writeItems),
      ...(instructions !== '' && { instructions }),
      ...(tools.length > 0 && { tools: tools.map(writeTool) }),
      ...(previous !== undefined && { previous_response_id: previous }),
      store: true,
      ...(temperature !== undefined && { temperature }),
      ...(isStreamed && { stream: true }),
    }
  },
  read: readResponse,
  createAccumulator: () => new ResponseAccumulator(),
  errorIn(chunk) {
    const { type, response, ...event } = Object(chunk) as Record<string, unknown>
    if (type === 'error') return event
    return type === 'response.failed' ? (Object(response) as Record<string, unknown>)['error'] : undefined
  },
}

function writeItems({ role, content = '', tool_call_id: id }: CommonMessage): object[] {
  if (role === 'tool') return [{ type: 'function_call_output', call_id: id, output: content }]
  if (role !== 'user') return []
  return [{ role, content: typeof content === 'string' ? [writeText(content)] : content.map(writePart) }]
}

const writeText = (text: string) => ({ type: 'input_text', text })

function writePart(part: CommonPart): object {
  if (part.type === 'text') return writeText(part.text)
  return { type: 'input_image', image_url: part.image_url.url, detail: 'auto' }
}

/** Tools that the maker brings along, such as a search, are written as they are. */
function writeTool({ function: called, ...tool }: CommonTool): object {
  return called ? { ...tool, ...called } : tool
}

/** Reads a response; anything else stays as it is. */
function readResponse(body: unknown): unknown {
  const { id, output, status, usage } = Object(body) as Record<string, unknown>
  if (!Array.isArray(output) || status === 'failed') return body
  const items = recordsOf(output)
  const text = items
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => recordsOf(content))
    .map((part) => (part['type'] === 'output_text' ? textOr(part['text'], '') : ''))
    .join('')
  const calls = items
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id: callId, name, arguments: given }) => ({
      id: String(callId),
      function: { name: String(name), arguments: textOr(given, '{}') },
    }))
  const finishReason = status === 'incomplete' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'
  return commonAnswer({ id, text, calls, finishReason, usage: commonUsage(usage) })
}

interface Whole {
  readonly choices?: readonly { readonly finish_reason: string }[]
}

/** The events of a streamed response: its last one holds all of it. */
class ResponseAccumulator implements AnswerAccumulator {
  #text = ''
  #whole: Whole | undefined

  add(chunk: unknown): string {
    const { type, delta, response } = Object(chunk) as Record<string, unknown>
    if (type === 'response.completed' || type === 'response.incomplete') {
      this.#whole = Object(readResponse(response)) as Whole
    }
    if (type !== 'response.output_text.delta' || typeof delta !== 'string') return ''
    this.#text += delta
    return delta
  }

  get finishReason(): string | undefined {
    return this.#whole?.choices?.[0]?.finish_reason
  }

  get body(): object {
    return this.#whole ?? this.cutOff
  }

  get cutOff(): object {
    return commonAnswer({ text: this.#text, calls: [], finishReason: 'length', usage: undefined })
  }
}
