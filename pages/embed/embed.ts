import { FlowChat } from './flow-chat.ts'
import type { Allowed, ChatMode } from './options.ts'

export type { FlowChat, FlowChatEvents } from './flow-chat.ts'
export type { ChatAnswer, ChatMessage, SiteAction } from './protocol.ts'

/** How a chat is shown (docs/embed.md): each field is an attribute too, `iconColor` is `data-icon-color`. */
export interface ChatOptions {
  /** Public id of the flow. */
  readonly flow: string
  /** Of the service: `https://chat.example`. */
  readonly address: string
  /** Default `bubble`. */
  readonly mode?: ChatMode
  /** The element that an inline chat fills, or its selector; all others are put at the end of the page. */
  readonly into?: Element | string
  /** Whether it is open from the beginning; default true. Inline it always is. */
  readonly open?: boolean
  readonly locale?: string
  /** Values of variables of the flow by their names. */
  readonly variables?: Readonly<Record<string, string>>
  /** What a flow may do in the page; default `redirect`. */
  readonly allow?: readonly Allowed[]
  readonly title?: string
  readonly position?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left'
  readonly color?: string
  readonly iconColor?: string
  readonly icon?: string
  readonly size?: number
  readonly zIndex?: number
  readonly height?: string
  readonly invitation?: string
  readonly invitationAfter?: number
  readonly remember?: boolean
  readonly button?: string
  readonly after?: number
  readonly scroll?: number
  readonly exit?: boolean
  readonly labelOpen?: string
  readonly labelClose?: string
  readonly labelDismiss?: string
  readonly labelUnread?: string
}

/** Makes `<flow-chat>` an element of the page. */
export function defineFlowChat(): void {
  if (!customElements.get('flow-chat')) customElements.define('flow-chat', FlowChat)
}

/** Puts a chat onto the page, and opens it. */
export function openChat({ into, variables = {}, ...options }: ChatOptions): FlowChat {
  defineFlowChat()
  const chat = document.createElement('flow-chat') as FlowChat
  for (const [name, value] of Object.entries({ open: true, ...options }))
    if (value !== undefined) chat.dataset[name] = Array.isArray(value) ? value.join(' ') : String(value)
  chat.setVariables(variables)
  const place = typeof into === 'string' ? document.querySelector(into) : into
  if (typeof into === 'string' && !place) throw new Error(`The page has no element ${into}`)
  ;(place ?? document.body).append(chat)
  return chat
}
