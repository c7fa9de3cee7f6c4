import type { Flow } from '../../schemas/flow.ts'
import type { Program } from './program.ts'

/** The addresses that the client is told with every reply: those that *start* with a placeholder (docs/api.md). */
export function dynamicThemeOf({ theme }: Flow): Program['dynamicTheme'] {
  const dynamic = (text: string | undefined) => (text?.startsWith('{{') ? text : undefined)
  const { hostAvatar, guestAvatar } = theme.chat ?? {}
  return {
    hostAvatarUrl: hostAvatar?.isEnabled === false ? undefined : dynamic(hostAvatar?.url),
    guestAvatarUrl: guestAvatar?.isEnabled === true ? dynamic(guestAvatar.url) : undefined,
    backgroundUrl: dynamic(theme.general?.background?.content),
  }
}
