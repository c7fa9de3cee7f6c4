import type { Settings } from '../../../schemas/settings.ts'
import type { Theme } from '../../../schemas/theme.ts'
import { logPlaceOf } from '../../engine/model/log-entry.ts'
import { JsonFragment } from '../../engine/templates/json-fragment.ts'
import { type JsonTemplate, renderJson } from '../../engine/templates/json-template.ts'
import { renderWithBudget } from '../../engine/templates/render-with-budget.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { Variables } from '../../engine/values/variables.ts'
import type { EffectRunner } from '../turn/effect-runner.ts'

/** The theme and the settings of the flow that was started, with variables replaced. */
export interface Appearance {
  readonly theme: JsonFragment<Theme>
  readonly settings: JsonFragment<Settings>
}

/** Tools that render the theme and the settings: the variables are those of the flow that was started. */
interface RenderTools {
  readonly runner: EffectRunner
  readonly variables: Variables
}

/** Renders both with the present values. What was cut by a budget is a log of the turn. */
export async function renderAppearance(turn: Turn, tools: RenderTools): Promise<Appearance> {
  const { program } = turn.conversation.frames[0]
  const theme = program.theme.constant ?? (await renderWhole(program.theme, turn, tools))
  const settings = program.settings.constant ?? (await renderWhole(program.settings, turn, tools))
  return { theme, settings }
}

/** Renders a template of the flow that was started; what is beyond the budget is left empty. */
export function renderWhole<T extends object>(
  template: JsonTemplate<T>,
  turn: Turn,
  { runner, variables }: RenderTools,
): JsonFragment<T> | Promise<JsonFragment<T>> {
  const place = logPlaceOf(turn.conversation.frames[0].program)
  return runner.run(
    renderWithBudget({
      variables,
      limits: turn.budget.limits,
      codes: template.codes,
      render: (scope) => renderJson(template, scope),
      otherwise: new JsonFragment({} as T),
      log: (entry) => turn.output.logUncharged({ ...entry, place }),
      reached: (limit) => turn.budget.limitsReached.push(limit),
    }),
  )
}
