import { findLimitViolation } from '../../definition/structural-limits.ts'
import { renameLink, withoutNulls } from '../../definition/upgrade-old-versions.ts'

type Fields = Readonly<Record<string, unknown>>

/** Wrappers of a definition, by how an API answers or a table is saved. */
const wrappers = ['typebot', 'publishedTypebot', 'publicTypebot']

/** Columns that a flow consists of; the other columns of an export are of its editor. */
const kept = [
  'version',
  'id',
  'name',
  'publicId',
  'isClosed',
  'isArchived',
  'updatedAt',
  'events',
  'groups',
  'edges',
  'variables',
  'theme',
  'settings',
] as const

/** Columns that say nothing about a flow beside what is kept of it. */
const passedOver = new Set(['typebotId', 'startBlockId', 'blocks', 'createdAt', 'schemaVersion'])

/** An export as a definition of ours, and the columns that held something and are not in it. */
export interface ConvertedExport {
  readonly definition: Fields
  readonly leftOff: readonly string[]
}

/** Levels of nesting; recursion over an export relies on this bound. */
const mostLevels = 128

/**
 * Turns an exported definition into a tidy one of ours: out of what wraps it, without nulls and the columns of its editor,
 * with our names. What the first two versions called blocks and steps are groups and blocks since. Throws for what
 * holds no flow.
 */
export function convertExport(sent: unknown): ConvertedExport {
  if (findLimitViolation(sent, { levels: mostLevels, values: Number.POSITIVE_INFINITY }))
    throw new Error(`must not lie deeper than ${mostLevels} levels`)
  const flow = renameSteps(withoutNulls(unwrap(sent)) as Fields)
  if (!Array.isArray(flow['groups'])) throw new Error('holds no flow: there are no groups in it')
  const { typebotId } = flow
  const named: Fields = {
    ...flow,
    ...(typeof typebotId === 'string' && { id: typebotId }),
    groups: flow['groups'].map(renameIn),
  }
  const leftOff = Object.keys(flow).filter(
    (key) => !(kept as readonly string[]).includes(key) && !passedOver.has(key) && isSet(flow[key]),
  )
  const definition = Object.fromEntries(kept.filter((key) => key in named).map((key) => [key, named[key]]))
  return { definition, leftOff }
}

/** Editors write empty lists and objects for what nobody has set. */
const isSet = (value: unknown) =>
  value !== false && value !== '' && !(value instanceof Object && Object.keys(value).length === 0)

function unwrap(sent: unknown): unknown {
  const fields = Object(sent) as Fields
  const wrapper = wrappers.find((name) => typeof fields[name] === 'object' && fields[name] !== null)
  return wrapper === undefined || 'groups' in fields ? sent : fields[wrapper]
}

function renameSteps(flow: Fields): Fields {
  const { blocks, startBlockId: _start, ...rest } = flow
  if (!Array.isArray(blocks) || 'groups' in flow) return flow
  const edges = Array.isArray(flow['edges']) ? flow['edges'] : []
  return { ...rest, version: '3', groups: blocks.map(toGroup), edges: edges.map(renameEdge) }
}

function toGroup(block: unknown): unknown {
  const { steps, ...group } = Object(block) as Fields
  return { ...group, blocks: Array.isArray(steps) ? steps.map(toBlock) : [] }
}

function toBlock(step: unknown): unknown {
  const { blockId, items, ...block } = Object(step) as Fields
  const { options } = block
  return {
    ...block,
    ...(blockId !== undefined && { groupId: blockId }),
    ...(Array.isArray(items) && { items: items.map(renameStep) }),
    // A link named the group that it leads to by the word of its time.
    ...(block['type'] === 'Typebot link' && { options: renamePlace(options) }),
  }
}

function renameStep(item: unknown): unknown {
  const { stepId, ...rest } = Object(item) as Fields
  return stepId === undefined ? rest : { ...rest, blockId: stepId }
}

function renameEdge(edge: unknown): unknown {
  const { from, to, ...rest } = Object(edge) as Fields
  return { ...rest, from: renamePlace(from), to: renamePlace(to) }
}

function renamePlace(place: unknown): unknown {
  const { blockId, stepId, ...rest } = Object(place) as Fields
  return {
    ...rest,
    ...(blockId !== undefined && { groupId: blockId }),
    ...(stepId !== undefined && { blockId: stepId }),
  }
}

function renameIn(group: unknown): unknown {
  const { blocks } = Object(group) as Fields
  return Array.isArray(blocks) ? { ...(group as Fields), blocks: blocks.map(renameLink) } : group
}
