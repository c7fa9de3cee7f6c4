import type { McpRequest } from '../../schemas/mcp.ts'
import type { UserMessage } from '../../schemas/user-message.ts'
import { channelWordsOf } from '../channels/words.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { ServiceError } from '../lib/errors.ts'
import { answerTool, type FlowTool, listTools } from './flow-tools.ts'
import { formOf } from './form.ts'
import { answerFlow, lookAtFlow, type Standing, startFlow, type Visitor } from './lead-conversation.ts'
import { McpError } from './mcp-error.ts'
import { type CallResult, errorResult, presentStanding } from './present-standing.ts'
import { type ClientAbilities, isObject } from './read-message.ts'
import type { Bound, OpenQuestion, StateSeal } from './sealed-state.ts'

/** A call of a tool, and who makes it. */
export interface CalledTool {
  /** Name of the token: what was asked of one is answered by no other. */
  readonly principal: string
  readonly params: NonNullable<McpRequest['params']>
  readonly abilities: ClientAbilities
  readonly visitor: Visitor
  /** Address of the pages for visitors; undefined where there are none. */
  readonly pages: string | undefined
}

interface CallSources {
  readonly chat: ChatDependencies
  readonly seal: StateSeal
}

/** The name under which the one question of a turn is asked. */
const questionName = 'question'

/**
 * Calls a tool: starts its flow, or goes on with the conversation that the call brings. Throws McpError for what is no
 * call, and ServiceError where it is to be made again later.
 */
export async function callTool(call: CalledTool, sources: CallSources): Promise<CallResult> {
  try {
    return await makeCall(call, sources)
  } catch (error) {
    const isOfCall = error instanceof ServiceError && toldToModel.has(error.code)
    if (!isOfCall) throw error
    return errorResult(error.message)
  }
}

/** Refusals that are about the conversation: the assistant can do something else. */
const toldToModel: ReadonlySet<string> = new Set(['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT'])

async function makeCall(call: CalledTool, sources: CallSources): Promise<CallResult> {
  const { name, arguments: given = {}, requestState } = call.params
  if (name === undefined)
    throw new McpError('invalidParams', '/params/name is missing: a text, as `tools/list` names it')
  const tools = await listTools(sources.chat.published)
  const tool = tools.find((each) => each.name === name)
  if (!tool && name !== answerTool)
    throw new McpError('invalidParams', `There is no tool ${JSON.stringify(name)}: list them again`)
  const bound = [call.principal, name, argumentsText(given)]
  const known = { ...sources, tools, bound }
  if (requestState !== undefined) return goOnByState(call, requestState, known)
  if (!tool) return answerByHandle(call, known)
  const prefilled = readArguments(given, tool)
  return present(await startFlow(tool.flow.publicId, prefilled, { ...call, ...sources }), call, known)
}

interface Known extends CallSources {
  readonly tools: readonly FlowTool[]
  readonly bound: Bound
}

/** The same text for equal arguments, in whatever order they come. */
const argumentsText = (given: Readonly<Record<string, unknown>>) =>
  JSON.stringify(Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1)))

function readArguments(given: Readonly<Record<string, unknown>>, { arguments: known }: FlowTool) {
  for (const [name, value] of Object.entries(given)) {
    const place = `/params/arguments/${name}`
    if (!Object.hasOwn(known, name))
      throw new McpError('invalidParams', `${place}: the tool has no such argument`)
    if (typeof value !== 'string') throw new McpError('invalidParams', `${place} must be a text`)
  }
  return given
}

/** A retry of a call that was answered with a question. */
async function goOnByState(call: CalledTool, state: string, known: Known): Promise<CallResult> {
  const open = known.seal.open(state, known.bound)
  if (!open)
    throw new McpError('invalidParams', '/params/requestState is not of this call: begin anew without it')
  const response = call.params.inputResponses?.[questionName]
  const { visitor } = call
  // What is done on a page shows in the conversation.
  if (response === undefined || open.version === '')
    return present(await lookAtFlow(open, known), call, known)
  const { action, content } = response
  if (action !== 'accept') {
    const standing = await lookAtFlow(open, known)
    return present(standing, { ...call, abilities: { ...call.abilities, showsForms: false } }, known)
  }
  const standing = await lookAtFlow(open, known)
  if (standing.version !== open.version) throw stale()
  const message = replyIn(content, standing, { ...known, publicId: open.publicId })
  if (message === undefined) return present(standing, call, known)
  return present(await answered(open, message, { visitor, ...known }), call, known)
}

function replyIn(
  content: unknown,
  { input }: Standing,
  known: Known & { readonly publicId: string },
): UserMessage | undefined {
  if (!isObject(content) || !input) return undefined
  return formOf(input, wordsFor(known.publicId, known), known.chat.limits.replyLength).read(content)
}

async function answerByHandle(call: CalledTool, known: Known): Promise<CallResult> {
  const { handle, text } = call.params.arguments ?? {}
  if (typeof handle !== 'string')
    throw new McpError(
      'invalidParams',
      '/params/arguments/handle must be a text, as it came with the question',
    )
  if (text !== undefined && typeof text !== 'string')
    throw new McpError('invalidParams', '/params/arguments/text must be a text')
  const open = known.seal.open(handle, handleBound(call))
  if (!open) return errorResult('This handle is not valid: copy it as it came, or call the tool again.')
  const { visitor } = call
  if (!text) return present(await lookAtFlow(open, known), call, known)
  try {
    return await present(await answered(open, text, { visitor, ...known }), call, known)
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    return present(await lookAtFlow(open, known), call, known, error.message)
  }
}

async function answered(
  open: OpenQuestion,
  message: UserMessage,
  sources: CallSources & { readonly visitor: Visitor },
): Promise<Standing> {
  try {
    return await answerFlow(open, message, sources)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'PRECONDITION_FAILED') throw stale()
    throw error
  }
}

const stale = () =>
  new McpError('invalidParams', 'This question was answered already, and the conversation has gone on')

const handleBound = ({ principal }: CalledTool): Bound => [principal, 'handle']

function wordsFor(publicId: string, { tools }: Known) {
  const tool = tools.find(({ flow }) => flow.publicId === publicId)
  return channelWordsOf(tool?.flow.flow.settings ?? {})
}

/** Asks what a conversation waits for, by a form where the client has any, else in words. */
async function present(
  standing: Standing,
  call: CalledTool,
  known: Known,
  notice?: string,
): Promise<CallResult> {
  const words = wordsFor(standing.publicId, known)
  const { replyLength } = known.chat.limits
  return presentStanding(standing, {
    words,
    replyLength,
    notice,
    questionName,
    abilities: call.abilities,
    pages: call.pages,
    stateOf: (version) => known.seal.seal({ ...standing, version }, known.bound),
    handle: () => known.seal.seal(standing, handleBound(call)),
  })
}
