import { lazyModule } from '../../../lib/lazy-module.ts'
import { longestFreeText } from './free-text.ts'

const phoneNumbers = lazyModule<typeof import('libphonenumber-js/min')>('libphonenumber-js/min')

/** Finds the first valid phone number in a text, in E.164 form. Without a known country, only numbers with a dial code. */
export function findPhoneNumber(text: string, countryCode: string): string | undefined {
  if (text.length > longestFreeText) return undefined
  const { isSupportedCountry, searchPhoneNumbersInText } = phoneNumbers()
  const options = isSupportedCountry(countryCode) ? { defaultCountry: countryCode } : {}
  const [first] = searchPhoneNumbersInText(text, options)
  return first?.number.number
}
