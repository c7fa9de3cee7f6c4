import type { ResponseVariableMapping } from '../../schemas/blocks/integrations.ts'
import {
  compileResponsePath,
  problemOfPath,
  type ResponsePath,
} from '../engine/javascript/response-path/response-path.ts'
import { ResponseReader } from '../engine/javascript/response-path/response-reader.ts'
import type { CompileContext } from '../engine/model/block-handler.ts'
import type { Effects } from '../engine/model/effects.ts'
import { type LogEntry, visibleError } from '../engine/model/log-entry.ts'
import type { Scope } from '../engine/model/scope.ts'
import type { Assignment } from '../engine/model/step.ts'

/** Characters of a path that are quoted in a log. */
const reportedPath = 200

const mostRows = 100

const at = '/options/responseVariableMapping'

interface Row {
  /** Counted from 1, as an author sees it. */
  readonly number: number
  readonly variableId: string
  readonly path: ResponsePath
}

/** Rows that say which part of a response goes into which variable. */
export type ResponseMapping = readonly Row[]

/** Prepares a mapping; rows without a path, or without a variable that the flow declares, are left out. */
export function compileResponseMapping(
  rows: ResponseVariableMapping | undefined,
  context: CompileContext,
): ResponseMapping {
  return (rows ?? []).flatMap(({ variableId, bodyPath }, index) => {
    if (!variableId || !bodyPath || !context.variables.byId(variableId)) return []
    return [compileRow(index, { variableId, bodyPath }, context)]
  })
}

function compileRow(
  index: number,
  { variableId, bodyPath }: { variableId: string; bodyPath: string },
  context: CompileContext,
): Row {
  const place = `${at}/${index}/bodyPath`
  const path = compileResponsePath(bodyPath, context.lateText(bodyPath, place), context.variables.footprint)
  context.inspect(() => {
    const problem = problemOfPath(path)
    if (problem) context.report({ ...findings[problem], severity: 'warning', at: place })
  })
  return { number: index + 1, variableId, path }
}

const findings = {
  'no expression': {
    code: 'invalid-code',
    hint: 'This is not a JavaScript expression: the variable keeps its value.',
  },
  'value in pattern': {
    code: 'invalid-pattern',
    hint: 'A placeholder inside a pattern stands for nothing: write new RegExp("…{{…}}…") for /…{{…}}…/.',
  },
} as const

/** Whether a JSON value can be read as a response: an object is one, a list is not. */
export function isMappable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface MappingOutcome {
  readonly assignments: readonly Assignment[]
  readonly logs: readonly LogEntry[]
}

/**
 * Reads the parts of a response (docs/behaviour/integrations.md, "Response mapping"). A row whose path fails leaves its variable
 * alone; of rows for one variable the first that works counts.
 */
export function* mapResponse(
  mapping: ResponseMapping,
  response: object,
  scope: Scope,
): Effects<MappingOutcome> {
  const reader = new ResponseReader(response, scope)
  const values = new Map<string, unknown>()
  const logs: LogEntry[] = []
  for (const { number, variableId, path } of mapping.slice(0, mostRows)) {
    if (values.has(variableId)) continue
    const evaluated = yield* reader.read(path)
    if (evaluated.ok) values.set(variableId, evaluated.value)
    else if (evaluated.needsSandbox) logs.push(notRead(number, path, evaluated.message))
  }
  if (mapping.length > mostRows) logs.push(tooManyRows)
  return { assignments: [...values].map(([variableId, value]) => ({ variableId, value })), logs }
}

const tooManyRows: LogEntry = visibleError({
  context: 'Response mapping',
  description: `Only the first ${mostRows} rows were read`,
})

function notRead(number: number, { source }: ResponsePath, reason: string): LogEntry {
  return visibleError({
    context: 'Response mapping',
    description: `Row ${number} was not read: ${reason}`,
    details: source.slice(0, reportedPath),
  })
}
