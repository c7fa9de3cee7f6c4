import { type CallDependencies, type CheckFinding, fine, problem } from '../messenger.ts'
import { fieldsOf, millisecondsOf, numberOf, textOf } from '../wire/read-wire.ts'
import type { CallBot } from './telegram-call.ts'
import { problemOfTelegram } from './telegram-problem.ts'

interface Checked {
  readonly callBot: CallBot
  readonly webhookUrl: string | undefined
  readonly deps: CallDependencies
}

/** The kinds of updates that are read. */
const allowedUpdates = ['message', 'edited_message', 'callback_query', 'my_chat_member']

/** Asks who the bot is, and where its updates go. */
export async function checkTelegram({ callBot, webhookUrl, deps }: Checked): Promise<CheckFinding[]> {
  const bot = await ask('getMe')
  if ('refusal' in bot)
    return [problem(`The bot can't be read: ${bot.refusal}. See botToken (/token of @BotFather)`)]
  const webhook = await ask('getWebhookInfo')
  if ('refusal' in webhook) return [problem(`The webhook can't be read: ${webhook.refusal}`)]
  return [fine(`The bot is @${textOf(bot.result['username'])}`), ...webhookOf(webhook.result, webhookUrl)]

  async function ask(method: string) {
    const answer = await callBot(method, {}, deps)
    if (answer.state === 'failed') return { refusal: answer.problem.message }
    if (answer.body['ok'] === true) return { result: fieldsOf(answer.body['result']) }
    return { refusal: problemOfTelegram(answer.body, answer.status).message }
  }
}

function webhookOf(info: ReturnType<typeof fieldsOf>, webhookUrl: string | undefined): CheckFinding[] {
  if (webhookUrl === undefined)
    return [problem('PUBLIC_URL is not set: Telegram needs an https address to send to')]
  const query = new URLSearchParams({ url: webhookUrl, allowed_updates: JSON.stringify(allowedUpdates) })
  const remedy = `open https://api.telegram.org/bot<botToken>/setWebhook?${query}&secret_token=<secretToken>, with both of the account`
  const url = textOf(info['url'])
  if (url !== webhookUrl) return [problem(`Updates go to ${url ?? 'no address'}: ${remedy}`)]
  const { allowed_updates: allowed, pending_update_count, last_error_message, last_error_date } = info
  const missing = Array.isArray(allowed) ? allowedUpdates.filter((kind) => !allowed.includes(kind)) : []
  const pending = numberOf(pending_update_count) ?? 0
  const failedAt = millisecondsOf(last_error_date)
  return [
    fine(`Updates go to ${webhookUrl}; waiting there: ${pending}`),
    ...(missing.length > 0
      ? [problem(`Updates of these kinds are not sent: ${missing.join(', ')}; ${remedy}`)]
      : []),
    ...(failedAt !== undefined && pending > 0
      ? [
          problem(
            `Updates wait since ${new Date(failedAt).toISOString()}: ${textOf(last_error_message)}. 401 says that secret_token is not that of the account: ${remedy}`,
          ),
        ]
      : []),
  ]
}
