import type { ClientSideAction, GoogleAnalyticsEvent } from '../../../schemas/action.ts'
import { GoogleAnalyticsBlock } from '../../../schemas/blocks/integrations.ts'
import { defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { type CompiledNumber, compileNumberOrVariable } from '../number-or-variable.ts'

const textFields = ['trackingId', 'category', 'action', 'label', 'sendTo'] as const

interface EventTemplate {
  readonly texts: readonly (readonly [field: string, text: TextTemplate])[]
  readonly value: CompiledNumber
}

/** Sends an event from the browser of a live session (docs/behaviour/integrations.md, "Google Analytics"). */
export const googleAnalytics = defineBlock<GoogleAnalyticsBlock, EventTemplate | undefined>({
  schema: GoogleAnalyticsBlock,
  kind: 'integration',
  compile({ options }, context) {
    if (!options) return undefined
    const texts = textFields.map(
      (field) => [field, context.text(options[field] ?? '', `/options/${field}`)] as const,
    )
    return { texts, value: compileNumberOrVariable(options.value, context, '/options/value') }
  },
  run(event, context) {
    if (!event || !context.isLive) return {}
    const action: ClientSideAction = { type: 'googleAnalytics', googleAnalytics: render(event, context) }
    return { actions: [action] }
  },
  isPassThrough: () => true,
  marks: { changesNothing: true, isClientOnly: () => true },
  // As written: the client loads the tag before any variable has a value.
  startProps: ({ options }) => (options?.trackingId ? { googleAnalyticsId: options.trackingId } : {}),
})

function render({ texts, value }: EventTemplate, context: RunContext): GoogleAnalyticsEvent {
  const rendered = texts.map(([field, text]) => [field, context.text(text)] as const)
  const number = value.render(context)
  return {
    ...Object.fromEntries(rendered.filter(([, text]) => text !== '')),
    ...(number !== undefined && { value: number }),
  }
}
