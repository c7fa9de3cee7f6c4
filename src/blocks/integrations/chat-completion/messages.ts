import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import type { ConfiguredBlock, GivenMessage } from './action.ts'
import { type ContentPart, splitImages } from './image-parts.ts'

/** A message as a model gets it. */
export interface ChatMessage {
  readonly role: string
  readonly content: string | readonly ContentPart[]
}

/** Yields the messages that one row of a block stands for. */
type Row = (context: RunContext) => readonly ChatMessage[]

/** The messages to a model, as templates. */
export type Messages = readonly Row[]

const spokenRoles = new Set(['system', 'user', 'assistant'])

/** Prepares the messages of a block; rows without a known role say nothing. */
export function compileMessages(
  { messages = [], systemMessage }: ConfiguredBlock['options'],
  context: CompileContext,
): Messages {
  const rows = messages.map((message, index) => compileRow(message, `/options/messages/${index}`, context))
  if (!systemMessage) return rows
  return [spoken('system', context.text(systemMessage, '/options/systemMessage')), ...rows]
}

function compileRow(message: GivenMessage, at: string, context: CompileContext): Row {
  const { role = '', content = '', dialogueVariableId } = message
  if (spokenRoles.has(role)) return spoken(role, context.text(content, `${at}/content`))
  if (role.startsWith('Messages sequence')) return sequence(message)
  if (role !== 'Dialogue' || !dialogueVariableId) return () => []
  return dialogue(dialogueVariableId, message.startsBy ?? 'user')
}

function spoken(role: string, template: TextTemplate): Row {
  return (context) => said(role, context.text(template))
}

/** The elements of a list by turns: an empty one says nothing, and still takes its turn. */
function dialogue(variableId: string, startsBy: 'user' | 'assistant'): Row {
  const roles = startsBy === 'user' ? ['user', 'assistant'] : ['assistant', 'user']
  return ({ variables, spend }) => {
    const value = variables.get(variableId) ?? []
    const elements = typeof value === 'string' ? [value] : value
    return elements.flatMap((content, index) => {
      spend(content?.length ?? 0)
      return said(roles[index % 2] as string, content ?? '')
    })
  }
}

/** The elements of two lists by turns, as long as there are any. */
function sequence({ userMessagesVariableId, assistantMessagesVariableId }: GivenMessage): Row {
  return ({ variables, spend }) => {
    const [asked, answered] = [userMessagesVariableId, assistantMessagesVariableId].map((id) => {
      const value = id === undefined ? null : variables.get(id)
      return typeof value === 'string' ? [value] : (value ?? [])
    }) as [readonly (string | null)[], readonly (string | null)[]]
    const longer = asked.length > answered.length ? asked : answered
    return longer.flatMap((_, index) => {
      const [question, answer] = [asked[index] ?? '', answered[index] ?? '']
      spend(question.length + answer.length)
      return [...said('user', question), ...said('assistant', answer)]
    })
  }
}

const said = (role: string, content: string): ChatMessage[] => (content === '' ? [] : [{ role, content }])

/**
 * Fills the messages in, each text once: what a visitor wrote is never looked at again, but for images where the model is
 * to see them.
 */
export function renderMessages(messages: Messages, context: RunContext, hasVision: boolean): ChatMessage[] {
  const said = messages.flatMap((row) => row(context))
  return hasVision ? said.map(showImages) : said
}

function showImages(message: ChatMessage): ChatMessage {
  const { role, content } = message
  return role === 'user' && typeof content === 'string' ? { role, content: splitImages(content) } : message
}
