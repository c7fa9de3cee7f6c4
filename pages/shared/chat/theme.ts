import type { Theme } from '../../../client/client.ts'
import { safeMedia } from './safe-address.ts'

type Variables = Readonly<Record<string, string>>

interface Look {
  readonly backgroundColor?: string
  readonly color?: string
  readonly opacity?: number
  readonly border?: {
    readonly thickness?: number
    readonly color?: string
    readonly roundeness?: 'none' | 'medium' | 'large' | 'custom'
    readonly customRoundeness?: number
  }
}

const corners = { none: 0, medium: 6, large: 20 }

/** The look that a flow asks for, as custom properties; what it leaves open stays as the style sheet has it. */
export function themeVariables({ general, chat }: Theme): Variables {
  const background = general?.background
  const picture = background?.type === 'Image' ? safeMedia(background.content, true) : undefined
  const color =
    background?.type === 'Color' || background?.type === undefined ? background?.content : undefined
  const font = typeof general?.font === 'string' ? general.font : general?.font?.family
  return defined({
    '--page-background': color,
    '--page-image': picture && `url(${JSON.stringify(picture)})`,
    '--page-color': chat?.container?.color ?? (color && readableOn(color)),
    '--page-width': chat?.container?.maxWidth,
    '--font': font && `${JSON.stringify(font)}, var(--system-font)`,
    '--progress-color': general?.progressBar?.color,
    '--progress-background': general?.progressBar?.backgroundColor,
    '--progress-thickness': pixels(general?.progressBar?.thickness),
    '--placeholder': chat?.inputs?.placeholderColor,
    ...lookVariables('host', chat?.hostBubbles, chat?.roundness),
    ...lookVariables('guest', chat?.guestBubbles, chat?.roundness),
    ...lookVariables('button', chat?.buttons, chat?.roundness),
    ...lookVariables('field', chat?.inputs, chat?.roundness),
  })
}

/** Whether the page that a flow paints is light or dark; undefined where that is left to the visitor. */
export function schemeOf({ general }: Theme): 'light' | 'dark' | undefined {
  const color = general?.background?.type === 'Image' ? undefined : general?.background?.content
  const ink = color && readableOn(color)
  if (!ink) return undefined
  return ink === white ? 'dark' : 'light'
}

function lookVariables(name: string, look: Look = {}, roundness: keyof typeof corners | undefined) {
  const { backgroundColor, border } = look
  const round =
    border?.roundeness === 'custom'
      ? border.customRoundeness
      : corners[border?.roundeness ?? roundness ?? 'none']
  const isRoundSet = border?.roundeness !== undefined || roundness !== undefined
  return {
    [`--${name}-background`]: backgroundColor,
    [`--${name}-color`]: look.color ?? (backgroundColor && readableOn(backgroundColor)),
    [`--${name}-opacity`]: look.opacity === undefined ? undefined : String(look.opacity),
    [`--${name}-border`]:
      border?.thickness === undefined
        ? undefined
        : `${border.thickness}px solid ${border.color ?? 'currentColor'}`,
    [`--${name}-radius`]: isRoundSet ? pixels(round) : undefined,
  }
}

function pixels(length: number | undefined): string | undefined {
  return length === undefined ? undefined : `${length}px`
}

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
