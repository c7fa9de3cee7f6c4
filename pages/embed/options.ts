/** Where a chat is shown: over the page beside its button, over the page alone, or in the page. */
export type ChatMode = 'bubble' | 'popup' | 'inline'

/** Actions of a flow that are done in the page of the site. */
export type Allowed = 'redirect' | 'scripts' | 'analytics'

/** The attributes of a chat as they are read, with what holds where one is missing: docs/embed.md. */
export interface ChatSettings {
  /** Public id of the flow. */
  readonly flow: string
  /** Origin of the service: `https://chat.example`. For `/embed.js` it is where the script comes from. */
  readonly address: string
  readonly mode: ChatMode
  /** Language, as a tag: `fr-CA`. */
  readonly locale: string | undefined
  /** Values of variables by their names. */
  readonly variables: Readonly<Record<string, string>>
  readonly allow: readonly Allowed[]
  /** Words on the page: names of buttons for who does not see them, and an invitation beside the launcher. */
  readonly words: Readonly<Record<'open' | 'close' | 'dismiss' | 'unread' | 'title', string>>
  readonly invitation: string | undefined
  /** Seconds after which the invitation comes. */
  readonly invitationAfter: number
  readonly position: string
  /** Colours of the launcher, the address of its picture, and its width in pixels. */
  readonly color: string | undefined
  readonly iconColor: string | undefined
  readonly icon: string | undefined
  readonly size: string | undefined
  readonly zIndex: string | undefined
  /** Height of an inline chat that does not grow with its content, as CSS has it. */
  readonly height: string | undefined
  /** Whether a reload finds it as open, or as closed, as it was. */
  readonly remembers: boolean
  readonly isOpen: boolean
  /** Selector of elements that open it. */
  readonly button: string | undefined
  /** Opens by itself: after seconds, at a percentage of the page, or when the pointer leaves the page. */
  readonly after: number | undefined
  readonly scroll: number | undefined
  readonly exit: boolean
}

/** Reads the attributes of a chat. Values in `variables` count before those of `data-var-…`. */
export function readOptions(
  given: Readonly<Record<string, string | undefined>>,
  variables: Readonly<Record<string, string>>,
): ChatSettings {
  const has = (name: string) => given[name] !== undefined && given[name] !== 'false'
  const number = (name: string) => (has(name) ? Number.parseFloat(given[name] ?? '') || 0 : undefined)
  const named = Object.entries(given)
    .filter(([name]) => /^var[A-Z]/.test(name))
    .flatMap(([name, value = '']) => spellings(name.slice(3)).map((spelling) => [spelling, value]))
  const { mode } = given
  return {
    flow: given['flow'] ?? '',
    address: new URL(given['address'] || location.href).origin,
    mode: mode === 'popup' || mode === 'inline' ? mode : 'bubble',
    locale: given['locale'],
    variables: { ...Object.fromEntries(named), ...variables },
    allow: (given['allow'] ?? 'redirect').split(/\s+/) as Allowed[],
    words: {
      title: given['title'] || 'Chat',
      open: given['labelOpen'] || 'Open chat',
      close: given['labelClose'] || 'Close chat',
      dismiss: given['labelDismiss'] || 'Dismiss',
      unread: given['labelUnread'] || 'unread',
    },
    invitation: given['invitation'],
    invitationAfter: number('invitationAfter') ?? 3,
    position: given['position'] ?? '',
    color: given['color'],
    iconColor: given['iconColor'],
    icon: given['icon'],
    size: given['size'],
    zIndex: given['zIndex'],
    height: given['height'],
    remembers: has('remember'),
    isOpen: has('open'),
    button: given['button'],
    after: number('after'),
    scroll: number('scroll'),
    exit: has('exit'),
  }
}

/** Attributes have neither capitals nor spaces in their names, as variables do. A flow passes over those it has not. */
function spellings(name: string): string[] {
  const capitals = name.split(/(?=[A-Z])/)
  const words = capitals.map((word) => word.toLowerCase())
  return [
    ...['-', '_', ' '].map((between) => words.join(between)),
    [capitals[0], ...words.slice(1)].join(' '),
    capitals.join(' '),
    capitals.join(''),
    [words[0], ...capitals.slice(1)].join(''),
  ]
}
