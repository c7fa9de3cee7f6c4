import type { SpanAttributes } from '../../ports/spans-port.ts'
import { spanNames } from './span-names.ts'

/** Characters of all messages of one question; of a longer one the last are sent. */
const longestMessages = 32 * 1024

/** Characters of one text. */
const longestText = 8 * 1024

/** A message as servers of models take and give it. */
interface ModelMessage {
  readonly role?: unknown
  readonly content?: unknown
  readonly tool_call_id?: unknown
  readonly tool_calls?: unknown
}

/** Attributes of the messages to a model and from it, by the GenAI conventions: only on request of the operator. */
export function messageAttributes(messages: unknown, answer: unknown): SpanAttributes {
  const { choices } = Object(answer) as { readonly choices?: unknown }
  const said = listOf(choices).map((choice) => {
    const { message, finish_reason: reason } = Object(choice) as {
      message?: unknown
      finish_reason?: unknown
    }
    return { ...describeMessage(message), finish_reason: cut(reason) || 'stop' }
  })
  return {
    [spanNames.inputMessages]: writeLast(listOf(messages).map(describeMessage)),
    ...(said.length > 0 && { [spanNames.outputMessages]: writeLast(said) }),
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function describeMessage(message: unknown) {
  const { role, content, tool_call_id: answered, tool_calls: calls } = Object(message) as ModelMessage
  const isAnswer = typeof answered === 'string'
  const said = isAnswer
    ? [{ type: 'tool_call_response', id: answered, response: cut(content) }]
    : partsOf(content)
  return { role: cut(role) || 'assistant', parts: [...said, ...listOf(calls).map(describeCall)] }
}

function partsOf(content: unknown): object[] {
  if (content === '') return []
  if (typeof content === 'string') return [{ type: 'text', content: cut(content) }]
  return listOf(content).map((part) => {
    const { type, text } = Object(part) as { readonly type?: unknown; readonly text?: unknown }
    // Images and files are as long as they like: their type is sent, and nothing of their content.
    return typeof text === 'string' ? { type: 'text', content: cut(text) } : { type: cut(type) }
  })
}

function describeCall(call: unknown): object {
  const { id, function: called } = Object(call) as { readonly id?: unknown; readonly function?: unknown }
  const { name, arguments: given } = Object(called) as {
    readonly name?: unknown
    readonly arguments?: unknown
  }
  return { type: 'tool_call', id: cut(id), name: cut(name), arguments: cut(given) }
}

/** Empty for what is no text: a server of a model can answer anything. */
const cut = (text: unknown) => (typeof text === 'string' ? text.slice(0, longestText).toWellFormed() : '')

/** As many of the last messages as there is room for, as JSON. */
function writeLast(messages: readonly object[]): string {
  const written: string[] = []
  let left = longestMessages
  for (const message of messages.toReversed()) {
    const text = JSON.stringify(message)
    left -= text.length
    if (left < 0) break
    written.unshift(text)
  }
  return `[${written.join(',')}]`
}
