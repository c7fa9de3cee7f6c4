import { EmailInput, type EmailInputBlock } from '../../../schemas/blocks/inputs/texts.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { compileRenderedInput, type RenderedInput, renderInput } from './lib/render-input.ts'
import { compileRetryMessage, renderRetryMessage, validateText } from './lib/reply-result.ts'

interface CompiledEmailInput extends RenderedInput {
  readonly ownRetryMessage: TextTemplate | undefined
}

/** Asks for an e-mail address, and saves it in lower case (docs/behaviour/inputs.md, "Email input"). */
export const emailInput = defineBlock<EmailInputBlock, CompiledEmailInput>({
  types: ['email input'],
  kind: 'input',
  inputName: 'email',
  compile: (block, context) => ({
    ...compileRenderedInput(block, EmailInput, context),
    ownRetryMessage: compileRetryMessage(block.options, context),
  }),
  run: renderInput,
  readsTextsForReply: false,
  reply: (_compiled, reply) =>
    validateText(reply, (text) => (isEmail(text) ? text.toLowerCase() : undefined)),
  retryMessage: ({ ownRetryMessage }, context) =>
    renderRetryMessage(ownRetryMessage, context) ??
    'That does not look like an e-mail address. Please try again.',
  answerVariableId: ({ variableId }) => variableId,
  marks: { refuses: 'other kinds', usualAnswers: ['ada@shop.example'] },
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
