import type { Log } from '../../schemas/log.ts'
import type { ResponseVariableMapping } from '../../schemas/response-variable-mapping.ts'
import type { CompileContext } from '../engine/block-handler.ts'
import { type BodyPath, compileBodyPath, doubtAboutPath, evaluateBodyPath } from '../engine/code/body-path.ts'
import type { Scope } from '../engine/scope.ts'
import type { Assignment } from '../engine/step.ts'

/** How many characters of a path are quoted in a log. */
const reportedPath = 200

const at = '/options/responseVariableMapping'

interface Row {
  /** Counted from 1, as an author sees it. */
  readonly number: number
  readonly variableId: string
  readonly path: BodyPath
}

/** Rows that say which part of a response goes into which variable. */
export type ResponseMapping = readonly Row[]

/** Prepares a mapping; rows without a path or a variable are left out, and told about when that may be a mistake. */
export function compileResponseMapping(
  rows: ResponseVariableMapping | undefined,
  context: CompileContext,
): ResponseMapping {
  return (rows ?? []).flatMap(({ variableId, bodyPath }, index) => {
    if (!variableId || !bodyPath) return []
    if (context.variables.byId(variableId)) return [compileRow(index, { variableId, bodyPath }, context)]
    const hint = `No variable has the id "${variableId}": nothing is written.`
    context.report({ code: 'unknown-variable', severity: 'warning', at: `${at}/${index}/variableId`, hint })
    return []
  })
}

const hints = {
  'invalid-code': 'This is not a JavaScript expression: the variable keeps its value.',
  'not-available':
    'This goes beyond the simple expressions that this server evaluates: the variable keeps its value.',
}

function compileRow(
  index: number,
  { variableId, bodyPath }: { variableId: string; bodyPath: string },
  context: CompileContext,
): Row {
  const place = `${at}/${index}/bodyPath`
  const path = compileBodyPath(bodyPath, context.text(bodyPath, place))
  const code = doubtAboutPath(path)
  if (code) context.report({ code, severity: 'warning', at: place, hint: hints[code] })
  return { number: index + 1, variableId, path }
}

/** Whether a JSON value can be read as a response: an object is one, a list is not. */
export function isMappable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads the parts of a response (docs/behaviour.md, "Response mapping"). A row whose path fails leaves its variable
 * alone; of rows for one variable the first that works counts.
 */
export function mapResponse(
  mapping: ResponseMapping,
  response: object,
  scope: Scope,
): { assignments: readonly Assignment[]; logs: readonly Log[] } {
  const given = new Map<string, unknown>([
    ['response', response],
    ...['data', 'statusCode'].map((name) => [name, ownProperty(response, name)] as const),
  ])
  const values = new Map<string, unknown>()
  const logs: Log[] = []
  for (const { number, variableId, path } of mapping) {
    if (values.has(variableId)) continue
    const evaluated = evaluateBodyPath(path, given, scope)
    if (evaluated.ok) values.set(variableId, evaluated.value)
    else if (evaluated.needsSandbox) logs.push(notEvaluated(number, path))
  }
  return { assignments: [...values].map(([variableId, value]) => ({ variableId, value })), logs }
}

function ownProperty(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined
}

function notEvaluated(number: number, { source }: BodyPath): Log {
  return {
    status: 'error',
    context: 'Response mapping',
    description: `Row ${number} was not read: it needs JavaScript that is not available on this server`,
    details: source.slice(0, reportedPath),
  }
}
