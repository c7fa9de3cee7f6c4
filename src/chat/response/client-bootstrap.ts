import type { ClientSideAction } from '../../../schemas/action.ts'
import type { Log } from '../../../schemas/log.ts'
import type { StartProps } from '../../engine/model/program.ts'
import { JsonFragment } from '../../engine/templates/json-fragment.ts'

/** What the client loads before a live conversation shows anything; undefined when there is nothing to load. */
export function createStartPropsAction(props: StartProps): JsonFragment<ClientSideAction> | undefined {
  if (Object.keys(props).length === 0) return undefined
  const { pixelIds, ...rest } = props
  const startPropsToInject = { ...rest, ...(pixelIds && { pixelIds: [...pixelIds] }) }
  return new JsonFragment({ type: 'startPropsToInject', startPropsToInject })
}

/** What a preview is told instead: trackers and head code are for visitors only. */
export function createStartPropsLog(props: StartProps): Log | undefined {
  const off = [
    props.customHeadCode !== undefined && 'Custom head code',
    props.googleAnalyticsId !== undefined && 'Google Analytics',
    props.pixelIds !== undefined && 'Pixel',
    props.gtmId !== undefined && 'Google Tag Manager',
  ].filter((name) => name !== false)
  if (off.length === 0) return undefined
  const verb = off.length > 1 ? 'are' : 'is'
  return { status: 'info', description: `${off.join(', ')} ${verb} not enabled in Preview mode` }
}
