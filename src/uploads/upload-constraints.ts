import { turnOptions } from '../conversations/turn/run-turn.ts'
import type { UploadRules } from '../engine/model/block-handler.ts'
import type { Conversation } from '../engine/model/conversation.ts'
import { createTurn } from '../engine/turn/block-context.ts'
import { bareType, extensionFor, extensionOf, typeFor } from '../engine/values/file-types.ts'
import { notOffered } from './upload-errors.ts'

const waitsForNoFile = 'waits for no file now: ask once its input takes one, as a file input does'

/** Which files the conversation waits for. Throws BAD_REQUEST when it waits for none (docs/api.md, "Uploads"). */
export function uploadConstraintsOf(
  conversation: Conversation,
  chat: Parameters<typeof turnOptions>[0],
): UploadRules {
  const block = conversation.waitingBlock
  if (!block) throw notOffered("Can't find currentBlockId in session state", '/sessionId', waitsForNoFile)
  // Costs no more than showing the input did, and that was within the budgets of a turn.
  const { context } = createTurn(conversation, turnOptions(chat))
  context.begin(block)
  const rules = block.handler?.uploads?.(block.compiled, context)
  if (!rules) throw notOffered('Current block does not expect file upload', '/sessionId', waitsForNoFile)
  return rules
}

/** Type that browsers name for a file whose type their system does not know. */
const unknownType = 'application/octet-stream'

interface DeclaredFile {
  readonly fileName?: string
  readonly fileType?: string
}

/**
 * Decides what a file is kept as: by its type, and where that is unknown or not asked for, by the extension of its name,
 * as systems differ in what they call a table or an archive. The bare type, and the extension of the table that goes with
 * it. Throws BAD_REQUEST for a file that is not asked for.
 */
export function checkUploadType({ fileName = '', fileType = '' }: DeclaredFile, { extensions }: UploadRules) {
  const declared = bareType(fileType)
  const byName = fileName.includes('.') ? typeFor(extensionOf(fileName)) : undefined
  const isUnknown = declared === '' || declared === unknownType
  for (const type of isUnknown ? [byName, unknownType] : [declared, byName]) {
    const extension = type === undefined ? undefined : extensionFor(type)
    if (type !== undefined && extension !== undefined && extensions?.has(extension) !== false)
      return { type, extension }
  }
  const sentence = `File type ${declared || unknownType} not allowed`
  throw notOffered(sentence, '/fileType', extensions ? notTaken(extensions) : notKept)
}

const notKept =
  'is kept of no file: send the type by which browsers know it, such as application/pdf, and pack another kind of file as a zip'

function notTaken(extensions: ReadonlySet<string>): string {
  if (extensions.size === 0) return 'is not taken: the input names no type of files that is known here'
  return `is not taken by the input that waits: send a file of ${[...extensions].sort().join(', ')}`
}
