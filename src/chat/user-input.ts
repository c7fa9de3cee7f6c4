import type { UserMessage } from '../../schemas/user-message.ts'
import type { UserInput } from '../engine/step.ts'
import { ServiceError } from '../errors.ts'

/**
 * What a request says to the conversation; undefined when it says nothing. Bare text is a text reply.
 * Throws BAD_REQUEST for a message that is too long.
 */
export function readUserInput(
  message: UserMessage | null | undefined,
  { replyLength }: { readonly replyLength: number },
): UserInput | undefined {
  if (message === undefined || message === null) return undefined
  const input = toUserInput(message)
  if (lengthOf(input) <= replyLength) return input
  const problem = { pointer: '/message', message: `must have at most ${replyLength} characters` }
  throw new ServiceError('BAD_REQUEST', 'The message is too long', { problems: [problem] })
}

function toUserInput(message: UserMessage): UserInput {
  if (typeof message === 'string') return { type: 'text', text: message }
  if (message.type === 'command') return { type: 'command', command: message.command }
  if (message.type === 'audio') return { type: 'audio', url: message.url }
  const { text, attachedFileUrls, metadata } = message
  return {
    type: 'text',
    text,
    ...(attachedFileUrls && { attachedFileUrls }),
    ...(metadata?.replyId !== undefined && { replyId: metadata.replyId }),
  }
}

function lengthOf(input: UserInput): number {
  if (input.type === 'command') return input.command.length
  if (input.type === 'audio') return input.url.length
  const { text, attachedFileUrls = [], replyId = '' } = input
  return attachedFileUrls.reduce((sum, url) => sum + url.length, text.length + replyId.length)
}
