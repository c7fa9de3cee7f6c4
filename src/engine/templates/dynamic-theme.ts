import type { Flow } from '../../../schemas/flow.ts'
import { currentFrameOf } from '../model/conversation.ts'
import type { Effects } from '../model/effects.ts'
import type { TurnLimit } from '../model/limits.ts'
import { type LogEntry, logPlaceOf } from '../model/log-entry.ts'
import type { Program } from '../model/program.ts'
import type { Scope } from '../model/scope.ts'
import type { Turn } from '../turn/turn.ts'
import type { VariableTable } from '../values/variables.ts'
import { parseTemplate } from './parse-template.ts'
import { renderWithBudget } from './render-with-budget.ts'
import { renderText } from './text-template.ts'
import { safeAddress } from './url-policy.ts'

/** The addresses that every reply carries: those that hold a placeholder anywhere (docs/api.md). */
export function compileDynamicTheme({ theme }: Flow, variables: VariableTable): Program['dynamicTheme'] {
  const { hostAvatar, guestAvatar } = theme.chat ?? {}
  const addresses = [
    ['hostAvatarUrl', hostAvatar?.isEnabled === false ? undefined : hostAvatar?.url],
    ['guestAvatarUrl', guestAvatar?.isEnabled === true ? guestAvatar.url : undefined],
    ['backgroundUrl', theme.general?.background?.content],
  ] as const
  return addresses.flatMap(([name, source]) =>
    source !== undefined && changes(source, variables) ? [{ name, source }] : [],
  )
}

/** Clients rely on an address that begins as a placeholder does, whether it is one or not. */
function changes(source: string, variables: VariableTable): boolean {
  return source.startsWith('{{') || parseTemplate(source, variables).constant === undefined
}

/** Renders those addresses with the present values of the flow that is being walked. */
export function* renderDynamicTheme(turn: Turn): Effects<void> {
  const { conversation, budget, output } = turn
  const { dynamicTheme } = conversation.frames[0].program
  const { program, variables } = currentFrameOf(conversation)
  const place = logPlaceOf(program)
  const rendered: Record<string, string> = {}
  const log = (entry: LogEntry) => output.logUncharged({ ...entry, place })
  const reached = (limit: TurnLimit) => budget.limitsReached.push(limit)
  for (const { name, source } of dynamicTheme) {
    const template = parseTemplate(source, variables.table)
    const render = (scope: Scope) => safeAddress(renderText(template, scope), 'media', scope)
    rendered[name] = yield* renderWithBudget({
      variables,
      limits: budget.limits,
      codes: template.codes,
      render,
      otherwise: '',
      log,
      reached,
    })
  }
  output.dynamicTheme = rendered
}
