import { UrlInput, type UrlInputBlock } from '../../../schemas/blocks/inputs/url-input.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { compileShownInput, type ShownInput, showInput } from './lib/render-input.ts'
import { compileRetryMessage, judgeText, renderRetryMessage } from './lib/reply-result.ts'
import { isWebAddress } from './lib/web-address.ts'

interface CompiledUrlInput extends ShownInput {
  readonly ownRetryMessage: TextTemplate | undefined
}

/** Asks for a web address, and saves it as it was typed (docs/behaviour.md, "Url input"). */
export const urlInput = defineBlock<UrlInputBlock, CompiledUrlInput>({
  types: ['url input'],
  kind: 'input',
  inputName: 'url',
  compile: (block, context) => ({
    ...compileShownInput(block, UrlInput, context),
    ownRetryMessage: compileRetryMessage(block.options, context),
  }),
  run: showInput,
  reply: (_compiled, reply) => judgeText(reply, (text) => (isWebAddress(text) ? text : undefined)),
  retryMessage: ({ ownRetryMessage }, context) => renderRetryMessage(ownRetryMessage, context),
  answerVariableId: ({ variableId }) => variableId,
})
