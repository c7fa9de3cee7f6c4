import type { CompileContext } from '../engine/model/block-handler.ts'
import type { Step } from '../engine/model/step.ts'

/** An action that this server does not know leaves a log, and the walk goes on. */
export function skipUnavailable(action: string): Step {
  return {
    logs: [
      { audience: 'visitors', status: 'error', description: `${action} is not available on this server` },
    ],
  }
}

/** Reports that a block will be skipped. */
export function reportNotAvailable(action: string, context: CompileContext): void {
  const hint = `${action} is not available on this server: the block is passed over with a log.`
  context.report({ code: 'not-available', severity: 'warning', at: '', hint })
}
