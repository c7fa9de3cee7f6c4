import type { LengthOf } from './text/split-text.ts'
import type { StyledText } from './text/styled-text.ts'

/** A call of a messenger's API that sends one message, but for whom it goes to. */
export interface ApiRequest {
  /** The last part of the address: `sendPhoto`, `messages`. */
  readonly method: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Something about a message that differs from what a page would show. */
export interface Note {
  readonly code: 'cut' | 'split' | 'numbered' | 'linked' | 'left-out'
  readonly text: string
}

/** One message, or only a note of something that the messenger can't show. */
export interface RenderedMessage {
  readonly request?: ApiRequest
  readonly notes: readonly Note[]
}

/** A button, or a row of a list. */
export interface Button {
  readonly id: string
  readonly title: string
  readonly description?: string
}

/** How one messenger writes messages; its `Capabilities` say which it is asked for. */
export interface ChannelWriter {
  readonly lengthOf: LengthOf
  writeText(text: StyledText): ApiRequest
  /** `as` is the kind that `mediaKindOf` gives. */
  writeMedia(as: string, url: string, caption: StyledText): ApiRequest
  writeButtons(
    body: StyledText,
    buttons: readonly Button[],
    picture?: { readonly as: string; readonly url: string },
  ): ApiRequest
  /** Only where the messenger has lists. */
  writeList?(body: StyledText, rows: readonly Button[], label: string): ApiRequest
}
