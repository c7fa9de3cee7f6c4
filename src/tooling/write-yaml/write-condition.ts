import type { Condition } from '../../../schemas/condition.ts'
import { conditionLimits, operatorWords } from '../../definition/yaml-text/condition-text.ts'
import type { Names } from './part-names.ts'

/** A condition as an expression; as it is in JSON, with names for variables, where it is none. */
export function writeCondition(condition: Condition | undefined, names: Names): unknown {
  const { logicalOperator, comparisons = [] } = condition ?? {}
  const written = comparisons.map((comparison) => writeComparison(comparison, names))
  const isWhole = written.length > 0 && written.every((text) => text !== undefined)
  const text = isWhole ? written.join(logicalOperator === 'OR' ? ' or ' : ' and ') : ''
  if (
    text !== '' &&
    text.length <= conditionLimits.characters &&
    written.length <= conditionLimits.comparisons
  )
    return text
  return {
    ...(logicalOperator !== undefined && { logicalOperator }),
    comparisons: comparisons.map(({ id: _, variableId, ...rest }) => ({
      ...(variableId !== undefined && { variableId: names.variable(variableId) }),
      ...rest,
    })),
  }
}

type Comparison = NonNullable<Condition['comparisons']>[number]

function writeComparison(
  { variableId, comparisonOperator, value }: Comparison,
  names: Names,
): string | undefined {
  if (!variableId || comparisonOperator === undefined || !names.declares(variableId)) return undefined
  const variable = variableText(names.variable(variableId))
  if (variable === undefined) return undefined
  const isUnary = comparisonOperator === 'Is set' || comparisonOperator === 'Is empty'
  if (isUnary) return `${variable} ${operatorWords[comparisonOperator]}`
  const written = value === undefined ? undefined : valueText(value)
  return written === undefined ? undefined : `${variable} ${operatorWords[comparisonOperator]} ${written}`
}

/** Names that the grammar might read as something else stand in braces. */
function variableText(name: string): string | undefined {
  const areWords = name
    .split(' ')
    .every((word) => /^\p{L}[\p{L}\p{N}_-]*$/u.test(word) && !reserved.has(word.toLowerCase()))
  if (areWords) return name
  return /[{}\n\r]/.test(name) || name.trim() !== name || name === '' ? undefined : `{{${name}}}`
}

const reserved: ReadonlySet<string> = new Set(
  ['and', 'or', 'not', 'null', 'true', 'false'].concat(
    Object.values(operatorWords).flatMap((word) => word.split(' ')),
  ),
)

function valueText(value: string): string | undefined {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)) return value
  const pattern = /^\/(?:[^/\\\n]|\\.)+\/[a-z]*$/
  if (pattern.test(value)) return value
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a line
  if (/[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(value)) return undefined
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}
