/** A payment that an input waits for, as its provider knows it. It outlives the turn, and is asked for once a visit. */
export interface PendingPayment {
  /** The input that asks for it. */
  readonly blockId: string
  /** The provider's name for it. */
  readonly intentId: string
  /** Opens the payment in the form of the provider. */
  readonly clientSecret: string
  readonly publicKey: string
  /** Amount in the smallest unit of the currency. */
  readonly amount: number
  /** ISO 4217 code in small letters. */
  readonly currency: string
  /** Answer once the payment is made. */
  readonly success: string
  /** The result that the answer belongs to; live sessions only. */
  readonly resultId?: string | undefined
  /** Whether the provider has said by itself that it is made: the answer is in the result then. */
  readonly isPaid?: true
}
