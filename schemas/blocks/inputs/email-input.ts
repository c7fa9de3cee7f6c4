import type { Static } from '@sinclair/typebox'
import { answerOption, FieldLabels, InputDefinition, InputResponse, RetryMessage } from './common.ts'

const options = { ...answerOption, labels: FieldLabels, retryMessageContent: RetryMessage }

/** Asks for an e-mail address. */
export const EmailInputBlock = InputDefinition('email input', options)
export type EmailInputBlock = Static<typeof EmailInputBlock>

/** An e-mail input as it is shown. */
export const EmailInput = InputResponse('email input', options)
export type EmailInput = Static<typeof EmailInput>
