import type { CallDependencies } from '../messenger.ts'
import { type ApiAnswer, callApi } from '../wire/call-api.ts'
import type { TelegramAccount } from './telegram-account.ts'

/** Calls a method of a bot. Never rejects. */
export type CallBot = (
  method: string,
  body: object,
  deps: CallDependencies & { readonly timeoutMs?: number },
) => Promise<ApiAnswer>

/** The token is a part of each address, which therefore stands in no message. */
export const createCallBot =
  ({ baseUrl, botToken }: TelegramAccount): CallBot =>
  (method, body, { timeoutMs, ...deps }) =>
    callApi(
      { url: `${baseUrl}/bot${botToken}/${method}`, body, ...(timeoutMs !== undefined && { timeoutMs }) },
      deps,
    )
