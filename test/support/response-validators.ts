import { expect } from 'vitest'
import { ContinueChatResponse } from '../../schemas/continue-chat.ts'
import { SessionResponse } from '../../schemas/session.ts'
import { StartChatResponse, StartPreviewChatResponse } from '../../schemas/start-chat.ts'
import { createAjv } from '../../src/definition/lazy-validator.ts'

const ajv = createAjv()
const validators = {
  public: ajv.compile(StartChatResponse),
  preview: ajv.compile(StartPreviewChatResponse),
  look: ajv.compile(SessionResponse),
  continue: ajv.compile(ContinueChatResponse),
}

/** Fails, naming the places, when a response is not what the OpenAPI document promises. */
export function expectValid(endpoint: keyof typeof validators, response: unknown): void {
  const validate = validators[endpoint]
  expect(validate(response) ? [] : validate.errors).toEqual([])
}
