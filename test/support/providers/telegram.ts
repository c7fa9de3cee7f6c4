import type { Json } from '../json.ts'

interface Entity {
  readonly type: string
  readonly offset: number
  readonly length: number
  readonly url?: string
}

/** Fields of the methods that send media, and the endings of addresses that they take. */
const media: Readonly<Record<string, readonly [field: string, endings: readonly string[]]>> = {
  sendPhoto: ['photo', ['jpg', 'jpeg', 'png', 'webp']],
  sendAnimation: ['animation', ['gif', 'mp4']],
  sendVideo: ['video', ['mp4']],
  sendAudio: ['audio', ['mp3', 'm4a']],
  sendVoice: ['voice', ['ogg', 'oga', 'opus', 'mp3', 'm4a']],
}

/** Looks that may stand anywhere but in code. */
const looks = new Set(['bold', 'italic', 'underline', 'strikethrough'])

/**
 * What the Telegram Bot API refuses, or does not show, of a message, by core.telegram.org/bots/api ("sendMessage",
 * "sendPhoto" and its like, "MessageEntity", "Formatting options", "InlineKeyboardButton"). The chat is not looked at.
 */
export function telegramProblems({ method, body }: { method: string; body: Json }): string[] {
  const problems: string[] = []
  const hold = (isTrue: boolean, what: string) => void (isTrue || problems.push(what))
  const only = (value: Json, keys: readonly string[], what: string) =>
    hold(
      Object.keys(value).every((key) => keys.includes(key)),
      `${what} has other keys: ${Object.keys(value)}`,
    )
  const text = (value: unknown, most: number, what: string) => {
    hold(typeof value === 'string' && value.trim() !== '', `${what} is empty`)
    hold(String(value).length <= most, `${what} is longer than ${most}`)
    hold(String(value).isWellFormed(), `${what} has half a character`)
  }
  if (method === 'sendMessage') {
    only(body, ['text', 'entities', 'reply_markup'], method)
    text(body['text'], 4096, 'text')
    problems.push(...entityProblems(String(body['text']), body['entities'] as Entity[] | undefined))
  } else if (media[method]) {
    const [field, endings] = media[method]
    only(body, [field, 'caption', 'caption_entities', 'reply_markup'], method)
    const [address = ''] = String(body[field]).split(/[?#]/)
    const ending = /\/\/[^/]+\/.*\.([a-z\d]{2,5})$/i.exec(address)?.[1]
    hold(/^https?:\/\/\S+$/.test(String(body[field])), `${field} is no address`)
    hold(ending === undefined || endings.includes(ending.toLowerCase()), `${field} ends with ${ending}`)
    if (body['caption'] !== undefined) {
      text(body['caption'], 1024, 'caption')
      problems.push(
        ...entityProblems(String(body['caption']), body['caption_entities'] as Entity[] | undefined),
      )
    }
  } else problems.push(`no such method: ${method}`)
  const markup = body['reply_markup'] as { inline_keyboard: Json[][] } | undefined
  const buttons = markup?.inline_keyboard.flat() ?? []
  if (markup) hold(buttons.length >= 1 && buttons.length <= 100, `${buttons.length} buttons`)
  for (const row of markup?.inline_keyboard ?? [])
    hold(row.length >= 1 && row.length <= 8, `${row.length} in a row`)
  for (const button of buttons) {
    only(button, ['text', 'callback_data'], 'button')
    text(button['text'], 256, 'text of a button')
    const bytes = Buffer.byteLength(String(button['callback_data']))
    hold(bytes >= 1 && bytes <= 64, `callback_data of ${bytes} bytes`)
  }
  return problems
}

function entityProblems(text: string, entities: readonly Entity[] = []): string[] {
  const problems: string[] = []
  const isLow = (at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00
  if (entities.length > 100) problems.push(`${entities.length} entities`)
  for (const { type, offset, length, url } of entities) {
    if (length < 1 || offset < 0 || offset + length > text.length) problems.push(`${type} is out of the text`)
    if (isLow(offset) || isLow(offset + length)) problems.push(`${type} cuts a character`)
    if ((type === 'text_link') !== (url !== undefined)) problems.push(`${type} with address ${url}`)
    if (!looks.has(type) && !['code', 'pre', 'blockquote', 'text_link'].includes(type))
      problems.push(`no such entity: ${type}`)
  }
  for (const [index, one] of entities.entries())
    for (const other of entities.slice(index + 1)) {
      const [first, second] = [one, other].sort((a, b) => a.offset - b.offset || b.length - a.length) as [
        Entity,
        Entity,
      ]
      if (second.offset >= first.offset + first.length) continue
      const isWithin = second.offset + second.length <= first.offset + first.length
      if (!isWithin) problems.push(`${first.type} and ${second.type} cross`)
      const isQuote = (entity: Entity) => entity.type === 'blockquote'
      if (isQuote(first) && isQuote(second)) problems.push('a quote in a quote')
      const isSingle = (entity: Entity) => !looks.has(entity.type) && !isQuote(entity)
      if (isSingle(first) && isSingle(second)) problems.push(`${second.type} in ${first.type}`)
      if (['pre', 'code'].includes(first.type)) problems.push(`${second.type} in ${first.type}`)
    }
  return problems
}
