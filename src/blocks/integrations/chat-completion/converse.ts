import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { CompletionRequest } from '../../../engine/model/effect-payloads.ts'
import { ask, type Effects } from '../../../engine/model/effects.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import type { Assignment } from '../../../engine/model/step.ts'
import { type ConfiguredBlock, describeFailure } from './action.ts'
import { addUsage, type ModelMessage, nothingUsed, readAnswer, type ToolCall, type Usage } from './answer.ts'
import { describeMcpTool, openMcpTools } from './mcp-tools.ts'
import type { ChatMessage } from './messages.ts'
import { createToolRunner, type ToolRunner } from './tool-calls.ts'
import type { Tools } from './tools.ts'

/** Questions to a model for one block, with calls of functions in between; one that remembers needs more of them. */
const mostRounds = { common: 6, responses: 10 } as const

interface CompletionQuestion
  extends Pick<CompletionRequest, 'blockType' | 'credentialsId' | 'dialect' | 'schema'> {
  /** The request without its messages and functions. */
  readonly options: Readonly<Record<string, unknown>>
  readonly messages: readonly ChatMessage[]
  readonly tools: Tools
  readonly mcpServers?: ConfiguredBlock['options']['mcpServers']
  /** Tools that the maker of the model runs. */
  readonly builtInTools?: readonly object[]
  /** Context of the logs about this completion. */
  readonly context: string
}

interface CompletionRun {
  /** Undefined when the model gave no answer. */
  readonly answer:
    | { readonly content: string; readonly usage: Usage; readonly id: string | undefined }
    | undefined
  /** Variables that its functions wrote. */
  readonly assignments: readonly Assignment[]
  readonly logs: readonly LogEntry[]
}

/** Asks a model, and calls the functions that it wants, until it answers. */
export function* runCompletion(question: CompletionQuestion, run: RunContext): Effects<CompletionRun> {
  const remote = yield* openMcpTools(question.mcpServers, run)
  const workshop = createToolRunner({ ...question, remote }, run)
  const { builtInTools = [] } = question
  const own = [...question.tools.values()].map((tool) => tool.describe(run))
  const functions = [...builtInTools, ...own, ...[...remote.tools.values()].map(describeMcpTool)]
  const tools = functions.length > 0 && { tools: functions, tool_choice: 'auto' }
  const { blockType, credentialsId, dialect, schema } = question
  const format = { ...(dialect && { dialect }), ...(schema && { schema }) }
  let { options } = question
  let messages: readonly object[] = question.messages
  let usage = nothingUsed
  let content = ''
  let id: string | undefined
  for (let round = 0; round < mostRounds[dialect ?? 'common']; round++) {
    const body = { ...options, messages, ...tools }
    const outcome = yield* ask({
      type: 'complete',
      completion: { blockType, credentialsId, body, ...format },
    })
    if (outcome.kind !== 'answer') return failed(workshop, describeFailure(outcome, question))
    const answer = readAnswer(outcome.body)
    if (!answer) return failed(workshop, describeFailure(saidNothing(outcome.body), question))
    usage = addUsage(usage, answer.usage)
    content = answer.message.content
    id = answer.id
    if (answer.message.toolCalls.length === 0) break
    const said = yield* callTools(answer.message, workshop)
    // The server remembers the conversation by the id of the answer.
    if (dialect === 'responses') {
      messages = [...systemOf(question), ...said]
      options = { ...options, previous_response_id: id }
    } else messages = [...messages, ...said]
  }
  const { assignments, logs } = workshop
  return { answer: { content, usage, id }, assignments, logs }
}

/** Instructions hold for one question only. */
const systemOf = ({ messages }: CompletionQuestion) => messages.filter(({ role }) => role === 'system')

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

/** The model's message and the results of its function calls, as the messages that go on from there. */
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
