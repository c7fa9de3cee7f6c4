import type { Button, ChannelWriter } from '../outgoing.ts'
import type { Style, StyledSpan, StyledText } from '../text/styled-text.ts'
import { telegramCapabilities } from './telegram-capabilities.ts'

/** Names of the looks that are not called as Telegram calls them. */
const names: Partial<Record<Style, string>> = { quote: 'blockquote', link: 'text_link' }

/** Names of methods and of the fields for what they send, by the kind of media. */
const methods: Readonly<Record<string, string>> = {
  photo: 'sendPhoto',
  animation: 'sendAnimation',
  video: 'sendVideo',
  audio: 'sendAudio',
  voice: 'sendVoice',
}

/** Buttons in a row, where all of them are as short as numbers. */
const mostInRow = 5
const longestInRow = 4

const { spans: mostSpans = 0, text: longest } = telegramCapabilities

/** Writes messages of the Telegram Bot API. Looks are entities: no text is ever read as markup. */
export const telegramWriter: ChannelWriter = Object.freeze({
  // A text with more ranges than a message has counts as one that is longer than a message, in proportion.
  lengthOf: ({ text, spans }: StyledText) =>
    spans.length > mostSpans ? Math.ceil((longest * spans.length) / mostSpans) : text.length,
  writeText: ({ text, spans }: StyledText) => ({
    method: 'sendMessage',
    body: { text, ...entities('entities', spans) },
  }),
  writeMedia: (as: string, url: string, caption: StyledText) => ({
    method: methods[as] ?? '',
    body: { [as]: url, ...captioned(caption) },
  }),
  writeButtons(body: StyledText, buttons: readonly Button[], picture?: { as: string; url: string }) {
    const message = picture ? this.writeMedia(picture.as, picture.url, body) : this.writeText(body)
    return { ...message, body: { ...message.body, reply_markup: keyboard(buttons) } }
  },
})

function captioned({ text, spans }: StyledText) {
  return text === '' ? {} : { caption: text, ...entities('caption_entities', spans) }
}

function entities(key: string, spans: readonly StyledSpan[]) {
  if (spans.length === 0) return {}
  const ordered = spans.toSorted(
    (one, other) => one.start - other.start || other.end - one.end || depthOf(one) - depthOf(other),
  )
  return {
    [key]: ordered.map(({ start, end, style, url }) => ({
      type: names[style] ?? style,
      offset: start,
      length: end - start,
      ...(url !== undefined && { url }),
    })),
  }
}

/** Of looks of one range: a quote holds all others, and what has a fixed width none. */
const depthOf = ({ style }: StyledSpan) =>
  style === 'quote' ? 0 : style === 'code' || style === 'pre' ? 2 : 1

function keyboard(buttons: readonly Button[]) {
  const isShort = buttons.every(({ title }) => title.length <= longestInRow)
  const perRow = isShort ? mostInRow : 1
  const rows: { text: string; callback_data: string }[][] = []
  for (const [index, { id, title }] of buttons.entries()) {
    if (index % perRow === 0) rows.push([])
    rows.at(-1)?.push({ text: title, callback_data: id })
  }
  return { inline_keyboard: rows }
}
