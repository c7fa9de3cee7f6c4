import { randomBytes } from 'node:crypto'
import type { Update } from '@grammyjs/types'
import type { TelegramAccount } from '../../../src/channels/telegram/telegram-account.ts'
import type { Json } from '../json.ts'
import { type Answer, type Call, startProviderServer, type TakenMessage } from './provider-server.ts'
import { telegramProblems } from './telegram.ts'
import { createWebhookSender, type Misbehaviour } from './webhook-sender.ts'

interface FakeOptions {
  readonly misbehaviour?: Misbehaviour
  /** Evenly from [0, 1). */
  readonly random?: () => number
  /** Seconds to wait that a call is told that comes too often. */
  readonly retryAfter?: number
}

/** A message as it was shown to a person. */
export interface ShownMessage extends TakenMessage {
  readonly id: number
  readonly method: string
}

/** A Telegram Bot API of one bot: refuses what the documented one refuses, and delivers updates at least once. */
export async function startFakeTelegram(options: FakeOptions = {}) {
  const { misbehaviour = {}, random = Math.random, retryAfter = 1 } = options
  const sender = createWebhookSender({ misbehaviour, random })
  const shown: ShownMessage[] = []
  const refused: string[] = []
  const typing: string[] = []
  const unacknowledged = new Set<string>()
  const blocked = new Set<string>()
  const met = new Set<string>()
  const unfetchable = new Set<string>()
  const files = new Map<string, { path: string; bytes: Uint8Array; size: number }>()
  let updates = 100_000

  const account: Omit<TelegramAccount, 'baseUrl'> = {
    botToken: `110201543:${randomBytes(16).toString('hex')}`,
    secretToken: randomBytes(16).toString('hex'),
  }

  const server = await startProviderServer({
    misbehaviour,
    random,
    busy: failure(429, `Too Many Requests: retry after ${retryAfter}`, {
      parameters: { retry_after: retryAfter },
    }),
    isSend: ({ path }) => /\/send(?!ChatAction)\w+$/.test(path),
    answer,
  })

  function answer({ path, body }: Call, isLost: boolean): Answer {
    const [, isFile, token, rest = ''] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(path) ?? []
    if (token !== account.botToken) return failure(401, 'Unauthorized')
    if (isFile) {
      const file = [...files.values()].find((one) => one.path === rest)
      return file
        ? { status: 200, bytes: file.bytes, type: 'application/octet-stream' }
        : failure(404, 'Not Found')
    }
    switch (rest) {
      case 'getMe':
        return ok({ id: 110201543, is_bot: true, first_name: 'Shop', username: 'shop_bot' })
      case 'getWebhookInfo':
        return ok({
          url: sender.urls[0] ?? '',
          has_custom_certificate: false,
          pending_update_count: sender.open,
        })
      case 'sendChatAction':
        typing.push(String(body['chat_id']))
        return ok(true)
      case 'answerCallbackQuery':
        return unacknowledged.delete(String(body['callback_query_id']))
          ? ok(true)
          : failure(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid')
      case 'getFile':
        return fileOf(String(body['file_id']))
      default:
        return show(rest, body, isLost)
    }
  }

  function fileOf(id: string): Answer {
    const file = files.get(id)
    if (!file) return failure(400, 'Bad Request: invalid file_id')
    if (file.size > 20_000_000) return failure(400, 'Bad Request: file is too big')
    return ok({ file_id: id, file_unique_id: id, file_size: file.size, file_path: file.path })
  }

  function show(method: string, { chat_id, ...body }: Json, isLost: boolean): Answer {
    const to = String(chat_id)
    const problem = refusalOf(to, method, body)
    if (problem) {
      refused.push(`${to}: ${JSON.stringify(problem.json)}`)
      return problem
    }
    const id = shown.length + 1
    shown.push({ id, to, method, body, at: performance.now(), isLost })
    return ok({ message_id: id, date: seconds(), chat: { id: Number(to), type: 'private' } })
  }

  function refusalOf(to: string, method: string, body: Json): Answer | undefined {
    if (!met.has(to)) return failure(400, 'Bad Request: chat not found')
    if (blocked.has(to)) return failure(403, 'Forbidden: bot was blocked by the user')
    const problems = telegramProblems({ method, body })
    if (problems.length > 0) return failure(400, `Bad Request: ${problems.join('; ')}`)
    const isUnfetchable = Object.values(body).some((value) => unfetchable.has(String(value)))
    return isUnfetchable ? failure(400, 'Bad Request: failed to get HTTP URL content') : undefined
  }

  const seconds = () => Math.floor(Date.now() / 1000)

  const personOf = (id: string) => ({
    id: Number(id),
    is_bot: false,
    first_name: `Person ${id}`,
    language_code: 'en',
  })
  const chatOf = (id: string) => ({ id: Number(id), type: 'private' as const, first_name: `Person ${id}` })

  async function update(content: Omit<Update, 'update_id'>): Promise<number> {
    const update_id = updates++
    const headers = {
      'content-type': 'application/json',
      'x-telegram-bot-api-secret-token': account.secretToken,
    }
    await sender.deliver({ headers, body: JSON.stringify({ update_id, ...content }) })
    return update_id
  }

  /** Has a person say something; done when it was taken. The number of the update. */
  function say(person: string, content: Json): Promise<number> {
    met.add(person)
    const message = {
      message_id: updates,
      from: personOf(person),
      chat: chatOf(person),
      date: seconds(),
      ...content,
    }
    return update({ message } as Omit<Update, 'update_id'>)
  }

  return {
    account: { ...account, baseUrl: server.url } satisfies TelegramAccount,
    /** Addresses that updates go to; a real one has one. */
    urls: sender.urls,
    /** Answers of the webhook that were no success. */
    answers: sender.refused,
    get open() {
      return sender.open
    },
    /** In the order in which they were shown. */
    shown,
    /** Calls that were against the documentation. */
    refused,
    /** Chats that were shown to be typed in. */
    typing,
    /** Presses whose button still turns. */
    unacknowledged,
    blocked,
    /** Addresses that Telegram can't fetch. */
    unfetchable,
    say,
    /** Has a person answer in words. */
    sayText: (person: string, text: string) => say(person, { text }),
    /** Has a person press a button below a message. */
    press(person: string, data: string, below: Json = {}) {
      const id = randomBytes(8).toString('hex')
      unacknowledged.add(id)
      const message = { message_id: 1, date: seconds(), chat: chatOf(person), ...below }
      const callback_query = { id, from: personOf(person), message, chat_instance: '1', data }
      return update({ callback_query } as Omit<Update, 'update_id'>)
    },
    /** Has a person send a file; `size` where it is to be told larger than it is. */
    sendFile(
      person: string,
      kind: string,
      file: { bytes: Uint8Array; type: string; size?: number; name?: string },
    ) {
      const id = `file-${files.size}`
      const { bytes, type, name, size = bytes.length } = file
      files.set(id, { path: `${kind}s/${name ?? `file_${files.size}`}`, bytes, size })
      const told = {
        file_id: id,
        file_unique_id: id,
        file_size: size,
        mime_type: type,
        ...(name && { file_name: name }),
      }
      return say(person, { [kind]: kind === 'photo' ? [{ ...told, width: 10, height: 10 }] : told })
    },
    /** Has a person block the bot, or unblock it. */
    block(person: string, isBlocked = true) {
      if (isBlocked) blocked.add(person)
      else blocked.delete(person)
      const member = { user: personOf('110201543'), status: isBlocked ? 'kicked' : 'member' }
      const old = { ...member, status: isBlocked ? 'member' : 'kicked' }
      const change = { chat: chatOf(person), from: personOf(person), date: seconds() }
      const my_chat_member = { ...change, old_chat_member: old, new_chat_member: member }
      return update({ my_chat_member } as unknown as Omit<Update, 'update_id'>)
    },
    /** Loses the files, as after their time. */
    expireFiles: () => files.clear(),
    close() {
      sender.close()
      server.close()
    },
  }
}

const ok = (result: unknown): Answer => ({ status: 200, json: { ok: true, result } })

const failure = (error_code: number, description: string, more: Json = {}): Answer => ({
  status: error_code,
  json: { ok: false, error_code, description, ...more },
})
