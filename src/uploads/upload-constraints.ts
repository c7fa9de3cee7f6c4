import { turnOptions } from '../chat/turn/run-turn.ts'
import type { UploadRules } from '../engine/model/block-handler.ts'
import type { Conversation } from '../engine/model/conversation.ts'
import { createTurn } from '../engine/turn/create-turn.ts'
import { bareType, extensionFor } from '../engine/values/file-types.ts'
import { ServiceError } from '../errors.ts'

/** Which files the conversation waits for. Throws BAD_REQUEST when it waits for none (docs/api.md, "Uploads"). */
export function uploadConstraintsOf(
  conversation: Conversation,
  chat: Parameters<typeof turnOptions>[1],
): UploadRules {
  const block = conversation.waitingBlock
  if (!block) throw new ServiceError('BAD_REQUEST', "Can't find currentBlockId in session state")
  // Costs no more than showing the input did, and that was within the budgets of a turn.
  const context = createTurn(conversation, turnOptions({}, chat)).contextOf(block)
  const rules = block.handler?.uploads?.(block.compiled, context)
  if (!rules) throw new ServiceError('BAD_REQUEST', 'Current block does not expect file upload')
  return rules
}

/** Checks the type of a file; its bare name, and the extension that goes with it. Throws BAD_REQUEST. */
export function checkUploadType(declaredType: string | undefined, { extensions }: UploadRules) {
  const type = bareType(declaredType ?? '')
  if (type === '')
    throw new ServiceError('BAD_REQUEST', 'The type of the file is missing: send it as fileType')
  const extension = extensionFor(type)
  if (extension === undefined || extensions?.has(extension) === false) {
    throw new ServiceError('BAD_REQUEST', `File type ${type} not allowed`)
  }
  return { type, extension }
}
