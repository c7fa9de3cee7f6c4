import type { UserMessage } from '../../../schemas/user-message.ts'
import type { Conversation } from '../../engine/model/conversation.ts'
import type { UserInput } from '../../engine/model/step.ts'
import { ServiceError } from '../../lib/errors.ts'

/** Reads the reply in the message of a request; undefined without one. Bare text is a text reply. */
export function readUserInput(message: UserMessage | null | undefined): UserInput | undefined {
  if (message === undefined || message === null) return undefined
  if (typeof message === 'string') return { type: 'text', text: message.toWellFormed() }
  if (message.type === 'command') return { type: 'command', command: message.command }
  if (message.type === 'audio') return { type: 'audio', url: message.url.toWellFormed() }
  const { text, attachedFileUrls, metadata } = message
  return {
    type: 'text',
    text: text.toWellFormed(),
    ...(attachedFileUrls && { attachedFileUrls: attachedFileUrls.map((url) => url.toWellFormed()) }),
    ...(metadata?.replyId !== undefined && { replyId: metadata.replyId }),
  }
}

/**
 * Throws BAD_REQUEST for what a visitor can't mean to say, with the texts that it is joined with. What clients send back to
 * actions may be longer.
 */
export function checkLength(
  input: UserInput | undefined,
  { replyLength }: { readonly replyLength: number },
  gathered: Conversation['gathered'] = [],
): void {
  if (!input) return
  const joined = input.type === 'text' ? gathered : []
  const length = joined.reduce((sum, { text }) => sum + text.length + 1, lengthOf(input))
  if (length <= replyLength) return
  const problem = { pointer: '/message', message: `must have at most ${replyLength} characters` }
  throw new ServiceError('BAD_REQUEST', 'The message is too long', { problems: [problem] })
}

function lengthOf(input: UserInput): number {
  if (input.type === 'command') return input.command.length
  if (input.type === 'audio') return input.url.length
  const { text, attachedFileUrls = [], replyId = '' } = input
  return attachedFileUrls.reduce((sum, url) => sum + url.length, text.length + replyId.length)
}
