import type { ClientSideAction } from '../../../schemas/action.ts'
import type { Log } from '../../../schemas/log.ts'
import type { Program } from '../../engine/model/program.ts'
import { JsonFragment } from '../../engine/templates/json-fragment.ts'

/** The action by which the client loads what a live conversation needs; undefined when there is nothing to load. */
export function createStartPropsAction({
  startProps,
  headCode,
}: Program): JsonFragment<ClientSideAction> | undefined {
  const { pixelIds, ...rest } = startProps
  const customHeadCode = headCode?.()
  const startPropsToInject = {
    ...rest,
    ...(pixelIds && { pixelIds: [...pixelIds] }),
    ...(customHeadCode !== undefined && { customHeadCode }),
  }
  if (Object.keys(startPropsToInject).length === 0) return undefined
  return new JsonFragment({ type: 'startPropsToInject', startPropsToInject })
}

/** The log of a preview instead: trackers and head code are for visitors only. */
export function createStartPropsLog({ startProps, headCode }: Program): Log | undefined {
  const off = [
    headCode !== undefined && 'Custom head code',
    startProps.googleAnalyticsId !== undefined && 'Google Analytics',
    startProps.pixelIds !== undefined && 'Pixel',
    startProps.gtmId !== undefined && 'Google Tag Manager',
  ].filter((name) => name !== false)
  if (off.length === 0) return undefined
  const verb = off.length > 1 ? 'are' : 'is'
  return { status: 'info', description: `${off.join(', ')} ${verb} not enabled in Preview mode` }
}
