import type { PixelEvent } from '../../../schemas/action.ts'
import { PixelBlock } from '../../../schemas/blocks/integrations.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { JsonTemplate } from '../../engine/templates/json-template.ts'
import { parseJson } from '../json-texts.ts'

interface PixelTemplate {
  readonly pixelId: string
  readonly eventType: string
  readonly isInitSkip: boolean | undefined
  /** Texts that may hold placeholders. */
  readonly texts: JsonTemplate<Pick<PixelEvent, 'name' | 'params'>>
}

/** Sends an event to an ad pixel from the browser of a live session (docs/behaviour/integrations.md, "Pixel"). */
export const pixel = defineBlock<PixelBlock, PixelTemplate | undefined>({
  schema: PixelBlock,
  kind: 'integration',
  compile,
  run(template, context) {
    if (!template || !context.isLive) return {}
    return { actions: [{ type: 'pixel', pixel: render(template, context) }] }
  },
  isPassThrough: () => true,
  marks: { changesNothing: true, isClientOnly: () => true },
  startProps: ({ options }) =>
    options?.pixelId && options.isInitSkip !== true ? { pixelIds: [options.pixelId] } : {},
})

function compile({ options }: PixelBlock, context: CompileContext): PixelTemplate | undefined {
  if (!options?.pixelId || !options.eventType) return undefined
  const { pixelId, eventType, isInitSkip, name, params } = options
  const texts = {
    ...(name !== undefined && { name }),
    ...(params && {
      params: params.map(({ id, key, value }) => ({
        ...(id !== undefined && { id }),
        ...(key !== undefined && { key }),
        ...(value !== undefined && { value }),
      })),
    }),
  }
  return { pixelId, eventType, isInitSkip, texts: context.json(texts, '/options') }
}

function render({ pixelId, eventType, isInitSkip, texts }: PixelTemplate, context: RunContext): PixelEvent {
  const { name, params } = context.render(texts).value
  return {
    pixelId,
    eventType,
    ...(name && { name }),
    ...(isInitSkip !== undefined && { isInitSkip }),
    ...(params && { params: params.map(typeParam) }),
  }
}

type Param = NonNullable<PixelEvent['params']>[number]

function typeParam({ id, key, value }: Param): Param {
  const typed = typeTexts(value)
  return { ...(id && { id }), ...(key && { key }), ...(typed !== undefined && { value: typed }) }
}

/** Takes every text that reads as JSON for what it says; properties with an empty text are left out. */
function typeTexts(value: unknown): unknown {
  if (typeof value === 'string') return typeText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => typeTexts(element) ?? null)
  const entries = Object.entries(value).map(([key, child]) => [key, typeTexts(child)] as const)
  return Object.fromEntries(entries.filter(([, child]) => child !== undefined))
}

function typeText(text: string): unknown {
  if (text === '' || text === 'undefined') return undefined
  const parsed = parseJson(text)
  return parsed ? parsed.value : text
}
