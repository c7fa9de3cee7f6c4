import { PhoneNumberInput, type PhoneNumberInputBlock } from '../../../schemas/blocks/inputs/texts.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { findPhoneNumber } from './lib/phone-numbers.ts'
import { compileRenderedInput, type RenderedInput, renderInput, writtenText } from './lib/render-input.ts'
import { compileRetryMessage, renderRetryMessage, validateText } from './lib/reply-result.ts'

interface CompiledPhoneNumberInput extends RenderedInput {
  readonly ownRetryMessage: TextTemplate | undefined
  readonly countryCode: TextTemplate
}

/** Asks for a phone number, and saves it in E.164 form (docs/behaviour/inputs.md, "Phone number input"). */
export const phoneNumberInput = defineBlock<PhoneNumberInputBlock, CompiledPhoneNumberInput>({
  types: ['phone number input'],
  kind: 'input',
  inputName: 'phone',
  compile: (block, context) => ({
    ...compileRenderedInput(block, PhoneNumberInput, context),
    ownRetryMessage: compileRetryMessage(block.options, context),
    countryCode: writtenText(block.options?.defaultCountryCode, context),
  }),
  run: renderInput,
  reply: ({ countryCode }, reply, context) =>
    validateText(reply, (text) => findPhoneNumber(text, context.text(countryCode))),
  retryMessage: ({ ownRetryMessage }, context) => renderRetryMessage(ownRetryMessage, context),
  answerVariableId: ({ variableId }) => variableId,
  marks: { refuses: 'other kinds', usualAnswers: ['+442079460018'] },
})
