import { UrlInput, type UrlInputBlock } from '../../../schemas/blocks/inputs/texts.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { compileRenderedInput, type RenderedInput, renderInput } from './lib/render-input.ts'
import { compileRetryMessage, renderRetryMessage, validateText } from './lib/reply-result.ts'
import { isWebAddress } from './lib/web-address.ts'

interface CompiledUrlInput extends RenderedInput {
  readonly ownRetryMessage: TextTemplate | undefined
}

/** Asks for a web address, and saves it was typed (docs/behaviour/inputs.md, "Url input"). */
export const urlInput = defineBlock<UrlInputBlock, CompiledUrlInput>({
  types: ['url input'],
  kind: 'input',
  inputName: 'url',
  compile: (block, context) => ({
    ...compileRenderedInput(block, UrlInput, context),
    ownRetryMessage: compileRetryMessage(block.options, context),
  }),
  run: renderInput,
  readsTextsForReply: false,
  reply: (_compiled, reply) => validateText(reply, (text) => (isWebAddress(text) ? text : undefined)),
  retryMessage: ({ ownRetryMessage }, context) => renderRetryMessage(ownRetryMessage, context),
  answerVariableId: ({ variableId }) => variableId,
  marks: { refuses: 'other kinds', usualAnswers: ['https://shop.example'] },
})
