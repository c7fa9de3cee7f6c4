import type { ChannelName } from '../../../schemas/channel.ts'
import { asList, asRecord, asText, type LooseJson } from '../../../src/tooling/flow-graph/loose-json.ts'
import { type Entity, readMarks } from './read-marks.ts'

/** Something to press, by the id that comes back. */
export interface ShownButton {
  readonly id: string
  readonly title: string
  readonly description?: string | undefined
}

/** A message of a messenger, as its apps show it. */
export interface ShownMessage {
  readonly media?: { readonly type: string; readonly url: string } | undefined
  readonly text: string
  readonly entities: readonly Entity[]
  readonly rows: readonly (readonly ShownButton[])[]
  /** The label of the button that opens the rows as a list. */
  readonly list?: string | undefined
}

/** A request of a messenger's API. */
export interface MessengerRequest {
  readonly method: string
  readonly body: LooseJson
}

interface Look {
  readonly title: string
  read(request: MessengerRequest): ShownMessage
}

const looks: Partial<Record<ChannelName, Look>> = {
  whatsapp: { title: 'WhatsApp', read: ({ body }) => readWhatsApp(body) },
  telegram: { title: 'Telegram', read: readTelegram },
}

/** The name of a messenger for people. */
export const titleOf = (channel: ChannelName): string => looks[channel]?.title ?? channel

/** What a request of a messenger's API shows; of one without a look of its own its longest text. */
export const readRequest = (channel: ChannelName, request: MessengerRequest): ShownMessage =>
  looks[channel]?.read(request) ?? { text: longestText(request.body), entities: [], rows: [] }

function longestText(value: unknown): string {
  if (typeof value === 'string') return value
  const texts = Object.values(asRecord(value)).map(longestText)
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}

function readTelegram({ method, body }: MessengerRequest): ShownMessage {
  const type = /^send(Photo|Animation|Video|Audio|Voice)$/.exec(method)?.[1]?.toLowerCase()
  const rows = asList(asRecord(body['reply_markup'])['inline_keyboard']).map((row) =>
    asList(row).map((button): ShownButton => {
      const { callback_data: id, text } = asRecord(button)
      return { id: String(id), title: String(text) }
    }),
  )
  return {
    media: type === undefined ? undefined : { type, url: String(body[type]) },
    text: asText(body['text'] ?? body['caption']) ?? '',
    entities: asList(body['entities'] ?? body['caption_entities']) as Entity[],
    rows,
  }
}

function readWhatsApp(body: LooseJson): ShownMessage {
  const type = String(body['type'])
  const content = asRecord(body[type])
  if (type === 'text') return { ...readMarks(String(content['body'])), rows: [] }
  if (type !== 'interactive')
    return {
      media: { type, url: String(content['link']) },
      ...readMarks(asText(content['caption']) ?? ''),
      rows: [],
    }
  const { header, action } = content
  const { button, buttons, sections } = asRecord(action)
  const image = asText(asRecord(asRecord(header)['image'])['link'])
  const rows = asList(sections).flatMap((section) => asList(asRecord(section)['rows']))
  const replies = asList(buttons).map((one) => asRecord(one)['reply'])
  return {
    media: image === undefined ? undefined : { type: 'image', url: image },
    ...readMarks(asText(asRecord(content['body'])['text']) ?? ''),
    rows: [...rows, ...replies].map((one) => [asRecord(one) as unknown as ShownButton]),
    list: asText(button),
  }
}
