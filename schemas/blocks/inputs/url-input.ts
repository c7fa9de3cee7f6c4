import type { Static } from '@sinclair/typebox'
import { answerOption, FieldLabels, InputDefinition, InputResponse, RetryMessage } from './common.ts'

const options = { ...answerOption, labels: FieldLabels, retryMessageContent: RetryMessage }

/** Asks for a web address. */
export const UrlInputBlock = InputDefinition('url input', options)
export type UrlInputBlock = Static<typeof UrlInputBlock>

/** A web address input as it is shown. */
export const UrlInput = InputResponse('url input', options)
export type UrlInput = Static<typeof UrlInput>
