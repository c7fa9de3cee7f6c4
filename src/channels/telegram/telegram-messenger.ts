import type { CallDependencies, Messenger, Outbound, SendResult } from '../messenger.ts'
import type { ApiRequest } from '../outgoing.ts'
import type { ApiAnswer } from '../wire/call-api.ts'
import { download, MediaGoneError, MessengerAwayError } from '../wire/download.ts'
import { fieldsOf, numberOf, textOf } from '../wire/read-wire.ts'
import { isSameSecret } from '../wire/same-secret.ts'
import type { SentMedia } from '../wire/usable-media.ts'
import { createMakeUsable, type MakeUsable } from '../wire/usable-media.ts'
import type { TelegramAccount } from './telegram-account.ts'
import { type CallBot, createCallBot } from './telegram-call.ts'
import { telegramCapabilities } from './telegram-capabilities.ts'
import { checkTelegram } from './telegram-check.ts'
import { readTelegram } from './telegram-inbound.ts'
import { problemOfTelegram } from './telegram-problem.ts'

/** Telegram fetches a file before it answers. */
const fetchMs = 45_000

/** About one message a second in a chat, short bursts aside, and 30 a second in all. */
const rates = Object.freeze({
  person: { messages: 1, perMs: 1_000, burst: 4 },
  account: { messages: 30, perMs: 1_000 },
})

/** The Telegram Bot API, for one bot. */
export function createTelegram(account: TelegramAccount): Messenger {
  const { baseUrl, botToken, secretToken } = account
  const makeUsable = createMakeUsable()
  const callBot = createCallBot(account)
  return Object.freeze<Messenger>({
    rates,
    tellsStatuses: false,
    isGenuine: ({ headers }) => isSameSecret(headers['x-telegram-bot-api-secret-token'], secretToken),
    parse: ({ body }) => readTelegram(body),
    send: (message, deps) => send(message, { callBot, makeUsable, deps }),
    async showTyping({ user }, deps) {
      await callBot('sendChatAction', { chat_id: user.id, action: 'typing' }, deps)
    },
    async acknowledge(id, deps) {
      await callBot('answerCallbackQuery', { callback_query_id: id }, deps)
    },
    async download(media, deps) {
      const answer = await callBot('getFile', { file_id: media.id }, deps)
      if (answer.state === 'failed') throw new MessengerAwayError(answer.problem.message)
      const { file_path, file_size } = fieldsOf(answer.body['result'])
      const path = pathOf(file_path)
      if (path === undefined) {
        const { kind, message } = problemOfTelegram(answer.body, answer.status)
        throw kind === 'never' ? new MediaGoneError(message) : new MessengerAwayError(message)
      }
      const size = numberOf(file_size)
      const name = media.name ?? path.split('/').at(-1)
      const file = { ...media, ...(size !== undefined && { size }), ...(name !== undefined && { name }) }
      return download(file, { url: `${baseUrl}/file/bot${botToken}/${path}`, baseUrl }, deps)
    },
    check: (webhookUrl, deps) => checkTelegram({ callBot, webhookUrl, deps }),
  })
}

/** The path of a file below the address of the bot's files; a server in local mode gives one of its disk. */
function pathOf(value: unknown): string | undefined {
  const parts = textOf(value)?.split('/') ?? []
  const isBelow = parts.length > 0 && parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))
  return isBelow ? parts.join('/') : undefined
}

interface Sending {
  readonly callBot: CallBot
  readonly makeUsable: MakeUsable
  readonly deps: CallDependencies
}

async function send({ to, request }: Outbound, { callBot, makeUsable, deps }: Sending): Promise<SendResult> {
  const call = async ({ method, body }: typeof request) => {
    const isFetched = mediaOfTelegram({ method, body }) !== undefined
    const answer = await callBot(
      method,
      { chat_id: to, ...body },
      { ...deps, ...(isFetched && { timeoutMs: fetchMs }) },
    )
    return resultOf(answer)
  }
  const usable = await makeUsable(request, mediaOfTelegram(request), deps)
  const media = mediaOfTelegram(usable)
  const result = await call(usable)
  // Telegram refuses a file that it can't fetch or that this person takes none of, and has sent nothing then.
  const isRefused = media && result.state === 'failed' && result.problem.kind === 'never'
  return isRefused ? call(media.asLink()) : result
}

function resultOf(answer: ApiAnswer): SendResult {
  if (answer.state === 'failed') return answer
  const { ok, result } = answer.body
  if (ok !== true) return { state: 'failed', problem: problemOfTelegram(answer.body, answer.status) }
  const number = numberOf(fieldsOf(result)['message_id'])
  return { state: 'sent', ...(number !== undefined && { reference: String(number) }) }
}

const { files } = telegramCapabilities

/** The file of a message. Entities of its caption are those of the text then, which begins with it. */
function mediaOfTelegram({ body }: ApiRequest): SentMedia | undefined {
  const kind = Object.keys(files).find((name) => textOf(body[name]) !== undefined)
  const file = kind === undefined ? undefined : files[kind]
  if (kind === undefined || !file) return undefined
  const { [kind]: address, caption, caption_entities: entities, ...rest } = body
  const url = String(address)
  const text = [textOf(caption), url].filter(Boolean).join('\n\n')
  const asLink = () => ({
    method: 'sendMessage',
    body: { ...rest, text, ...(entities !== undefined && { entities }) },
  })
  return { url, ...file, asLink }
}
