import type { Flow } from '../../../schemas/flow.ts'
import type { BlockRegistry } from '../model/block-handler.ts'
import type { StartProps } from '../model/start-props.ts'

/** Scripts that the client loads for a flow beside its head code: its tag manager, and those of its blocks. */
export function compileStartProps(flow: Flow, registry: BlockRegistry): StartProps {
  const { googleTagManagerId } = flow.settings.metadata ?? {}
  const pixelIds: string[] = []
  let googleAnalyticsId: string | undefined
  for (const { blocks } of flow.groups) {
    for (const block of blocks) {
      const props = registry.get(block.type)?.startProps?.(block)
      googleAnalyticsId ??= props?.googleAnalyticsId
      if (props?.pixelIds) pixelIds.push(...props.pixelIds)
    }
  }
  return {
    ...(googleAnalyticsId !== undefined && { googleAnalyticsId }),
    ...(pixelIds.length > 0 && { pixelIds }),
    ...(googleTagManagerId && { gtmId: googleTagManagerId }),
  }
}
