import { FormatRegistry, Type } from '@sinclair/typebox'

/** Options of an object that holds nothing but its fields. */
export const closed = { additionalProperties: false, expects: 'an object' }

/** Text without anything that would end a header or a command. */
export const Word = Type.String({
  pattern: '^[\\x21-\\x7e]+$',
  expects: 'text without blanks, not empty',
})
export const Text = Type.String({ expects: 'text' })
export const Flag = Type.Boolean({ expects: 'true or false' })

// A pattern does not see every mistake in an address, such as a port that is none.
FormatRegistry.Set('address of an account', (text) => URL.canParse(text))

export const BaseUrl = Type.String({
  format: 'address of an account',
  pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
  expects: 'an http(s) address',
})
