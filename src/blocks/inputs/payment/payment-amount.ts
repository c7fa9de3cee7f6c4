/** An amount of money. */
export interface PaymentAmount {
  /** Amount in the smallest unit of the currency. */
  readonly minor: number
  /** ISO 4217 code in small letters. */
  readonly currency: string
  /** Amount as people read it. */
  readonly label: string
}

const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '))
const withThreeDecimals = new Set('bhd jod kwd omr tnd'.split(' '))

/** Highest amount that the provider takes, in the smallest unit. */
const mostMinor = 99_999_999

/** Reads an amount in major units, such as `12.50`; undefined for what is no positive amount that can be paid. */
export function readAmount(text: string, currencyCode: string): PaymentAmount | undefined {
  const currency = currencyCode.trim().toLowerCase()
  const trimmed = text.trim()
  if (!/^[a-z]{3}$/.test(currency) || !/^\d+(?:\.\d+)?$/.test(trimmed)) return undefined
  const minor = toMinorUnits(Number(trimmed), currency)
  if (minor < 1 || minor > mostMinor) return undefined
  return { minor, currency, label: labelOf(minor, currency) }
}

/** The provider takes amounts with three decimals only where the last one is zero. */
function toMinorUnits(major: number, currency: string): number {
  if (withoutDecimals.has(currency)) return Math.round(major)
  return withThreeDecimals.has(currency) ? Math.round(major * 100) * 10 : Math.round(major * 100)
}

function labelOf(minor: number, currency: string): string {
  const decimals = withoutDecimals.has(currency) ? 0 : withThreeDecimals.has(currency) ? 3 : 2
  const options = { style: 'currency', currency, minimumFractionDigits: decimals } as const
  return new Intl.NumberFormat(currency === 'eur' ? 'fr-FR' : 'en-US', options).format(minor / 10 ** decimals)
}
