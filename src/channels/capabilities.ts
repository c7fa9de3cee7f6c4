import type { ChannelName } from '../../schemas/channel.ts'

/** Kinds of media bubbles. */
export type MediaFamily = 'image' | 'video' | 'audio'

/** Limits and abilities of a messenger. Lengths are units of UTF-16, of which a text never has fewer than characters. */
export interface Capabilities {
  /** Of a message of text. */
  readonly text: number
  /** Ranges of formatting in one message; absent where the text itself is marked. */
  readonly spans?: number
  /** Of the text below a picture, video or sound. */
  readonly caption: number
  readonly buttons: {
    readonly count: number
    readonly label: number
    /** Of the text above them. */
    readonly body: number
    readonly mustDiffer: boolean
    /** Bytes of what comes back when one is pressed. */
    readonly id: number
  }
  readonly list?: {
    readonly rows: number
    readonly title: number
    readonly description: number
    /** Of the text above it. */
    readonly body: number
    /** Of the label of the button that opens it. */
    readonly button: number
  }
  /** Items that get a message each, with a picture. */
  readonly pictured: number
  /** How a kind of media is sent, by the endings of addresses; the first is for addresses without one. */
  readonly media: Readonly<
    Record<MediaFamily, readonly (readonly [as: string, endings: readonly string[]])[]>
  >
  /** Content types and bytes that are taken from an address, by how the file is sent. */
  readonly files: Readonly<Record<string, { readonly types: readonly string[]; readonly bytes: number }>>
  /** Whether the rate for one person is so low that bubbles are joined. */
  readonly joinsBubbles: boolean
}

const megabyte = 1_000_000

/**
 * As their makers document them: developers.facebook.com/documentation/business-messaging/whatsapp (messages, media,
 * throughput) and core.telegram.org/bots/api. Two are not theirs but the table's: Telegram documents no length of a
 * label, and apps cut long ones; `pictured` keeps a long list of cards from becoming a flood.
 */
export const capabilities: Readonly<Record<ChannelName, Capabilities>> = Object.freeze({
  whatsapp: {
    text: 4_096,
    caption: 1_024,
    buttons: { count: 3, label: 20, body: 1_024, mustDiffer: true, id: 256 },
    list: { rows: 10, title: 24, description: 72, body: 4_096, button: 20 },
    pictured: 10,
    media: {
      image: [['image', ['jpg', 'jpeg', 'png']]],
      video: [['video', ['mp4', '3gp']]],
      audio: [['audio', ['aac', 'amr', 'mp3', 'm4a', 'ogg', 'opus']]],
    },
    files: {
      image: { types: ['image/jpeg', 'image/png'], bytes: 5 * megabyte },
      video: { types: ['video/mp4', 'video/3gpp'], bytes: 16 * megabyte },
      audio: {
        types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
        bytes: 16 * megabyte,
      },
    },
    joinsBubbles: true,
  },
  telegram: {
    text: 4_096,
    spans: 100,
    caption: 1_024,
    buttons: { count: 100, label: 64, body: 4_096, mustDiffer: false, id: 64 },
    pictured: 10,
    media: {
      image: [
        ['photo', ['jpg', 'jpeg', 'png', 'webp']],
        ['animation', ['gif']],
      ],
      video: [['video', ['mp4']]],
      audio: [
        ['audio', ['mp3', 'm4a']],
        ['voice', ['ogg', 'oga', 'opus']],
      ],
    },
    files: {
      photo: { types: ['image/jpeg', 'image/png', 'image/webp'], bytes: 5 * megabyte },
      animation: { types: ['image/gif', 'video/mp4'], bytes: 20 * megabyte },
      video: { types: ['video/mp4'], bytes: 20 * megabyte },
      audio: { types: ['audio/mpeg', 'audio/mp4', 'audio/x-m4a'], bytes: 20 * megabyte },
      voice: { types: ['audio/ogg'], bytes: 20 * megabyte },
    },
    joinsBubbles: false,
  },
})

/** How an address is sent on a messenger; undefined where the messenger takes nothing of its ending. */
export function mediaKindOf(channel: ChannelName, family: MediaFamily, address: string): string | undefined {
  const kinds = capabilities[channel].media[family]
  const ending = endingOf(address)
  return (ending === undefined ? kinds[0] : kinds.find(([, endings]) => endings.includes(ending)))?.[0]
}

/** The ending of the path of an address, in lower case; undefined where it has none. */
function endingOf(address: string): string | undefined {
  const [path = ''] = address.split(/[?#]/, 1)
  return /\/[^/]*\.([a-z\d]{1,5})$/i.exec(path.replace(/^[a-z]+:\/\/[^/]*/i, ''))?.[1]?.toLowerCase()
}
