import { Type } from '../../../schemas/type.ts'
import { BaseUrl, closed, Word } from '../../config/credentials/account-fields.ts'
import type { AccountOf } from '../messenger-type.ts'

const Digits = Type.String({ pattern: '^\\d{1,30}$', description: 'digits' })

/** A phone number at the WhatsApp Cloud API. */
export const WhatsAppData = Type.Object(
  {
    accessToken: Word,
    phoneNumberId: Digits,
    businessAccountId: Type.Optional(Digits),
    // Signs what the webhook brings.
    appSecret: Word,
    // Chosen by the operator, and told to the dashboard.
    verifyToken: Word,
    baseUrl: Type.Optional(BaseUrl),
  },
  closed,
)
export type WhatsAppAccount = AccountOf<typeof WhatsAppData>
