import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import { parseJson } from '../../json-texts.ts'
import type { ConfiguredBlock, GivenMessage } from './action.ts'

/** A message as a model gets it. */
export interface ChatMessage {
  readonly role: string
  readonly content: string | readonly ContentPart[]
}

/** Yields the messages that one row of a block stands for. */
type Row = (context: RunContext) => readonly ChatMessage[]

/** The messages to a model, as templates. */
type Messages = readonly Row[]

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

/** A part of what a user says. */
type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** Images of one text; what else it has addresses of stays text. */
const mostImages = 20

/** Addresses of images, by their ends: nothing is fetched to find out. */
const imageAddress = /^https?:\/\/\S+\.(?:png|jpe?g|gif|webp)(?:\?\S*)?$/i

/**
 * Cuts a text at its blank lines: a piece that is the address of an image, or a list of some, is shown to the model. The
 * same text where there is none.
 */
export function splitImages(text: string): string | readonly ContentPart[] {
  if (!text.includes('http')) return text
  const parts: ContentPart[] = []
  let images = 0
  for (const piece of text.split(/\n[^\S\n]*\n/)) {
    const addresses = addressesIn(piece)
    if (addresses.length > 0 && images + addresses.length <= mostImages) {
      images += addresses.length
      parts.push(...addresses.map((url) => ({ type: 'image_url' as const, image_url: { url } })))
      continue
    }
    const last = parts.at(-1)
    if (last?.type === 'text') parts.splice(-1, 1, { type: 'text', text: `${last.text}\n\n${piece}` })
    else if (piece.trim() !== '') parts.push({ type: 'text', text: piece })
  }
  return images === 0 ? text : parts
}

/** Addresses of images that a piece of text consists of; none where it holds anything else. */
function addressesIn(piece: string): readonly string[] {
  const text = piece.trim()
  if (!/^(?:\["\s*)?https?:/i.test(text)) return []
  const listed: unknown = text.startsWith('[') ? parseJson(text)?.value : text.split(/,\s+/)
  if (!Array.isArray(listed)) return []
  const isImages = listed.every((address) => typeof address === 'string' && imageAddress.test(address))
  return isImages ? listed : []
}
