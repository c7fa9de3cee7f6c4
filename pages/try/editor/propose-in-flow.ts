import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { completeFlow, type Schema } from './complete-flow.ts'

/** Proposes what may stand at the cursor. The schemas come when they are first needed. */
export async function proposeInFlow(context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit && !context.matchBefore(/["\w-]/)) return null
  const { FlowDefinition } = await import('../../../schemas/flow.ts')
  const found = completeFlow(context.state.doc.toString(), context.pos, FlowDefinition as Schema)
  return found ? { ...found, validFor: /^[\w .-]*"?$/ } : null
}
