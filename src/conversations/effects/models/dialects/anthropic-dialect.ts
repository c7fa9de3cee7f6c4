import { parseRedacted } from '../../redact-secrets.ts'
import { AnthropicAccumulator, readAnthropicAnswer, structuredAnswerTool } from './anthropic-answer.ts'
import {
  type CommonBody,
  type CommonMessage,
  type CommonPart,
  type CommonTool,
  systemText,
} from './common-format.ts'
import type { ModelDialect } from './model-dialect.ts'

/** Tokens of an answer where the flow names no number: the format wants one. */
const usualTokens = 1024

/** The format of Anthropic's `POST /messages`. */
export const anthropicDialect: ModelDialect = {
  path: '/messages',
  headersOf: (apiKey) => [
    ['x-api-key', apiKey],
    ['anthropic-version', '2023-06-01'],
  ],
  write({ body, schema }, isStreamed) {
    const { model, messages, tools = [], temperature, max_tokens: maxTokens } = body as unknown as CommonBody
    const system = systemText(messages)
    return {
      model,
      max_tokens: maxTokens ?? usualTokens,
      ...(system !== '' && { system }),
      messages: writeMessages(messages),
      ...(temperature !== undefined && { temperature }),
      ...writeTools(tools, schema),
      ...(isStreamed && { stream: true }),
    }
  },
  read: readAnthropicAnswer,
  createAccumulator: () => new AnthropicAccumulator(),
  errorIn(chunk) {
    const { type, error } = Object(chunk) as Record<string, unknown>
    return type === 'error' ? (error ?? type) : undefined
  },
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: object[]
}

/** Says that there is something before what the model said first: a conversation begins with its user. */
const opening = { type: 'text', text: '(The conversation begins.)' }

/** Both speak by turns: what one says in a row is one message. */
function writeMessages(messages: readonly CommonMessage[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...writeContent(message))
    else turns.push({ role, content: writeContent(message) })
  }
  return turns[0]?.role === 'user' ? turns : [{ role: 'user', content: [opening] }, ...turns]
}

function writeContent({ role, content = '', tool_calls: calls = [], tool_call_id: id }: CommonMessage) {
  if (role === 'tool') return [{ type: 'tool_result', tool_use_id: id, content }]
  const uses = calls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.function.name,
    input: readInput(call.function.arguments),
  }))
  return [...(typeof content === 'string' ? said(content) : content.map(writePart)), ...uses]
}

/** An empty text is refused. */
const said = (text: string) => (text === '' ? [] : [{ type: 'text', text }])

function writePart(part: CommonPart): object {
  if (part.type === 'text') return part
  const { url } = part.image_url
  const [, type, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url) ?? []
  const source = type === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data }
  return { type: 'image', source }
}

/** Arguments with which a model called a function; it does not always write them as JSON. */
function readInput(text: string): object {
  return Object(parseRedacted(text, [])?.value)
}

function writeTools(tools: readonly CommonTool[], schema: object | undefined): object {
  if (schema) {
    const tool = { name: structuredAnswerTool, description: 'Takes the answer', input_schema: schema }
    return { tools: [tool], tool_choice: { type: 'tool', name: structuredAnswerTool } }
  }
  const functions = tools.flatMap(({ function: called }) => (called ? [called] : []))
  if (functions.length === 0) return {}
  const written = functions.map(({ name, description, parameters }) => ({
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters,
  }))
  return { tools: written, tool_choice: { type: 'auto' } }
}
