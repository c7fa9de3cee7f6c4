import { Type } from '../../../schemas/type.ts'

/** Options of an object without other fields; a schema's description completes "must be". */
export const closed = { additionalProperties: false, description: 'an object' }

/** Text without anything that would end a header or a command. */
export const Word = Type.String({
  pattern: '^[\\x21-\\x7e]+$',
  description: 'text without blanks, not empty',
})
export const Text = Type.String({ description: 'text' })
export const Flag = Type.Boolean({ description: 'true or false' })

export const BaseUrl = Type.String({
  pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
  description: 'an http(s) address',
})

export const HeaderName = Type.String({
  pattern: '^[A-Za-z0-9-]+$',
  description: 'the name of a header',
})
