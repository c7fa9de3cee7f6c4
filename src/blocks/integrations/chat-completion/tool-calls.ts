import { bindSource, readBinding } from '../../../engine/javascript/bind-variables.ts'
import { createScope } from '../../../engine/javascript/evaluate.ts'
import { createScopeWith, evaluateAhead } from '../../../engine/javascript/evaluate-ahead.ts'
import { toIdentifier } from '../../../engine/javascript/identifier.ts'
import { runJob } from '../../../engine/javascript/sandbox-job.ts'
import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { CodeJob } from '../../../engine/model/effect-payloads.ts'
import { type Effects, finish } from '../../../engine/model/effects.ts'
import { type LogEntry, visibleError } from '../../../engine/model/log-entry.ts'
import type { Scope } from '../../../engine/model/scope.ts'
import type { Assignment } from '../../../engine/model/step.ts'
import { toValue } from '../../../engine/values/value.ts'
import { Variables } from '../../../engine/values/variables.ts'
import { parseJson } from '../../json-texts.ts'
import type { ToolCall } from './answer.ts'
import { callMcpTool, type McpTool, type openMcpTools } from './mcp-tools.ts'
import type { Tool, Tools } from './tools.ts'

const context = 'While executing function'

/** The functions of a block while a model has them called: what one writes, the next can read. */
export type ToolRunner = ReturnType<typeof createToolRunner>

interface Workshop {
  readonly tools: Tools
  readonly remote: ReturnType<typeof openMcpTools> extends Effects<infer Opened> ? Opened : never
}

/** Opens the functions of a block for one question. The variables of the conversation stay as they are. */
export function createToolRunner({ tools, remote }: Workshop, run: RunContext) {
  const { table, changed, inherited } = run.variables
  const variables = new Variables(table, changed, inherited)
  const scope = createScope({ variables, log: run.log, spend: run.spend })
  const assignments: Assignment[] = []
  const logs: LogEntry[] = [...remote.logs]

  function write([name, value]: readonly [string, unknown]): void {
    const [declaration] = table.byName(name).candidates
    if (!declaration) return
    variables.set(declaration.id, toValue(value))
    assignments.push({ variableId: declaration.id, value })
  }

  function fail(name: string, description: string): string {
    logs.push(visibleError({ context, description: `${name}: ${description}` }))
    return JSON.stringify({ context, description })
  }

  function* callRemote(tool: McpTool, given: unknown): Effects<string> {
    const called = yield* callMcpTool(tool, given, run)
    if ('failure' in called) return fail(tool.name, called.failure)
    run.spend(called.text.length)
    return called.text
  }

  return {
    assignments,
    logs,
    /** Calls a function; what it gives is for the model, a failure included. */
    *call({ id, name, arguments: text }: ToolCall): Effects<string> {
      const [tool, remoteTool] = [tools.get(name), remote.tools.get(name)]
      if (!tool && !remoteTool) return fail(name, 'There is no such function')
      const given = parseJson(text)
      if (!given) return fail(name, 'The arguments are not valid JSON')
      if (!tool) return remoteTool ? yield* callRemote(remoteTool, given.value) : ''
      const results = yield* finish(evaluateAhead(tool.code.codes, scope, run.runCode))
      const job = jobOf(tool, given.value, createScopeWith(results, scope))
      const result = yield* runJob({ ...job, tool: { name, callId: id } })
      if (!result.ok) return fail(name, result.message)
      result.assigned.forEach(write)
      const answer = textFor(result.value)
      run.spend(answer.length)
      return answer
    },
  }
}

/** References to variables and the arguments are bound: what they hold never becomes code. */
function jobOf({ code, parameters }: Tool, given: unknown, scope: Scope): CodeJob {
  const { text, bindings } = bindSource(code, scope)
  const globals = new Map<string, unknown>()
  for (const [name, binding] of bindings) globals.set(name, readBinding(binding, scope.variables))
  for (const name of parameters) if (toIdentifier(name) === name) globals.set(name, own(given, name))
  return { body: text, isAsync: true, globals: [...globals], mayAssign: true, mayFetch: true }
}

function own(object: unknown, key: string): unknown {
  return Object.hasOwn(Object(object), key) ? (object as Record<string, unknown>)[key] : undefined
}

function textFor(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return String(value)
  }
}
