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

export const megabyte = 1_000_000

/** How an address is sent on a messenger; undefined where the messenger takes nothing of its ending. */
export function mediaKindOf(
  { media }: Pick<Capabilities, 'media'>,
  family: MediaFamily,
  address: string,
): string | undefined {
  const kinds = media[family]
  const ending = endingOf(address)
  return (ending === undefined ? kinds[0] : kinds.find(([, endings]) => endings.includes(ending)))?.[0]
}

/** The ending of the path of an address, in lower case; undefined where it has none. */
function endingOf(address: string): string | undefined {
  const [path = ''] = address.split(/[?#]/, 1)
  return /\/[^/]*\.([a-z\d]{1,5})$/i.exec(path.replace(/^[a-z]+:\/\/[^/]*/i, ''))?.[1]?.toLowerCase()
}
