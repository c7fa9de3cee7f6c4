import { hasOnly, type Loose, stepFields, type Writing, withNames } from './writing.ts'

/** A number as a number: it stands for the same text. */
export const scalarOf = (text: string): string | number =>
  /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text

/** A Set variable as a step that names the variable. */
export function writeSet(block: Loose, writing: Writing): Loose | undefined {
  const { variableId, type = 'Custom', ...rest } = Object(block['options']) as Loose
  const isOdd = !hasOnly(block, ['id', 'type', 'outgoingEdgeId', 'lint', 'options'])
  if (isOdd || typeof variableId !== 'string' || variableId === '') return undefined
  const { names } = writing
  const name = names.variable(variableId)
  if (!names.declares(variableId)) return undefined
  return { set: new Map([[name, setValue({ type, ...rest }, writing)]]), ...stepFields(block, writing) }
}

function setValue(options: Loose, { names }: Writing): unknown {
  const { type, ...rest } = options
  const { expressionToEvaluate: expression } = rest
  if (type === 'Custom' && typeof expression === 'string' && hasOnly(rest, ['expressionToEvaluate']))
    return scalarOf(expression)
  if (type === 'Empty' && Object.keys(rest).length === 0) return null
  return { ...(type !== 'Custom' && { type }), ...(withNames(rest, names) as Loose) }
}

/** Two steps that set other variables as one; undefined where they are none, or the first leaves or has an id. */
export function mergeSets(above: unknown, below: unknown): Loose | undefined {
  if (!isSet(above) || !isSet(below) || !hasOnly(above, ['set']) || 'id' in below || 'lint' in below)
    return undefined
  for (const name of below.set.keys()) if (above.set.has(name)) return undefined
  return { ...below, set: new Map([...above.set, ...below.set]) }
}

interface SetStep extends Loose {
  readonly set: ReadonlyMap<string, unknown>
}

const isSet = (step: unknown): step is SetStep => Object(step).set instanceof Map
