import {
  type AnyBlock,
  type BlockHandler,
  type CompileContext,
  defineBlock,
} from '../engine/model/block-handler.ts'
import type { Step } from '../engine/model/step.ts'

/** A block that this server can't run leaves a log, and the walk goes on. */
export function notAvailable(type: string): Step {
  return {
    logs: [{ audience: 'visitors', status: 'error', description: `${type} is not available on this server` }],
  }
}

/** Reports that a block will be skipped. */
export function reportNotAvailable(type: string, context: CompileContext): void {
  const hint = `${type} is not available on this server: the block is passed over with a log.`
  context.report({ code: 'not-available', severity: 'warning', at: '', hint })
}

interface ConfigurableBlock extends AnyBlock {
  readonly options?: object
}

/**
 * The handler of block types that are accepted and never run: flows are written elsewhere, and must not end where
 * this server has nothing to offer (docs/behaviour/integrations.md, "Blocks that are not available").
 */
export function notAvailableBlock(types: readonly string[]): BlockHandler {
  return defineBlock<ConfigurableBlock, string | undefined>({
    types,
    kind: 'integration',
    compile({ type, options }, context) {
      // Without options the author has not set it up yet, which is no reason for an error.
      if (!options) return undefined
      reportNotAvailable(type, context)
      return type
    },
    run: (type) => (type === undefined ? {} : notAvailable(type)),
    isPassThrough: () => true,
  })
}
