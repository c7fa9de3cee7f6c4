import { slug } from '../yaml-text/identifiers.ts'
import {
  at,
  type Entry,
  isNull,
  type MapNode,
  type Node,
  nameOf,
  scalarText,
} from '../yaml-text/yaml-nodes.ts'
import { optionsShapeOf } from './block-shapes.ts'
import { buildResponseMapping, finishStep, idIn, variableAt } from './build-typed.ts'
import type { Draft, DraftPart } from './draft.ts'
import type { Built, WrittenStep } from './read-way.ts'
import { jsonOfNode, refuseOthers, shapeAt, toPart } from './values.ts'

/** `set`: one block for each variable. */
export function buildSet({ map, main, groupId }: WrittenStep, draft: Draft): readonly Built[] {
  refuseOthers(map, ['set', 'id', 'to', 'lint'], draft)
  if (main.kind !== 'map') {
    draft.report(main, `"set" takes a map, by variable its value, and not ${nameOf(main)}`)
    return []
  }
  return [...main.entries].map(([name, entry], index) => {
    const isLast = index === main.entries.size - 1
    // What leads on, or is to be found by its id, is the last of several.
    const own = isLast ? map : { ...map, entries: new Map() }
    const id = idIn(own, draft) ?? draft.ids.blocks.make(groupId, 'set', slug(name))
    const options = setOptions(name, entry, draft)
    const inside = { type: map.entries.get('set')?.key, options: entry.value }
    return finishStep(
      { id, type: 'Set variable', options },
      { map: own, node: { ...main, ...spanOf(entry) }, inside },
      draft,
    )
  })
}

const spanOf = ({ key, value }: Entry) => ({ start: key.start, end: value.end })

function setOptions(name: string, { key, value }: Entry, draft: Draft): DraftPart {
  const variableId = variableAt(name, key, draft)
  const options =
    value.kind === 'map'
      ? { variableId, ...toPart(value, { shape: optionsShapeOf('Set variable') }, draft) }
      : { variableId, ...valueOptions(value, draft) }
  draft.origins.note(
    options,
    { start: key.start, end: value.end },
    { variableId: key, expressionToEvaluate: value },
  )
  return draft.origins.merge(options, options)
}

function valueOptions(value: Node, draft: Draft): DraftPart {
  if (isNull(value)) return { type: 'Empty' }
  const expression = scalarText(value) ?? JSON.stringify(jsonOfNode(value, undefined, draft))
  return { expressionToEvaluate: expression }
}

const requestKeys = ['request', 'method', 'headers', 'query', 'body', 'into', 'id', 'to', 'lint']

/** `request`: the address and what is sent, in one place. */
export function buildRequest({ map, main, groupId }: WrittenStep, draft: Draft): readonly Built[] {
  const id = idIn(map, draft) ?? draft.ids.blocks.make(groupId, 'request')
  const shape = optionsShapeOf('Webhook')
  const webhook = draft.origins.note(webhookOf(map, main, draft), main, {
    url: main,
    method: at(map, 'method'),
    headers: at(map, 'headers'),
    queryParams: at(map, 'query'),
    body: at(map, 'body'),
  })
  const known = [...requestKeys, ...Object.keys(shape?.properties ?? {})]
  refuseOthers(map, known, draft)
  const more = toPart(map, { shape, left: requestKeys }, draft)
  const options: DraftPart = { webhook, ...(at(map, 'body') && { isCustomBody: true }), ...more }
  draft.origins.merge(draft.origins.note(options, map, { webhook: main }), options, more)
  buildResponseMapping(options, { map, type: 'Webhook' }, draft)
  const inside = { type: map.entries.get('request')?.key, options: main }
  return [finishStep({ id, type: 'Webhook', options }, { map, node: map, inside }, draft)]
}

function webhookOf(map: MapNode, main: Node, draft: Draft): DraftPart {
  const url = scalarText(main)
  if (url === undefined) draft.report(main, `the address of the request is missing; here is ${nameOf(main)}`)
  const [method, body] = [at(map, 'method'), at(map, 'body')]
  const headers = rowsIn(map, 'headers', draft)
  const queryParams = rowsIn(map, 'query', draft)
  return {
    url: url ?? '',
    ...(method && {
      method: jsonOfNode(method, shapeAt(shapeAt(optionsShapeOf('Webhook'), 'webhook'), 'method'), draft),
    }),
    ...(headers && { headers }),
    ...(queryParams && { queryParams }),
    ...(body && { body: scalarText(body) ?? JSON.stringify(jsonOfNode(body, undefined, draft)) }),
  }
}

function rowsIn(map: MapNode, name: string, draft: Draft): readonly DraftPart[] | undefined {
  const node = at(map, name)
  if (!node) return undefined
  if (node.kind !== 'map') {
    draft.report(node, `"${name}" is a map of texts, and not ${nameOf(node)}`)
    return undefined
  }
  return [...node.entries].map(([key, { value }]) => {
    if (value.kind !== 'scalar')
      draft.report(value, `a value of "${name}" is a text, and not ${nameOf(value)}`)
    return draft.origins.note({ key, value: scalarText(value) ?? '' }, value)
  })
}
