import type { Theme } from '../../../client/client.ts'
import { safeMedia } from './safe-address.ts'

type Variables = Readonly<Record<string, string>>
type Chat = NonNullable<Theme['chat']>
type Look = NonNullable<Chat['container']>

const corners = { none: 0, medium: 6, large: 20 }

const shadows = {
  none: 'none',
  sm: '0 1px 2px #0000000d',
  md: '0 2px 8px #0000001f',
  lg: '0 8px 20px #00000024',
  xl: '0 16px 32px #0000002b',
  '2xl': '0 24px 56px #00000045',
}

/** The look that a flow asks for, as custom properties; what it leaves open stays as the style sheet has it. */
export function themeVariables(theme: Theme): Variables {
  const { general, chat } = theme
  const picture = isVideo(theme) ? undefined : backgroundPicture(theme)
  const color = backgroundColor(theme)
  const font = typeof general?.font === 'string' ? general.font : general?.font?.family
  const elements = {
    frame: chat?.container,
    host: chat?.hostBubbles,
    guest: chat?.guestBubbles,
    button: chat?.buttons,
    field: chat?.inputs,
  }
  const looks = Object.entries(elements).map(([name, look]) =>
    lookVariables(name, look, name === 'frame' ? undefined : chat?.roundness),
  )
  return defined({
    '--page-background': color,
    '--page-image': picture && `url(${JSON.stringify(picture)})`,
    '--page-color': chat?.container?.color ?? inkOf(theme),
    '--frame-width': chat?.container?.maxWidth,
    '--frame-height': chat?.container?.maxHeight,
    '--font': font && `${JSON.stringify(font)}, var(--system-font)`,
    '--progress-color': general?.progressBar?.color,
    '--progress-background': general?.progressBar?.backgroundColor,
    '--progress-thickness': pixels(general?.progressBar?.thickness),
    '--placeholder': chat?.inputs?.placeholderColor,
    ...Object.assign({}, ...looks),
  })
}

/**
 * Classes for what a flow leaves to nobody else: `light` or `dark` where it says how what lies behind the texts is painted,
 * `painted` where the page or the frame is its own, `vertical` where choices stand below each other.
 */
export function themeClass(theme: Theme): string {
  const { general, chat } = theme
  const ink = inkOf(theme)
  const isPainted = general?.background?.content || chat?.container?.backgroundColor
  return [
    ink && (ink === white ? 'dark' : 'light'),
    isPainted && general?.background?.type !== 'None' && 'painted',
    chat?.buttonsInput?.layout === 'vertical' && 'vertical',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Address of the video behind the conversation. */
export function backgroundVideo(theme: Theme): string | undefined {
  return isVideo(theme) ? safeMedia(theme.general?.background?.content) : undefined
}

/** The same theme with the pictures that variables name at present. */
export function withDynamicTheme(
  theme: Theme,
  urls: Readonly<Partial<Record<'hostAvatarUrl' | 'guestAvatarUrl' | 'backgroundUrl', string>>>,
): Theme {
  const { hostAvatarUrl, guestAvatarUrl, backgroundUrl } = urls
  const { general, chat } = theme
  return {
    ...theme,
    general: {
      ...general,
      ...(backgroundUrl !== undefined && { background: { type: 'Image', content: backgroundUrl } }),
    },
    chat: {
      ...chat,
      ...(hostAvatarUrl !== undefined && { hostAvatar: { ...chat?.hostAvatar, url: hostAvatarUrl } }),
      ...(guestAvatarUrl !== undefined && { guestAvatar: { ...chat?.guestAvatar, url: guestAvatarUrl } }),
    },
  }
}

const isVideo = (theme: Theme) => /\.(?:mp4|webm|ogv|mov)(?:[?#]|$)/i.test(backgroundPicture(theme) ?? '')

function backgroundPicture({ general }: Theme): string | undefined {
  const { type, content } = general?.background ?? {}
  return type === 'Image' ? safeMedia(content, true) : undefined
}

function backgroundColor({ general }: Theme): string | undefined {
  const { type = 'Color', content } = general?.background ?? {}
  return type === 'Color' ? content : undefined
}

/** Black or white, by what is painted behind the texts. */
function inkOf(theme: Theme): string | undefined {
  const { backgroundColor: frame = '', opacity = 1 } = theme.chat?.container ?? {}
  return (opacity > 0.4 ? readableOn(frame) : undefined) ?? readableOn(backgroundColor(theme) ?? '')
}

function lookVariables(name: string, look: Look = {}, roundness: keyof typeof corners | undefined) {
  const { backgroundColor, color, opacity, blur, shadow, border = {} } = look
  const { thickness = border.color === undefined ? undefined : 1, color: line = 'currentColor' } = border
  const rounded = border.roundeness ?? roundness
  const radius =
    rounded === 'custom' ? (border.customRoundeness ?? corners.medium) : corners[rounded ?? 'none']
  return {
    [`--${name}-background`]:
      opacity === undefined ? backgroundColor : faded(backgroundColor ?? `var(--${name}-usual)`, opacity),
    [`--${name}-color`]: color ?? readableOn(backgroundColor ?? ''),
    [`--${name}-blur`]: blur ? `blur(${blur}px)` : undefined,
    [`--${name}-shadow`]: shadow && shadows[shadow],
    [`--${name}-border`]:
      thickness === undefined ? undefined : `${thickness}px solid ${faded(line, border.opacity ?? 1)}`,
    [`--${name}-radius`]: rounded && pixels(radius),
  }
}

/** What is opaque by half is the colour, not what stands on it. */
const faded = (color: string, opacity: number) =>
  opacity === 1 ? color : `color-mix(in srgb, ${color} ${opacity * 100}%, transparent)`

const pixels = (length: number | undefined) => (length === undefined ? undefined : `${length}px`)

const white = '#ffffff'

/** Black or white, whichever can be read on a colour; undefined for a colour that is not known by its numbers. */
function readableOn(color: string): string | undefined {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(color.trim())?.[1]
  if (digits === undefined) return undefined
  const whole = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16))
  return (red * 299 + green * 587 + blue * 114) / 1000 > 140 ? '#16181d' : white
}

function defined(variables: Readonly<Record<string, string | undefined>>): Variables {
  return Object.fromEntries(
    Object.entries(variables).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
}
