import { eventSchemas, Variable } from '../../../schemas/flow.ts'
import { tagsOf } from '../../../schemas/tagged-union.ts'
import { slug } from '../yaml-text/identifiers.ts'
import { at, isNull, type MapNode, type Node, nameOf, scalarText } from '../yaml-text/yaml-nodes.ts'
import { mainOptionsOfEvents } from './block-shapes.ts'
import type { Draft, DraftPart, EdgeTarget } from './draft.ts'
import { readTarget } from './read-way.ts'
import { jsonOfNode, refuseOthers, type Shape, shapeAt, textAt, toPart } from './values.ts'

const variableShape = Variable as unknown as Shape
const variableKeys = ['value', 'id', 'name', 'scope', 'sensitivity', 'isSessionVariable', 'lint']

/** The variables, by whose keys everything else names them. */
export function readVariables(node: Node | undefined, draft: Draft): readonly DraftPart[] {
  if (!node || isNull(node)) return []
  if (node.kind === 'map')
    return [...node.entries].map(([key, { value, key: place }]) => variable(key, { value, place }, draft))
  if (node.kind === 'list')
    return node.items.flatMap((item) => {
      const name = scalarText(item)
      if (name !== undefined) return [variable(name, { value: undefined, place: item }, draft)]
      draft.report(item, `the name of a variable is a text, and not ${nameOf(item)}`)
      return []
    })
  draft.report(node, '"variables" is a list of names, or a map of them with their first values')
  return []
}

function variable(
  key: string,
  {
    value,
    place,
  }: { readonly value: Node | undefined; readonly place: { readonly start: number; readonly end: number } },
  draft: Draft,
): DraftPart {
  const details = value?.kind === 'map' ? value : undefined
  if (details) refuseOthers(details, variableKeys, draft)
  const id = (details && textAt(details, 'id', draft)) ?? key
  const name = (details && textAt(details, 'name', draft)) ?? key
  const written = { key: place, id: details && at(details, 'id'), name: details && at(details, 'name') }
  draft.declare({ kind: 'variable', key, id, name, at: written })
  const more = details ? toPart(details, { shape: variableShape, left: ['id', 'name'] }, draft) : {}
  const first = !details &&
    value &&
    !isNull(value) && { value: jsonOfNode(value, shapeAt(variableShape, 'value'), draft) }
  const part = { id, name, ...more, ...first }
  return draft.origins.merge(
    draft.origins.note(part, { ...place, end: Math.max(place.end, value?.end ?? 0) }, { value, name: place }),
    part,
    more,
  )
}

/** An edge by its id, where none of the flow is meant. */
function rawEdgeOf(map: MapNode | undefined, draft: Draft): DraftPart {
  const outgoingEdgeId = map && textAt(map, 'outgoingEdgeId', draft)
  return outgoingEdgeId === undefined ? {} : { outgoingEdgeId }
}

const eventShapes = new Map(
  eventSchemas.flatMap((schema) => tagsOf(schema).map((tag) => [tag, schema as unknown as Shape] as const)),
)
const eventTypes = [...eventShapes.keys()].filter((type) => type !== 'start')

/** The start, and the other events behind it. */
export function readEvents(map: MapNode, first: EdgeTarget | undefined, draft: Draft): readonly DraftPart[] {
  const others = at(map, 'events')
  if (others && others.kind !== 'list') draft.report(others, '"events" is a list: - command: help')
  const list = others?.kind === 'list' ? others.items : []
  return [startEvent(map, first, draft), ...list.flatMap((node) => event(node, draft))]
}

function startEvent(map: MapNode, first: EdgeTarget | undefined, draft: Draft): DraftPart {
  const node = at(map, 'start')
  const details = node?.kind === 'map' && !at(node, 'group') ? node : undefined
  if (details) refuseOthers(details, ['to', 'outgoingEdgeId', 'id', 'lint'], draft)
  const lint = details && at(details, 'lint')
  const id = (details && textAt(details, 'id', draft)) ?? draft.ids.events.make('start')
  const part: DraftPart = {
    id,
    type: 'start',
    ...rawEdgeOf(details, draft),
    ...(lint && { lint: jsonOfNode(lint, undefined, draft) }),
  }
  draft.origins.note(part, node ?? map)
  const to = details ? at(details, 'to') : node
  const otherwise = part['outgoingEdgeId'] === undefined ? first : undefined
  const target = to ? (isNull(to) ? undefined : readTarget(to, draft)) : otherwise
  if (target) draft.connect(part, target, to ?? map)
  return part
}

function event(node: Node, draft: Draft): readonly DraftPart[] {
  const type = node.kind === 'map' ? eventTypes.find((name) => node.entries.has(name)) : undefined
  if (node.kind !== 'map' || type === undefined) {
    draft.report(node, `an event is a map with one of: ${eventTypes.join(', ')}`)
    return []
  }
  const main = at(node, type) as Node
  const shape = shapeAt(eventShapes.get(type), 'options')
  const options = toPart(node, { shape, left: [type, 'to', 'id', 'lint'] }, draft)
  const option = mainOptionsOfEvents[type]
  const text = scalarText(main)
  if (option !== undefined && text !== undefined) {
    options[option] = text
    draft.origins.noteValue(options, option, main)
  } else if (main.kind === 'map') Object.assign(options, toPart(main, { shape }, draft))
  else if (!isNull(main) && text !== 'true') draft.report(main, `"${type}" takes no ${nameOf(main)}`)
  const id =
    textAt(node, 'id', draft) ??
    draft.ids.events.make(slug(type), ...(option === undefined || text === undefined ? [] : [slug(text)]))
  const lint = at(node, 'lint')
  const part: DraftPart = {
    id,
    type,
    ...rawEdgeOf(node, draft),
    ...(Object.keys(options).length > 0 && { options }),
    ...(lint && { lint: jsonOfNode(lint, undefined, draft) }),
  }
  draft.origins.note(part, node, { type: node.entries.get(type)?.key })
  const to = at(node, 'to')
  const target = to && readTarget(to, draft)
  if (target) draft.connect(part, target, to)
  return [part]
}
