import {
  PhoneNumberInput,
  type PhoneNumberInputBlock,
} from '../../../schemas/blocks/inputs/phone-number-input.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { findPhoneNumber } from './lib/phone-numbers.ts'
import { compileShownInput, ownText, type ShownInput, showInput } from './lib/render-input.ts'
import { compileRetryMessage, judgeText, renderRetryMessage } from './lib/reply-result.ts'

interface CompiledPhoneNumberInput extends ShownInput {
  readonly ownRetryMessage: TextTemplate | undefined
  readonly countryCode: TextTemplate
}

/** Asks for a phone number, and saves it in E.164 form (docs/behaviour.md, "Phone number input"). */
export const phoneNumberInput = defineBlock<PhoneNumberInputBlock, CompiledPhoneNumberInput>({
  types: ['phone number input'],
  kind: 'input',
  inputName: 'phone',
  compile: (block, context) => ({
    ...compileShownInput(block, PhoneNumberInput, context),
    ownRetryMessage: compileRetryMessage(block.options, context),
    countryCode: ownText(block.options?.defaultCountryCode, context),
  }),
  run: showInput,
  reply: ({ countryCode }, reply, context) =>
    judgeText(reply, (text) => findPhoneNumber(text, context.text(countryCode))),
  retryMessage: ({ ownRetryMessage }, context) => renderRetryMessage(ownRetryMessage, context),
  answerVariableId: ({ variableId }) => variableId,
})
