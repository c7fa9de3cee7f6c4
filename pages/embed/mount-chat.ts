import { fillScreen, isSmall } from './full-screen.ts'
import type { ChatSettings } from './options.ts'
import type { ActionOutcome, Hello, SiteAction, ToFrame, ToSite } from './protocol.ts'
import { performOnSite } from './site-actions.ts'
import { style } from './style.ts'
import { type Opener, openByItself } from './triggers.ts'

/** A chat that stands on a page. */
export interface MountedChat {
  readonly isOpen: () => boolean
  open(): void
  close(): void
  setVariables(variables: Readonly<Record<string, string>>): void
  destroy(): void
}

/** Tells the site what happens; `false` where it has done itself what was to be done. */
export type Emit = (type: string, detail?: unknown) => boolean

const sheet = () => {
  const own = new CSSStyleSheet()
  own.replaceSync(style)
  return own
}

/** Puts a chat into an element. Nothing of it is loaded before it is opened; inline, before it is in sight. */
export function mountChat(host: HTMLElement, options: ChatSettings, emit: Emit): MountedChat {
  const { address, flow, mode, words } = options
  const isInline = mode === 'inline'
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet()]
  const keptKey = `flow-chat/${address}/${flow}`
  const ending = new AbortController()
  const { signal } = ending
  let variables = options.variables
  let port: MessagePort | undefined
  let frame: HTMLIFrameElement | undefined
  let unread = 0
  let returnTo: HTMLElement | undefined
  let leaveScreen: (() => void) | undefined

  const chat = make('div', {
    class: `chat ${mode} ${options.position.replace('-', ' ')}`,
    role: 'region',
    'aria-label': words.title,
  })
  const panel = isInline
    ? make('div', { class: 'panel' })
    : make('dialog', { id: 'panel', 'aria-label': words.title })
  const dialog = panel instanceof HTMLDialogElement ? panel : undefined
  const launcher = button(words.open, 'launcher')
  const badge = make('span', { class: 'unread' })
  const cross = button(words.close, 'close')
  const invitation = make('div', { class: 'invitation', hidden: '' })

  for (const [name, value] of [
    ['--color', options.color],
    ['--icon-color', options.iconColor],
    ['--z-index', options.zIndex],
    ['--size', options.size && `${Number.parseInt(options.size, 10)}px`],
    ['--frame-height', options.height],
  ] as const)
    if (value) chat.style.setProperty(name, value)
  if (dialog) {
    cross.append(icon(crossLines))
    dialog.append(cross)
  }
  chat.append(panel)
  root.replaceChildren(chat)

  const send = (message: ToFrame) => port?.postMessage(message)
  const isOpen = () => dialog?.open ?? true

  function load(): void {
    if (frame) return
    // A flow that grows with its content has no bar to scroll by.
    const query = new URLSearchParams({ embed: isInline && !options.height ? 'inline' : 'panel' })
    if (options.locale) query.set('locale', options.locale)
    const values = new URLSearchParams(variables)
    frame = make('iframe', {
      title: words.title,
      allow: 'autoplay; camera; clipboard-write; fullscreen; microphone; payment',
      // What stands behind the # is in no log.
      src: `${address}/f/${encodeURIComponent(flow)}?${query}#${values}`,
    })
    panel.prepend(frame)
  }

  /** Only the frame that stands here is heard, and only as long as it shows the service. */
  function greet({ data, origin, source, ports }: MessageEvent<Hello | undefined>): void {
    if (!frame || source !== frame.contentWindow || origin !== address || data?.flowChat !== 'hello') return
    port?.close()
    port = ports[0]
    if (port) port.onmessage = hear
    // Its address has those of the moment when it began to load.
    send({ type: 'variables', variables })
    send({ type: 'kept', kept: JSON.parse(recall(keptKey) ?? '{}') })
  }

  function hear({ data, ports }: MessageEvent<ToSite>): void {
    switch (data.type) {
      case 'ready':
        panel.setAttribute('aria-label', data.title)
        if (frame) frame.title = data.title
        cross.hidden = data.hasClose
        // When it was opened, there was nothing yet that could take the focus.
        if (root.activeElement === frame) send({ type: 'open' })
        emit('ready', { title: data.title })
        break
      case 'message':
        if (!isOpen()) count(unread + 1)
        emit('message', data.detail)
        break
      case 'answer':
        emit('answer', data.detail)
        break
      case 'end':
        emit('end')
        break
      case 'close':
        close()
        break
      case 'height':
        chat.style.setProperty('--frame-height', `${data.height}px`)
        break
      case 'keep':
        keep(keptKey, JSON.stringify(data.kept))
        break
      case 'action':
        void obey(data.action).then((outcome) => ports[0]?.postMessage(outcome))
    }
  }

  async function obey(action: SiteAction): Promise<ActionOutcome> {
    if (!emit('action', action)) return { isDone: true }
    return performOnSite(action, options.allow).catch((error) => {
      console.error(error)
      return { isDone: false }
    })
  }

  function count(number: number): void {
    unread = number
    badge.textContent = number > 0 ? String(number) : ''
    const name = isOpen() ? words.close : words.open
    launcher.setAttribute('aria-label', number > 0 ? `${name}, ${number} ${words.unread}` : name)
  }

  /** Somebody who opens a chat is led into it; one that opens by itself beside the page takes no focus. */
  function open(by: Opener = 'visitor'): void {
    load()
    if (!dialog || dialog.open) return
    const isModal = mode === 'popup' || isSmall()
    const active = document.activeElement
    returnTo = mode === 'bubble' ? launcher : active instanceof HTMLElement ? active : undefined
    dialog.classList.toggle('full', isSmall())
    if (isModal) dialog.showModal()
    else dialog.open = true
    if (isSmall()) leaveScreen = fillScreen(dialog, close)
    if (isModal || by === 'visitor') {
      frame?.focus()
      send({ type: 'open' })
    }
    invitation.hidden = true
    showState()
    emit('open')
  }

  function close(): void {
    if (!dialog?.open) return
    const hadFocus = dialog.matches(':focus-within, :modal')
    dialog.close()
    leaveScreen?.()
    leaveScreen = undefined
    if (hadFocus) returnTo?.focus()
    keep(`${keptKey}/left`, '1')
    showState()
    emit('close')
  }

  function showState(): void {
    launcher.setAttribute('aria-expanded', String(isOpen()))
    launcher.replaceChildren(isOpen() ? icon('M6 9l6 6 6-6') : launcherIcon(), badge)
    count(0)
    if (options.remembers) keep(`${keptKey}/open`, isOpen() ? '1' : '')
  }

  function launcherIcon(): Element {
    if (options.icon) return make('img', { src: options.icon, alt: '' })
    return icon('M4 5h16v11H9l-5 4z')
  }

  function addLauncher(): void {
    launcher.setAttribute('aria-haspopup', 'dialog')
    launcher.setAttribute('aria-controls', 'panel')
    launcher.addEventListener('click', () => (isOpen() ? close() : open()))
    chat.append(launcher)
    const { invitation: text } = options
    if (!text || recall(`${keptKey}/left`)) return
    const accept = button(text)
    accept.textContent = text
    accept.dir = 'auto'
    const dismiss = button(words.dismiss)
    dismiss.append(icon(crossLines))
    accept.addEventListener('click', () => open())
    dismiss.addEventListener('click', () => {
      invitation.hidden = true
      keep(`${keptKey}/left`, '1')
      launcher.focus()
    })
    invitation.append(accept, dismiss)
    chat.prepend(invitation)
    const timer = setTimeout(() => {
      invitation.hidden = isOpen()
    }, options.invitationAfter * 1000)
    signal.addEventListener('abort', () => clearTimeout(timer))
  }

  addEventListener('message', greet, { signal })
  if (isInline) whenSeen(panel, load, signal)
  else {
    const wasOpen = options.remembers ? recall(`${keptKey}/open`) : undefined
    if (mode === 'bubble') addLauncher()
    showState()
    cross.addEventListener('click', close)
    chat.addEventListener('keydown', ({ key }) => key === 'Escape' && close())
    dialog?.addEventListener('cancel', (event) => {
      event.preventDefault()
      close()
    })
    if (wasOpen ?? options.isOpen) open('itself')
    openByItself({
      options,
      signal,
      open: (by) => (by === 'visitor' || !recall(`${keptKey}/left`)) && open(by),
    })
  }

  return {
    isOpen,
    open: () => open(),
    close,
    setVariables(more) {
      variables = { ...variables, ...more }
      send({ type: 'variables', variables })
    },
    destroy() {
      ending.abort()
      leaveScreen?.()
      port?.close()
      root.replaceChildren()
    },
  }
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

const button = (label: string, className = '') =>
  make('button', { type: 'button', class: className, 'aria-label': label })

const crossLines = 'M6 6l12 12M18 6L6 18'

const svgNamespace = 'http://www.w3.org/2000/svg'

function icon(lines: string): Element {
  const svg = document.createElementNS(svgNamespace, 'svg')
  const path = document.createElementNS(svgNamespace, 'path')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', lines)
  svg.append(path)
  return svg
}

function whenSeen(element: Element, act: () => void, signal: AbortSignal): void {
  const observer = new IntersectionObserver((changes) => {
    if (changes.some(({ isIntersecting }) => isIntersecting)) act()
  })
  observer.observe(element)
  signal.addEventListener('abort', () => observer.disconnect())
}

/** For this tab; a page that may keep nothing remembers nothing. */
function recall(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

function keep(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    // Full, or closed to the site.
  }
}
