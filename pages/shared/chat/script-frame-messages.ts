/** What the page asks the frame for scripts to do. */
export type FrameRequest =
  | {
      readonly kind: 'script'
      readonly content: string
      readonly args: readonly { readonly id: string; readonly value?: unknown }[]
    }
  | {
      readonly kind: 'request'
      readonly url: string
      readonly method?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }

/** What came of it: the value as a text, or why there is none. */
export interface FrameAnswer {
  readonly ok: boolean
  readonly text: string
}
