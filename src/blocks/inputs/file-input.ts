import { FileInput, FileInputBlock } from '../../../schemas/blocks/inputs/files-and-payments.ts'
import {
  type CompileContext,
  defineBlock,
  type RunContext,
  type UploadRules,
} from '../../engine/model/block-handler.ts'
import type { ReplyResult } from '../../engine/model/step.ts'
import { compileJson } from '../../engine/templates/json-template.ts'
import { extensionOf, extensionsOf } from '../../engine/values/file-types.ts'
import { compileRenderedInput, type RenderedInput, renderInput, writtenText } from './lib/render-input.ts'
import { refuse } from './lib/reply-result.ts'
import { isFullWebAddress } from './lib/web-address.ts'

interface CompiledFileInput extends RenderedInput {
  readonly isRequired: boolean
  readonly isMultipleAllowed: boolean
  readonly visibility: UploadRules['visibility']
  readonly maxBytes: number | undefined
  /** The extensions of the only files that are taken; undefined when all are. */
  readonly allowed: ((context: RunContext) => ReadonlySet<string>) | undefined
}

/** Asks for files, which arrive as addresses of uploads (docs/behaviour/inputs.md, "File input"). */
export const fileInput = defineBlock<FileInputBlock, CompiledFileInput>({
  schema: FileInputBlock,
  kind: 'input',
  compile: (block, context) => ({
    ...compileRenderedInput(block, FileInput, context),
    isRequired: block.options?.isRequired !== false,
    isMultipleAllowed: block.options?.isMultipleAllowed === true,
    visibility: block.options?.visibility ?? 'Auto',
    maxBytes: sizeLimitOf(block, context),
    allowed: compileAllowed(block, context),
  }),
  inputName: 'file',
  run: renderInput,
  reply: (compiled, reply, context) => {
    if (!reply) return compiled.isRequired ? refuse('a file is required') : { outcome: 'skipped' }
    return judgeAddresses(compiled, reply.type === 'audio' ? reply.url : reply.text, context)
  },
  uploads: ({ allowed, visibility, maxBytes }, context) => ({
    extensions: allowed?.(context),
    visibility,
    maxBytes,
  }),
  answerVariableId: ({ variableId }) => variableId,
  marks: { takesUploads: () => true, usualAnswers: [null] },
})

/** Limit in bytes; later versions leave it to the service. */
function sizeLimitOf({ options }: FileInputBlock, { isLegacy }: CompileContext): number | undefined {
  const { sizeLimit = 0 } = options ?? {}
  return isLegacy && sizeLimit > 0 ? Math.floor(sizeLimit * 1024 * 1024) : undefined
}

function compileAllowed({ options }: FileInputBlock, context: CompileContext): CompiledFileInput['allowed'] {
  const { isEnabled, types = [] } = options?.allowedFileTypes ?? {}
  if (!isEnabled || types.length === 0) return undefined
  const template = compileJson<readonly string[]>(types, { compile: (type) => writtenText(type, context) })
  if (!template.constant) return (run) => extensionsOf(run.render<readonly string[]>(template).value)
  const extensions = extensionsOf(template.constant.value)
  if (extensions.size === 0) {
    const hint = 'None of these types is known to this server, so every file is refused.'
    context.report({ code: 'invalid-option', severity: 'error', at: '/options/allowedFileTypes/types', hint })
  }
  return () => extensions
}

function judgeAddresses(compiled: CompiledFileInput, text: string, context: RunContext): ReplyResult {
  const addresses = text.split(', ')
  const allowed = compiled.allowed?.(context)
  if (!addresses.every((address) => isFullWebAddress(address, context.publicUrl)))
    return refuse('it is no address of a file')
  if (allowed && !addresses.every((address) => allowed.has(extensionOf(address))))
    return refuse(`it is no file of the types ${[...allowed].join(', ')}`)
  return { outcome: 'accepted', content: compiled.isMultipleAllowed ? text : (addresses[0] ?? text) }
}
