import { isSupportedCountry, searchPhoneNumbersInText } from 'libphonenumber-js/min'
import { longestFreeText } from './free-text.ts'

/** Finds the first valid phone number in a text, in E.164 form. Without a known country, only numbers with a dial code. */
export function findPhoneNumber(text: string, countryCode: string): string | undefined {
  if (text.length > longestFreeText) return undefined
  const options = isSupportedCountry(countryCode) ? { defaultCountry: countryCode } : {}
  const [first] = searchPhoneNumbersInText(text, options)
  return first?.number.number
}
