import type { InputOf } from './inputs/input-props.ts'

type PaymentOptions = NonNullable<InputOf<'payment input'>['options']>

/** What the page tells the frame of a payment: what is to be paid and how the form looks, then that it is to be paid. */
export type PaymentRequest =
  | {
      readonly kind: 'show'
      readonly publicKey: string
      readonly clientSecret: string
      readonly payer: Omit<NonNullable<PaymentOptions['additionalInformation']>, 'description'>
      readonly language: string
      readonly isDark: boolean
      /** A CSS colour. */
      readonly accent: string
    }
  | { readonly kind: 'pay' }

/**
 * What the frame tells the page: `paid` by the visitor just now, or `settled` before. `text` is the provider's own words
 * for a visitor.
 */
export type PaymentNews =
  | { readonly kind: 'size'; readonly height: number }
  | { readonly kind: 'ready' | 'unavailable' | 'paid' | 'settled' }
  | { readonly kind: 'refused'; readonly text: string }
