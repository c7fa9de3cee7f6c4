/** The one message of a frame to the window around it; the port that comes with it carries all others. */
export interface Hello {
  readonly flowChat: 'hello'
}

/** A frame to the element that shows it. */
export type ToSite =
  | { readonly type: 'ready'; readonly title: string; readonly hasClose: boolean }
  | { readonly type: 'message'; readonly detail: ChatMessage }
  | { readonly type: 'answer'; readonly detail: ChatAnswer }
  | { readonly type: 'end' | 'close' }
  | { readonly type: 'height'; readonly height: number }
  /** The whole of what the browser refuses to keep for the frame. */
  | { readonly type: 'keep'; readonly kept: Readonly<Record<string, string>> }
  /** Comes with a port, on which an ActionOutcome is awaited. */
  | { readonly type: 'action'; readonly action: SiteAction }

/** The element to its frame. */
export type ToFrame =
  | { readonly type: 'kept'; readonly kept: Readonly<Record<string, string>> }
  | { readonly type: 'open' }
  | { readonly type: 'variables'; readonly variables: Readonly<Record<string, string>> }

/** Code of a flow: the body of an async function whose parameters are the ids of the arguments. */
export interface Script {
  readonly content: string
  readonly args: readonly { readonly id: string; readonly value?: unknown }[]
}

/** Something that a flow asks of the page which its visitors look at. */
export type SiteAction =
  | {
      readonly type: 'redirect'
      readonly redirect: { readonly url?: string; readonly isNewTab?: boolean }
    }
  | { readonly type: 'scriptToExecute'; readonly scriptToExecute: Script }
  | { readonly type: 'setVariable'; readonly setVariable: { readonly scriptToExecute: Script } }
  | { readonly type: 'chatwoot'; readonly chatwoot: { readonly scriptToExecute: Script } }
  | {
      readonly type: 'googleAnalytics'
      readonly googleAnalytics: {
        readonly trackingId?: string
        readonly category?: string
        readonly action?: string
        readonly label?: string
        readonly value?: number
        readonly sendTo?: string
      }
    }
  | {
      readonly type: 'pixel'
      readonly pixel: {
        readonly pixelId: string
        readonly eventType: string
        readonly name?: string
        readonly params?: readonly { readonly key?: string; readonly value?: unknown }[]
      }
    }
  | {
      readonly type: 'startPropsToInject'
      readonly startPropsToInject: {
        readonly googleAnalyticsId?: string
        readonly pixelIds?: readonly string[]
        readonly gtmId?: string
        readonly customHeadCode?: string
      }
    }

export interface ActionOutcome {
  readonly isDone: boolean
  /** The reply to the flow, where one is due. */
  readonly text?: string
  /** Why a script of the flow broke off, which is not run again then. */
  readonly failure?: string
}

/** One message of the flow. */
export interface ChatMessage {
  /** Of the block that says it. */
  readonly id: string
  readonly type: string
}

/** What the visitor said, as it stands in the conversation. */
export interface ChatAnswer {
  readonly blockId: string | undefined
  readonly text: string
}
