import { expect } from 'vitest'
import { StartChatResponse, StartPreviewChatResponse } from '../../schemas/start-chat.ts'
import { createAjv } from '../../src/definition/ajv.ts'

const ajv = createAjv()
const validators = {
  public: ajv.compile(StartChatResponse),
  preview: ajv.compile(StartPreviewChatResponse),
}

/** Fails, naming the places, when a response is not what the OpenAPI document promises. */
export function expectValid(endpoint: 'public' | 'preview', response: unknown): void {
  const validate = validators[endpoint]
  expect(validate(response) ? [] : validate.errors).toEqual([])
}
