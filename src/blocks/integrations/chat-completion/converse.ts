import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { CompletionRequest } from '../../../engine/model/effect-payloads.ts'
import { ask, type Effects } from '../../../engine/model/effects.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import type { Assignment } from '../../../engine/model/step.ts'
import { addUsage, type ModelMessage, nothingUsed, readAnswer, type ToolCall, type Usage } from './answer.ts'
import { describeFailure } from './failure.ts'
import type { ChatMessage } from './messages.ts'
import { createToolRunner, type ToolRunner } from './tool-calls.ts'
import type { Tools } from './tools.ts'

/** How often a model is asked for one block, as it has functions called in between. */
const mostRounds = 6

/** What a model is asked. */
export interface CompletionQuestion extends Pick<CompletionRequest, 'blockType' | 'credentialsId'> {
  /** The request without its messages and functions. */
  readonly options: Readonly<Record<string, unknown>>
  readonly messages: readonly ChatMessage[]
  readonly tools: Tools
  /** Context of the logs about this completion. */
  readonly context: string
}

/** What a question led to. */
export interface CompletionRun {
  /** Undefined when the model gave no answer. */
  readonly answer: { readonly content: string; readonly usage: Usage } | undefined
  /** What its functions wrote. */
  readonly assignments: readonly Assignment[]
  readonly logs: readonly LogEntry[]
}

/** Asks a model, and calls the functions that it wants, until it answers. */
export function* runCompletion(question: CompletionQuestion, run: RunContext): Effects<CompletionRun> {
  const workshop = createToolRunner(question.tools, run)
  const functions = [...question.tools.values()].map((tool) => tool.describe(run))
  const tools = functions.length > 0 && { tools: functions, tool_choice: 'auto' }
  const { blockType, credentialsId, options } = question
  let messages: readonly object[] = question.messages
  let usage = nothingUsed
  let content = ''
  for (let round = 0; round < mostRounds; round++) {
    const body = { ...options, messages, ...tools }
    const outcome = yield* ask({ type: 'complete', completion: { blockType, credentialsId, body } })
    if (outcome.kind !== 'answer') return failed(workshop, describeFailure(outcome, question))
    const answer = readAnswer(outcome.body)
    if (!answer) return failed(workshop, describeFailure(saidNothing(outcome.body), question))
    usage = addUsage(usage, answer.usage)
    content = answer.message.content
    if (answer.message.toolCalls.length === 0) break
    messages = [...messages, ...(yield* callTools(answer.message, workshop))]
  }
  const { assignments, logs } = workshop
  return { answer: { content, usage }, assignments, logs }
}

/** Nothing is written then, so that a variable never holds half of what was meant. */
function failed({ logs }: ToolRunner, failure: LogEntry): CompletionRun {
  return { answer: undefined, assignments: [], logs: [...logs, failure] }
}

function saidNothing(body: unknown) {
  return {
    kind: 'failed',
    message: "The model's server answered without a message",
    details: JSON.stringify(body),
  } as const
}

/** What the model said, and what its functions gave, as the messages that go on from there. */
function* callTools({ content, toolCalls }: ModelMessage, workshop: ToolRunner): Effects<object[]> {
  const messages: object[] = [{ role: 'assistant', content, tool_calls: toolCalls.map(repeat) }]
  for (const call of toolCalls) {
    messages.push({ role: 'tool', tool_call_id: call.id, content: yield* workshop.call(call) })
  }
  return messages
}

function repeat({ id, name, arguments: given }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: given } }
}
