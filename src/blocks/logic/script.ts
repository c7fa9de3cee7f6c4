import { ScriptBlock } from '../../../schemas/blocks/logic.ts'
import { bindSource, readBinding } from '../../engine/javascript/bind-variables.ts'
import { mayFetch, runJob } from '../../engine/javascript/sandbox-job.ts'
import { defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { CodeJob } from '../../engine/model/effect-payloads.ts'
import type { Effects } from '../../engine/model/effects.ts'
import { visibleError } from '../../engine/model/log-entry.ts'
import type { Assignment, Step } from '../../engine/model/step.ts'
import { renderClientScript } from '../../engine/templates/client-script.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'

interface Script {
  readonly content: TextTemplate
  readonly isExecutedOnClient: boolean
  readonly isUnsafe: boolean | undefined
}

/** Runs code in the browser, or here where the block says so (docs/behaviour/logic.md, "Script"). */
export const script = defineBlock<ScriptBlock, Script | undefined>({
  schema: ScriptBlock,
  kind: 'logic',
  compile({ options }, context) {
    if (!options?.content) return undefined
    const { content, isExecutedOnClient = true, isUnsafe } = options
    return { content: context.text(content, '/options/content'), isExecutedOnClient, isUnsafe }
  },
  run(compiled, context) {
    if (!compiled) return {}
    return compiled.isExecutedOnClient ? sendScript(compiled, context) : runScript(compiled.content, context)
  },
  isPassThrough: () => true,
  marks: { isClientOnly: ({ options }) => options?.isExecutedOnClient !== false },
})

function sendScript({ content, isUnsafe }: Script, context: RunContext): Step {
  const scriptToExecute = {
    ...renderClientScript(content, context),
    ...(isUnsafe !== undefined && { isUnsafe }),
  }
  return { actions: [{ type: 'scriptToExecute', scriptToExecute }] }
}

type AssignedNames = readonly (readonly [name: string, value: unknown])[]

/**
 * Runs a script in the sandbox. What it has set is written when it has run to its end, and not at all when it fails.
 */
function* runScript(content: TextTemplate, context: RunContext): Effects<Step> {
  const result = yield* runJob(jobOf(content, context))
  if (result.ok) return { assignments: assignmentsOf(result.assigned, context) }
  const { message: description } = result
  return {
    logs: [visibleError({ context: 'Script failed', description, details: context.place })],
  }
}

function jobOf(content: TextTemplate, context: RunContext): CodeJob {
  const { text, bindings } = bindSource(content, context)
  const globals = [...bindings].map(
    ([name, binding]) => [name, readBinding(binding, context.variables)] as const,
  )
  return { body: text, isAsync: true, globals, mayAssign: true, mayFetch: mayFetch(text) }
}

/** The last value that was set under a name counts; names that the flow does not declare are left out. */
function assignmentsOf(assigned: AssignedNames, { variables }: RunContext): Assignment[] {
  return [...new Map(assigned)].flatMap(([name, value]) => {
    const [variable] = variables.table.byName(name).candidates
    return variable ? [{ variableId: variable.id, value }] : []
  })
}
