import { type MountedChat, mountChat } from './mount-chat.ts'
import { readOptions } from './options.ts'
import type { ChatAnswer, ChatMessage, SiteAction } from './protocol.ts'

/** The events of a chat, by what their `detail` is. */
export interface FlowChatEvents {
  /** The first messages are there. */
  readonly ready: { readonly title: string }
  readonly message: ChatMessage
  readonly answer: ChatAnswer
  readonly end: null
  readonly open: null
  readonly close: null
  /** The flow asks something of the page; `preventDefault` says that the page has done it. */
  readonly action: SiteAction
}

export interface FlowChat {
  addEventListener<Type extends keyof FlowChatEvents>(
    type: Type,
    listener: (event: CustomEvent<FlowChatEvents[Type]>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
}

/** Servers render pages without elements. */
const Element = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/** `<flow-chat>`: a chat on a page (docs/embed.md). Its attributes count when it comes onto the page. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: adds the types of its events
export class FlowChat extends Element {
  /** Where the service is, unless an attribute says it. */
  static address = ''

  #chat: MountedChat | undefined
  #variables: Readonly<Record<string, string>> = {}

  connectedCallback(): void {
    const given = { address: FlowChat.address, ...this.dataset }
    this.#chat ??= mountChat(this, readOptions(given, this.#variables), (type, detail = null) =>
      this.dispatchEvent(new CustomEvent(type, { detail, cancelable: type === 'action' })),
    )
  }

  disconnectedCallback(): void {
    this.#chat?.destroy()
    this.#chat = undefined
  }

  /** Whether the conversation is in sight; inline it always is. */
  get isOpen(): boolean {
    return this.#chat?.isOpen() ?? false
  }

  open(): void {
    this.#chat?.open()
  }

  close(): void {
    this.#chat?.close()
  }

  toggle(): void {
    if (this.isOpen) this.close()
    else this.open()
  }

  /** Gives variables their values, by their names. They count from the next start of the conversation on. */
  setVariables(variables: Readonly<Record<string, string>>): void {
    this.#variables = { ...this.#variables, ...variables }
    this.#chat?.setVariables(variables)
  }

  /** Takes the chat off the page. */
  destroy(): void {
    this.remove()
  }
}
