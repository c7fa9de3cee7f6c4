import { type Flow, formatVersions } from '../../../schemas/flow.ts'
import { isPreV6 } from '../../definition/envelope.ts'
import { layOut } from './lay-out.ts'
import { scalarOf } from './write-set.ts'
import { writeSteps } from './write-steps.ts'
import { type Loose, prepareWriting, type WriteOptions, type Writing, withNames } from './writing.ts'

/** Writes a flow as YAML (docs/yaml.md), which is compiled to a flow that behaves the same. */
export function writeYaml(flow: Flow, options: WriteOptions = {}): string {
  const writing: Writing = prepareWriting(flow, options, (branch) =>
    writeSteps(branch.group.blocks, writing, branch),
  )
  const { id, version, name, publicId, isClosed, isArchived, updatedAt, workspaceId } = flow
  const { settings, theme, localizations } = flow
  const edges = writing.ways.raw
  return layOut({
    flow: id,
    ...(version !== formatVersions.at(-1) && { version }),
    ...defined({ name, publicId, isClosed, isArchived, updatedAt, workspaceId }),
    ...filled({ variables: writeVariables(writing) }),
    ...(!isPreV6(version) && writeEvents(writing)),
    groups: writeGroups(writing),
    ...filled({
      edges: edges.map(({ id: edgeId, to }) => ({ id: edgeId, to: withNames(to, writing.names) })),
    }),
    ...filled({ settings, theme, localizations }),
  })
}

const defined = (fields: Loose) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const sizeOf = (value: unknown) => (value instanceof Map ? value.size : Object.keys(Object(value)).length)

const filled = (fields: Loose) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => sizeOf(value) > 0))

function writeVariables({ flow, names }: Writing): unknown {
  const written = flow.variables.map(({ id, name, value, ...more }, index) => {
    const { key, hasId } = names.variables[index] as { key: string; hasId: boolean }
    const fields = {
      ...(hasId && { id }),
      ...(key !== name && { name }),
      ...defined({ ...more, graphCoordinates: undefined }),
    }
    const first = typeof value === 'string' ? scalarOf(value) : (value ?? null)
    if (value === null) return [key, { value, ...fields }] as [string, unknown]
    if (Object.keys(fields).length === 0) return [key, first] as [string, unknown]
    return [key, { ...(first !== null && { value: first }), ...fields }] as [string, unknown]
  })
  return written.every(([, value]) => value === null)
    ? written.map(([key]) => key)
    : new Map<string, unknown>(written)
}

function writeEvents({ flow, names, ways, ids }: Writing): Loose {
  const [start, ...others] = flow.events
  const { id, outgoingEdgeId, ...more } = start as Loose & { id: string; outgoingEdgeId?: string }
  const way = ways.of(outgoingEdgeId)
  const fields = { ...defined({ lint: more['lint'] }), ...(ids.ofEvent(id) && { id }) }
  const isPlain = Object.keys(fields).length === 0 && (!way || 'to' in way)
  const to = way && 'to' in way ? way.to : null
  const isDefault = isPlain && to === (names.groupKeys[0] ?? null)
  return {
    ...(isDefault ? {} : isPlain ? { start: to } : { start: { ...(way ?? { to: null }), ...fields } }),
    ...filled({ events: others.map((event) => writeEvent(event as Loose, { names, ways, ids })) }),
  }
}

function writeEvent(event: Loose, { names, ways, ids }: Pick<Writing, 'names' | 'ways' | 'ids'>): Loose {
  const { id, type, outgoingEdgeId, options, lint } = event as {
    readonly id: string
    readonly type: string
    readonly outgoingEdgeId?: string
    readonly options?: Loose
    readonly lint?: unknown
  }
  const { command, after, groupIds, ...more } = Object(options)
  return {
    [type]: command ?? after ?? null,
    ...(withNames(more, names) as Loose),
    ...(groupIds && { groupIds: groupIds.map((groupId: string) => names.group(groupId) ?? groupId) }),
    ...ways.of(outgoingEdgeId),
    ...(ids.ofEvent(id) && { id }),
    ...defined({ lint }),
  }
}

function writeGroups(writing: Writing): ReadonlyMap<string, unknown> {
  const { flow, names, ids, inside } = writing
  return new Map(
    flow.groups.flatMap((group, index) => {
      if (inside.has(group)) return []
      const { id, title, blocks, ...more } = group
      const key = names.groupKeys[index] as string
      const steps = writeSteps(blocks, writing)
      const fields = {
        ...(ids.ofGroup(id) && { id }),
        ...(title !== undefined && title !== key && { title }),
        ...defined({ lint: (more as Loose)['lint'] }),
      }
      return [[key, Object.keys(fields).length === 0 ? steps : { ...fields, steps }]]
    }),
  )
}
