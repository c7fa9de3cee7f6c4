import { Type } from '../../../../schemas/type.ts'
import { BaseUrl, closed, Word } from '../account-fields.ts'
import { createStripeWebhook } from './stripe-webhook.ts'
import { defineVendor } from './vendor-type.ts'

const address = 'https://api.stripe.com'

/** Keys that move money, and keys for tests, which are all that a preview may use. */
export const stripe = defineVendor(
  Type.Object(
    {
      live: Type.Object({ secretKey: Word, publicKey: Word, webhookSecret: Type.Optional(Word) }, closed),
      test: Type.Optional(
        Type.Object({ secretKey: Type.Optional(Word), publicKey: Type.Optional(Word) }, closed),
      ),
      baseUrl: Type.Optional(BaseUrl),
    },
    closed,
  ),
  ({ live, test = {}, baseUrl = address }) => ({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    secrets: [live.secretKey, test.secretKey, live.webhookSecret].filter((key) => key !== undefined),
    ...(live.webhookSecret !== undefined && { webhook: createStripeWebhook(live.webhookSecret) }),
    grant(purpose) {
      const { secretKey, publicKey } = purpose === 'live' ? live : test
      if (secretKey === undefined || publicKey === undefined) return undefined
      return { headers: [['authorization', `Bearer ${secretKey}`]], facts: { publicKey } }
    },
  }),
)
