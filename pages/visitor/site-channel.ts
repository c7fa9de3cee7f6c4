import { effect } from '@preact/signals'
import type { ClientSideAction, Settings } from '../../client/client.ts'
import type { ActionOutcome, Hello, SiteAction, ToFrame, ToSite } from '../embed/protocol.ts'
import { keepElsewhere } from '../shared/browser-storage.ts'
import type { ChatModel } from '../shared/chat/chat-model.ts'
import type { ActionStage } from '../shared/chat/perform-action.ts'
import { performLater } from '../shared/chat/perform-later.ts'
import { safeLink } from '../shared/chat/safe-address.ts'

const scripts: readonly SiteAction['type'][] = ['scriptToExecute', 'setVariable', 'chatwoot']

/** Actions that concern the page which somebody looks at, and not the frame in it. */
const ofSite: ReadonlySet<string> = new Set<SiteAction['type']>([
  ...scripts,
  'redirect',
  'googleAnalytics',
  'pixel',
  'startPropsToInject',
])

/** How long a site may take to answer a frame, in milliseconds; one that never does shows it without the script. */
const patienceMs = 2000

/** How long it may take for an action; a script of it as long as one in a frame of its own. */
const actionLimitMs = 4000
const scriptLimitMs = 30_000

/**
 * Greets the page around this one, where a site shows it by `/embed.js` (docs/embed.md). That page is one of those which
 * `frame-ancestors` lets in, and it alone gets the port by which all else is said.
 */
export function openSiteChannel(embed: string | null) {
  if (embed === null || parent === window) return undefined
  const { port1: port, port2 } = new MessageChannel()
  const send = (message: ToSite, ports: Transferable[] = []) => port.postMessage(message, ports)
  let variables: Readonly<Record<string, string>> = {}
  let isAnswered = false
  const answered = new Promise<void>((resolve) => {
    setTimeout(resolve, patienceMs)
    port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
      if (data.type === 'variables') ({ variables } = data)
      else if (data.type === 'open') focusConversation()
      else {
        isAnswered = true
        keepElsewhere(data.kept, (kept) => send({ type: 'keep', kept }))
        resolve()
      }
    }
  })
  const hello: Hello = { flowChat: 'hello' }
  parent.postMessage(hello, '*', [port2])

  async function ask(action: SiteAction): Promise<ActionOutcome | undefined> {
    await answered
    if (!isAnswered) return undefined
    const { port1, port2 } = new MessageChannel()
    return new Promise((resolve) => {
      // Nobody knows then whether it was done: twice would be worse than not at all.
      const limitMs = scripts.includes(action.type) ? scriptLimitMs : actionLimitMs
      setTimeout(resolve, limitMs, { isDone: true })
      port1.onmessage = ({ data }: MessageEvent<ActionOutcome>) => resolve(data)
      send({ type: 'action', action }, [port2])
    })
  }

  const isClosable = embed === 'panel'
  const close = () => send({ type: 'close' })
  if (isClosable) addEventListener('keydown', (event) => isLeft(event) && close())
  const hasClose = ({ header = {} }: Settings) =>
    isClosable && header.isEnabled !== false && header.isCloseShown !== false
  return {
    /** Closes what the conversation is shown in, where that can be closed. */
    ...(isClosable && { close }),
    /** Resolves once the site has said what it keeps for a frame whose storage is closed, or says nothing. */
    answered,
    /** Values of variables that came after the address. */
    variables: () => variables,
    /** Has the site do what a flow asks of it, and does here what the site leaves. */
    async perform(action: ClientSideAction, stage: ActionStage): Promise<string | undefined> {
      if (!isOfSite(action)) return performLater(action, stage)
      const outcome = await ask(withWholeAddress(action))
      if (outcome?.isDone) return outcome.text
      // The site leads its visitors itself, or not at all.
      const isAway = action.type === 'redirect' && !action.redirect.isNewTab
      return outcome && isAway ? undefined : performLater(action, stage, outcome?.failure)
    },
    /** Tells the site what happens in a conversation from now on. */
    follow({ entries, revealed, phase, settings }: ChatModel, root: ShadowRoot, isResumed: boolean): void {
      let told = 0
      let isOld = isResumed
      effect(() => {
        const shown = entries.value.slice(0, revealed.value)
        const fresh = isOld ? [] : shown.slice(told)
        if (shown.length > 0) isOld = false
        told = shown.length
        for (const entry of fresh) {
          if (entry.kind === 'said')
            send({ type: 'answer', detail: { blockId: entry.blockId, text: entry.text } })
          if (entry.kind !== 'message') continue
          const { id, type } = entry.message
          send({ type: 'message', detail: { id, type } })
        }
      })
      let isReady = false
      effect(() => {
        if (phase.value === 'busy') return
        if (!isReady) send({ type: 'ready', title: document.title, hasClose: hasClose(settings.value) })
        if (phase.value === 'over' && (isReady || !isResumed)) send({ type: 'end' })
        isReady = true
      })
      const [chat, scroll, content] = ['.chat', '.scroll', '.scroll > *'].map((each) =>
        root.querySelector(each),
      )
      if (embed !== 'inline' || !chat || !scroll || !content) return
      const tellHeight = () =>
        send({ type: 'height', height: chat.clientHeight - scroll.clientHeight + scroll.scrollHeight })
      new ResizeObserver(tellHeight).observe(content)
    },
  }
}

const isOfSite = (action: ClientSideAction): action is ClientSideAction & SiteAction =>
  ofSite.has(action.type)

const isLeft = ({ key, defaultPrevented }: KeyboardEvent) => key === 'Escape' && !defaultPrevented

/** Authors write addresses without a scheme; what would run as a script is none. */
function withWholeAddress(action: SiteAction): SiteAction {
  if (action.type !== 'redirect') return action
  const { url: _, ...rest } = action.redirect
  const url = safeLink(action.redirect.url)
  return { ...action, redirect: { ...rest, ...(url !== undefined && { url }) } }
}

/** Phones would open their keyboard over what is to be read first. */
function focusConversation(): void {
  if (!matchMedia('(pointer: fine)').matches) return
  const { shadowRoot } = document.getElementById('chat') ?? {}
  shadowRoot?.querySelector<HTMLElement>('.ask :is(input, textarea, button), .composer .field')?.focus()
}
