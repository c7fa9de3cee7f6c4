import type { Condition } from '../../../schemas/condition.ts'
import { holderOf, shortFormOf } from '../../definition/yaml-form/block-shapes.ts'
import { writeCondition } from './write-condition.ts'
import { reservedStepKeys } from './write-input.ts'
import { writeRequest } from './write-request.ts'
import { writeSet } from './write-set.ts'
import { hasOnly, type Loose, stepFields, type Writing, withNames } from './writing.ts'

/** A block in the form of its own, if it has one that can say it. */
export function writeInShort(block: Loose, writing: Writing): Loose | undefined {
  const type = String(block['type'])
  const write = Object.hasOwn(writers, type) ? writers[type] : undefined
  return write ? write(block, writing) : writeByOption(block, writing)
}

const writers: Readonly<Record<string, (block: Loose, writing: Writing) => Loose | undefined>> = {
  Condition: writeConditionStep,
  'Set variable': writeSet,
  Webhook: writeRequest,
  Jump: writeJump,
  Return: (block, writing) => ({ return: null, ...stepFields(block, writing) }),
  'Flow link': writeLink,
  Handoff: writeHandoff,
  'AB test': writeSplit,
}

/** A step whose value is the most important option, with the others beside it. */
function writeByOption(block: Loose, writing: Writing): Loose | undefined {
  const type = String(block['type'])
  const { key, main } = shortFormOf(type) ?? {}
  const holder = holderOf(type)
  if (key === undefined || !hasOnly(block, ['id', 'type', 'outgoingEdgeId', 'lint', holder])) return undefined
  const written = keyed(key, main, withNames(Object(block[holder]), writing.names) as Loose)
  const showsNothing = holder === 'content' && written[key] === null
  return showsNothing ? undefined : { ...written, ...stepFields(block, writing) }
}

function keyed(key: string, main: string | undefined, options: Loose): Loose {
  const { [main ?? '']: value, ...rest } = options
  const isBeside =
    main !== undefined && isScalar(value) && !Object.keys(rest).some((name) => reservedStepKeys.has(name))
  if (isBeside) return { [key]: value, ...rest }
  return { [key]: Object.keys(options).length === 0 ? null : options }
}

const isScalar = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value !== '')

interface Item extends Loose {
  readonly id: string
  readonly outgoingEdgeId?: string
  readonly content?: Condition
}

const itemsOf = (block: Loose): readonly Item[] => (block['items'] ?? []) as Item[]

/** The way of a block that it leaves by where no item does. */
function elseOf(block: Loose, writing: Writing): Loose {
  const { to, then: steps = to, ...fields } = stepFields(block, writing)
  return { ...(steps !== undefined && { else: steps }), ...fields }
}

/** Steps of its own that end the path: what holds does not go on below. */
const noWay: Loose = Object.fromEntries([['then', [{ end: null }]]])

function writeConditionStep(block: Loose, writing: Writing): Loose | undefined {
  const items = itemsOf(block)
  const isOdd = !hasOnly(block, ['id', 'type', 'outgoingEdgeId', 'lint', 'items'])
  const areOdd = items.some((item) => !hasOnly(item, ['id', 'outgoingEdgeId', 'blockId', 'content']))
  if (isOdd || areOdd || items.length === 0) return undefined
  const cases = items.map((item) => ({
    if: writeCondition(item.content, writing.names),
    ...(writing.ways.of(item.outgoingEdgeId) ?? noWay),
    ...(writing.ids.ofItem(item.id, items) && { id: item.id }),
  }))
  const [only, ...others] = cases
  const isPlain = others.length === 0 && only && hasOnly(only, ['if', 'to', 'then'])
  return isPlain ? { ...only, ...elseOf(block, writing) } : { cases, ...elseOf(block, writing) }
}

function writeJump(block: Loose, writing: Writing): Loose | undefined {
  const { groupId, blockId } = Object(block['options']) as { groupId?: string; blockId?: string }
  if (!groupId || !hasOnly(Object(block['options']), ['groupId', 'blockId'])) return undefined
  const isPlaceholder = blockId === undefined && /^\{\{[^{}]+\}\}$/.test(groupId)
  const way = isPlaceholder ? groupId : writing.ways.to(groupId, blockId)
  return way === undefined ? undefined : { jump: way, ...stepFields(block, writing) }
}

function writeLink(block: Loose, writing: Writing): Loose | undefined {
  const { flowId, groupId, ...rest } = Object(block['options']) as { flowId?: string; groupId?: string }
  if (!flowId) return undefined
  const isOwn = flowId === 'current' || flowId === writing.flow.id
  const to = groupId !== undefined && isOwn ? (writing.ways.to(groupId) ?? groupId) : groupId
  return { link: flowId, ...(to !== undefined && { groupId: to }), ...rest, ...stepFields(block, writing) }
}

/** The group or the steps under the name of a way. */
const wayOf = (way: ReturnType<Writing['ways']['of']>): unknown => {
  const { to, then: steps = to } = Object(way)
  return steps
}

function writeHandoff(block: Loose, writing: Writing): Loose | undefined {
  const [item, ...others] = itemsOf(block)
  if (others.length > 0 || (item && !hasOnly(item, ['id', 'outgoingEdgeId']))) return undefined
  const way = item && writing.ways.of(item.outgoingEdgeId)
  const otherwise = wayOf(way)
  if (item && (otherwise === undefined || writing.ids.ofItem(item.id, [item]))) return undefined
  const { items: _, ...rest } = block
  const step = writeByOption(rest, writing)
  return step && { ...step, ...(otherwise !== undefined && { else: otherwise }) }
}

function writeSplit(block: Loose, writing: Writing): Loose | undefined {
  const [a, b] = itemsOf(block)
  const { aPercent, ...more } = Object(block['options']) as Loose
  const isOdd = !hasOnly(block, ['id', 'type', 'outgoingEdgeId', 'lint', 'options', 'items'])
  if (isOdd || Object.keys(more).length > 0 || writing.ids.ofItem(a?.id ?? '', itemsOf(block)))
    return undefined
  const [toA, toB] = [a, b].map((item) => wayOf(writing.ways.of(item?.outgoingEdgeId)))
  return {
    split: aPercent ?? null,
    ...(toA !== undefined && { a: toA }),
    ...(toB !== undefined && { b: toB }),
    ...stepFields(block, writing),
  }
}

/** Any block as it is in JSON, with names for ids. */
export function writeAnyBlock(block: Loose, writing: Writing): Loose {
  const { id: _, type, outgoingEdgeId: _edge, lint: _lint, items, ...rest } = block
  return {
    type,
    ...stepFields(block, writing),
    ...(withNames(rest, writing.names) as Loose),
    ...(items !== undefined && { items: writeItems(items, writing) }),
  }
}

function writeItems(items: unknown, writing: Writing): unknown {
  if (!Array.isArray(items)) return items
  return items.map((item: Item) => {
    if (typeof item !== 'object' || item === null) return item
    const { id, outgoingEdgeId, paths, ...rest } = item
    return {
      ...(writing.ids.ofItem(id, items) && { id }),
      ...writing.ways.of(outgoingEdgeId),
      ...(withNames(rest, writing.names) as Loose),
      ...(paths !== undefined && { paths: writeItems(paths, writing) }),
    }
  })
}
