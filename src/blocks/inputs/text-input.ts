import { TextInput, TextInputBlock } from '../../../schemas/blocks/inputs/texts.ts'
import { defineBlock, type RunContext, type UploadRules } from '../../engine/model/block-handler.ts'
import type { Assignment, ReplyResult } from '../../engine/model/step.ts'
import { compileRenderedInput, type RenderedInput, renderInput } from './lib/render-input.ts'
import { refuse } from './lib/reply-result.ts'

interface CompiledTextInput extends RenderedInput {
  /** Variable for attached files, when attachments are on. */
  readonly attachmentsVariableId: string | undefined
  /** Variable for recordings, when audio clips are on. */
  readonly audioClipVariableId: string | undefined
  readonly uploads: UploadRules | undefined
}

/** Asks for text, and takes any, empty included (docs/behaviour/inputs.md, "Text input"). */
export const textInput = defineBlock<TextInputBlock, CompiledTextInput>({
  schema: TextInputBlock,
  kind: 'input',
  compile: (block, context) => ({
    ...compileRenderedInput(block, TextInput, context),
    attachmentsVariableId: targetOf(block.options?.attachments),
    audioClipVariableId: targetOf(block.options?.audioClip),
    uploads: uploadRulesOf(block.options),
  }),
  inputName: 'text',
  run: renderInput,
  readsTextsForReply: false,
  joinsReplies: true,
  reply: (compiled, reply, context) => {
    if (!reply) return refuse('it is empty')
    if (reply.type === 'audio') return accept(reply.url, assign(compiled.audioClipVariableId, reply.url))
    if (!reply.attachedFileUrls?.length) return { outcome: 'accepted', content: reply.text }
    return accept(reply.text, attach(compiled.attachmentsVariableId, reply.attachedFileUrls, context))
  },
  uploads: ({ uploads }) => uploads,
  answerVariableId: ({ variableId }) => variableId,
  marks: {
    refuses: 'nothing',
    takesUploads: ({ options }) => uploadRulesOf(options) !== undefined,
    usualAnswers: ['Ada'],
  },
})

function targetOf(upload: { isEnabled?: boolean; saveVariableId?: string } | undefined): string | undefined {
  return upload?.isEnabled ? upload.saveVariableId : undefined
}

/** Recordings go where files sent along go (docs/behaviour/inputs.md, "Uploads"). */
function uploadRulesOf({ attachments, audioClip }: TextInputBlock['options'] = {}): UploadRules | undefined {
  if (!attachments?.isEnabled && !audioClip?.isEnabled) return undefined
  return { extensions: undefined, visibility: attachments?.visibility ?? 'Auto' }
}

function accept(content: string, assignments: readonly Assignment[]): ReplyResult {
  return { outcome: 'accepted', content, ...(assignments.length > 0 && { assignments }) }
}

function assign(variableId: string | undefined, value: unknown): readonly Assignment[] {
  return variableId === undefined ? [] : [{ variableId, value }]
}

/** One file is a text, several are a list; a variable that is a list already grows. */
function attach(
  variableId: string | undefined,
  urls: readonly string[],
  { variables }: RunContext,
): readonly Assignment[] {
  if (variableId === undefined) return []
  const current = variables.get(variableId)
  if (Array.isArray(current)) return assign(variableId, [...current, ...urls])
  return assign(variableId, urls.length === 1 ? urls[0] : urls)
}
