import type { Flow } from '../../schemas/flow.ts'
import type { Log } from '../../schemas/log.ts'
import { renderBounded } from './bounded-scope.ts'
import { compileText } from './compile-text.ts'
import { frontOf, rootOf } from './conversation.ts'
import type { Effects } from './effects.ts'
import type { Program } from './program.ts'
import type { Scope } from './scope.ts'
import { renderText } from './text-template.ts'
import type { Turn } from './turn.ts'

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

/** Renders those addresses with the present values of the flow that is being walked. */
export function* renderDynamicTheme(turn: Turn): Effects<void> {
  const { conversation, limits, output } = turn
  const { dynamicTheme } = rootOf(conversation).program
  const { variables } = frontOf(conversation)
  const rendered: Record<string, string> = {}
  const log = (entry: Log) => void output.logs.push(entry)
  for (const [key, source] of Object.entries(dynamicTheme)) {
    if (source === undefined) continue
    const template = compileText(source, variables.table)
    const render = (scope: Scope) => renderText(template, scope)
    rendered[key] = yield* renderBounded({ variables, limits, render, otherwise: '', log })
  }
  if (Object.keys(rendered).length > 0) output.dynamicTheme = rendered
}
