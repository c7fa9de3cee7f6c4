import { Type } from '../../../schemas/type.ts'
import { BaseUrl, closed } from '../../config/credentials/account-fields.ts'
import type { AccountOf } from '../messenger-type.ts'

/** A bot at the Telegram Bot API. */
export const TelegramData = Type.Object(
  {
    botToken: Type.String({ pattern: '^\\d{1,20}:[\\w-]{1,100}$', description: 'a token of @BotFather' }),
    // Chosen by the operator, and told to Telegram.
    secretToken: Type.String({
      pattern: '^[\\w-]{16,256}$',
      description: '16 to 256 letters, digits, _ and -',
    }),
    baseUrl: Type.Optional(BaseUrl),
  },
  closed,
)
export type TelegramAccount = AccountOf<typeof TelegramData>
