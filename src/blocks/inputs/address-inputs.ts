import type { TSchema } from '@sinclair/typebox'
import {
  EmailInput,
  EmailInputBlock,
  PhoneNumberInput,
  PhoneNumberInputBlock,
  UrlInput,
  UrlInputBlock,
} from '../../../schemas/blocks/inputs/texts.ts'
import { type BlockSchema, defineBlock } from '../../engine/model/block-handler.ts'
import type { ReplyResult } from '../../engine/model/step.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { lazyModule } from '../../lib/lazy-module.ts'
import { compileRenderedInput, type RenderedInput, renderInput, writtenText } from './lib/render-input.ts'
import {
  compileRetryMessage,
  longestFreeText,
  refuse,
  renderRetryMessage,
  validateText,
} from './lib/reply-result.ts'
import { isWebAddress } from './lib/web-address.ts'

interface CompiledInput extends RenderedInput {
  readonly ownRetryMessage: TextTemplate | undefined
}

/** An input whose answers have one form. */
interface AddressInput {
  readonly schema: BlockSchema<EmailInputBlock | UrlInputBlock>
  readonly inputName: string
  /** As it is shown. */
  readonly shown: TSchema
  /** The answer as it is saved. */
  readonly normalise: (text: string) => string | ReplyResult
  readonly defaultRetryMessage?: 'email'
  readonly usualAnswer: string
}

function addressInput({ schema, inputName, shown, normalise, usualAnswer, ...rest }: AddressInput) {
  return defineBlock<EmailInputBlock | UrlInputBlock, CompiledInput>({
    schema,
    kind: 'input',
    inputName,
    compile: (block, context) => ({
      ...compileRenderedInput(block, shown, context),
      ownRetryMessage: compileRetryMessage(block.options, context),
    }),
    run: renderInput,
    readsTextsForReply: false,
    reply: (_compiled, reply) => validateText(reply, normalise),
    retryMessage: ({ ownRetryMessage }, context) => renderRetryMessage(ownRetryMessage, context),
    answerVariableId: ({ variableId }) => variableId,
    marks: { refuses: 'other kinds', usualAnswers: [usualAnswer] },
    ...rest,
  })
}

/** Asks for an e-mail address, and saves it in lower case (docs/behaviour/inputs.md, "Email input"). */
export const emailInput = addressInput({
  schema: EmailInputBlock,
  inputName: 'email',
  shown: EmailInput,
  normalise: (text) => (isEmail(text) ? text.toLowerCase() : refuse('it is no e-mail address')),
  defaultRetryMessage: 'email',
  usualAnswer: 'ada@shop.example',
})

/** Asks for a web address, and saves it as it was typed (docs/behaviour/inputs.md, "Url input"). */
export const urlInput = addressInput({
  schema: UrlInputBlock,
  inputName: 'url',
  shown: UrlInput,
  normalise: (text) => (isWebAddress(text) ? text : refuse('it is no web address')),
  usualAnswer: 'https://shop.example',
})

const atom = String.raw`[^\s<>()[\]\\.,;:@"]+`
const unquoted = new RegExp(`^${atom}(?:\\.${atom})*$`)
const quoted = /^".+"$/
const domain = /^(?:[a-z\d-]+\.)+[a-z]{2,}$/i
const address = /^\[\d{1,3}(?:\.\d{1,3}){3}\]$/

/** A domain holds no `@`, so the last one is what cuts an address in two. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, host] = [text.slice(0, at), text.slice(at + 1)]
  return at > 0 && (unquoted.test(local) || quoted.test(local)) && (domain.test(host) || address.test(host))
}

interface CompiledPhoneNumberInput extends CompiledInput {
  readonly countryCode: TextTemplate
}

/** Asks for a phone number, and saves it in E.164 form (docs/behaviour/inputs.md, "Phone number input"). */
export const phoneNumberInput = defineBlock<PhoneNumberInputBlock, CompiledPhoneNumberInput>({
  schema: PhoneNumberInputBlock,
  kind: 'input',
  inputName: 'phone',
  compile: (block, context) => ({
    ...compileRenderedInput(block, PhoneNumberInput, context),
    ownRetryMessage: compileRetryMessage(block.options, context),
    countryCode: writtenText(block.options?.defaultCountryCode, context),
  }),
  run: renderInput,
  reply: ({ countryCode }, reply, context) =>
    validateText(reply, (text) => {
      const country = context.text(countryCode)
      const where = country === '' ? 'with a dial code' : `of ${country} or with a dial code`
      return findPhoneNumber(text, country) ?? refuse(`it has no valid phone number ${where}`)
    }),
  retryMessage: ({ ownRetryMessage }, context) => renderRetryMessage(ownRetryMessage, context),
  answerVariableId: ({ variableId }) => variableId,
  marks: { refuses: 'other kinds', usualAnswers: ['+442079460018'] },
})

const phoneNumbers = lazyModule<typeof import('libphonenumber-js/min')>('libphonenumber-js/min')

/** Finds the first valid phone number in a text, in E.164 form. Without a known country, only numbers with a dial code. */
function findPhoneNumber(text: string, countryCode: string): string | undefined {
  if (text.length > longestFreeText) return undefined
  const { isSupportedCountry, searchPhoneNumbersInText } = phoneNumbers()
  const options = isSupportedCountry(countryCode) ? { defaultCountry: countryCode } : {}
  const [first] = searchPhoneNumbersInText(text, options)
  return first?.number.number
}
