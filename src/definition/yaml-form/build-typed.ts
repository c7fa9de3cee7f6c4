import { firstWords, slug } from '../yaml-text/identifiers.ts'
import {
  at,
  isNull,
  type MapNode,
  type Node,
  nameOf,
  type Span,
  scalarText,
} from '../yaml-text/yaml-nodes.ts'
import { holderOf, itemShapeOf, optionsShapeOf, shapeOf, shortFormOf } from './block-shapes.ts'
import type { Draft, DraftPart } from './draft.ts'
import { rawItems } from './raw-items.ts'
import type { Built, WrittenStep } from './read-way.ts'
import { type Branch, readTarget } from './read-way.ts'
import { jsonOfNode, shapeAt, toPart } from './values.ts'

/** Keys that any step may have beside what it is. */
const besideKeys = ['id', 'to', 'lint', 'items', 'into']

/** A text bubble in Markdown. */
export function buildText(
  node: Node,
  { map, groupId }: { readonly map?: MapNode; readonly groupId: string },
  draft: Draft,
): Built {
  const text = scalarText(node)
  if (text === undefined) draft.report(node, `a text is missing; here is ${nameOf(node)}`)
  const id = idIn(map, draft) ?? draft.ids.blocks.make(groupId, firstWords(text ?? '', 'text'))
  const content = draft.origins.note({ markdown: (text ?? '').trimEnd() }, node)
  return finishStep(
    { id, type: 'text', content },
    { map, node: map ?? node, inside: { content: node } },
    draft,
  )
}

/** A block by its type, whose options stand in the value of its key and beside it. */
export function buildTyped(step: WrittenStep, type: string, draft: Draft): Built {
  const { map, key, main, groupId, left = [] } = step
  const holder = holderOf(type)
  const shape = optionsShapeOf(type)
  const beside = toPart(map, { shape, left: [key, ...besideKeys, ...left] }, draft)
  const isPlainText = type === 'text' && main.kind === 'scalar' && !isNull(main)
  const options = isPlainText ? scalarText(main) : withMain(main, { beside, type, step }, draft)
  if (typeof options === 'object') buildResponseMapping(options, { map, type }, draft)
  const kind = key === 'type' ? type : key
  const name = isPlainText ? firstWords(scalarText(main) ?? '', 'text') : slug(kind)
  const id = idIn(map, draft) ?? draft.ids.blocks.make(groupId, name)
  const isEmpty = typeof options === 'object' && Object.keys(options).length === 0
  const fields = { id, type, ...(!isEmpty && { [holder]: options }) }
  const leaves = type === 'Jump' || type === 'Return'
  return finishStep(
    fields,
    { map, node: map, inside: { type: map.entries.get(key)?.key, [holder]: main }, leaves },
    draft,
  )
}

interface MainOptions {
  readonly beside: DraftPart
  readonly type: string
  readonly step: WrittenStep
}

function withMain(main: Node, { beside, type, step }: MainOptions, draft: Draft): DraftPart {
  if (main.kind === 'map') {
    const inside = toPart(main, { shape: optionsShapeOf(type) }, draft)
    const merged = { ...inside, ...beside }
    return draft.origins.merge(merged, inside, beside)
  }
  if (isNull(main)) return beside
  const option = shortFormOf(type)?.main
  if (option === undefined || main.kind !== 'scalar') {
    if (!(type === 'Return' && scalarText(main) === 'true'))
      draft.report(main, `"${step.key}" takes a map of options, and not ${nameOf(main)}`)
    return beside
  }
  const value =
    type === 'Jump'
      ? jumpTarget(main, draft)
      : { [option]: jsonOfNode(main, shapeAt(optionsShapeOf(type), option), draft) }
  const merged = draft.origins.note({ ...value, ...beside }, main)
  for (const name of Object.keys(value)) draft.origins.noteValue(merged, name, main)
  return draft.origins.merge(merged, merged, beside)
}

/** A placeholder holds the title of a group, which is known when it runs. */
function jumpTarget(main: Node, draft: Draft): DraftPart {
  const text = scalarText(main) ?? ''
  if (/^\{\{.*\}\}$/s.test(text)) return { groupId: text }
  return { ...readTarget(main, draft) }
}

/** Lists that say which part of a response goes into which variable, by the name of what they read. */
const mappings = { responseVariableMapping: 'bodyPath', responseMapping: 'item' } as const

/** `into`: one variable, or by variable a part of the response. */
export function buildResponseMapping(
  options: DraftPart,
  { map, type }: { readonly map: MapNode; readonly type: string },
  draft: Draft,
): void {
  const into = at(map, 'into')
  if (!into) return
  const shape = optionsShapeOf(type)
  const list = Object.entries(mappings).find(([name]) => shapeAt(shape, name))
  if (into.kind === 'map' && list) {
    const [name, read] = list
    const key = type === 'OpenAI' ? 'valueToExtract' : read
    options[name] = [...into.entries].map(([variable, entry]) => {
      const row = { variableId: variableAt(variable, entry.key, draft), [key]: scalarText(entry.value) ?? '' }
      return draft.origins.note(row, entry.key, { [key]: entry.value })
    })
    draft.origins.noteValue(options, name, into)
    return
  }
  const text = scalarText(into)
  if (text !== undefined && (shape === undefined || shapeAt(shape, 'variableId'))) {
    options['variableId'] = variableAt(text, into, draft)
    draft.origins.noteValue(options, 'variableId', into)
    return
  }
  const remedy = list
    ? 'takes a map, by variable what goes into it'
    : 'means nothing here: nothing is kept in a variable'
  draft.report(into, `"into" ${remedy}`)
}

/** The id of a variable, which has to be declared. */
export function variableAt(name: string, span: Span, draft: Draft): string {
  const id = draft.idOf('variable', name, span)
  if (id !== undefined) return id
  const message = `no variable is called "${name.slice(0, 60)}"; declare it under "variables"`
  draft.reportUnknown(span, message, draft.variableNames.keys())
  return name
}

/** A whole block as it stands in JSON. */
export function buildRaw({ map, main, groupId }: WrittenStep, draft: Draft): readonly Built[] {
  const type = scalarText(main)
  if (type === undefined) draft.report(main, `the type of a block is missing; here is ${nameOf(main)}`)
  const fields = toPart(map, { shape: shapeOf(type ?? ''), left: ['id', 'type', 'to', 'items'] }, draft)
  const id = idIn(map, draft) ?? draft.ids.blocks.make(groupId, slug(type ?? ''))
  const inside = Object.fromEntries([...map.entries].map(([key, entry]) => [key, entry.value]))
  return [finishStep({ id, type, ...fields }, { map, node: map, inside }, draft)]
}

/** The id that is written; undefined where none is. */
export function idIn(map: MapNode | undefined, draft: Draft): string | undefined {
  const node = map && at(map, 'id')
  if (node && scalarText(node) === undefined) draft.report(node, `an id is a text, and not ${nameOf(node)}`)
  return scalarText(node)
}

interface Finish {
  readonly map: MapNode | undefined
  readonly node: Node
  readonly inside: Readonly<Record<string, Span | undefined>>
  readonly branches?: readonly Branch[]
  readonly leaves?: boolean
}

/** The block with what any step may have: where it goes on, raw items, what lint is to pass over. */
export function finishStep(
  fields: DraftPart,
  { map, node, inside, branches = [], leaves = false }: Finish,
  draft: Draft,
): Built {
  const [lint, items] = [map && at(map, 'lint'), map && at(map, 'items')]
  const [to, id] = [map && at(map, 'to'), map && at(map, 'id')]
  const block: DraftPart = { ...fields, ...(lint && { lint: jsonOfNode(lint, undefined, draft) }) }
  draft.origins.note(block, node, { ...inside, id: id ?? undefined, items, lint })
  const type = String(fields['type'])
  const raw = items
    ? rawItems(
        items,
        { blockId: String(block['id']), shape: itemShapeOf(type), endsWithoutEdge: type === 'Condition' },
        draft,
      )
    : undefined
  if (raw) block['items'] = raw.items
  return {
    block,
    branches: [...branches, ...(raw?.branches ?? [])],
    leaves,
    to: to && readTarget(to, draft),
    node: to ?? node,
  }
}
