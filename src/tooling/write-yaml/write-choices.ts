import type { Condition } from '../../../schemas/condition.ts'
import { writeCondition } from './write-condition.ts'
import { type Loose, type Writing, withNames } from './writing.ts'

interface Item extends Loose {
  readonly id: string
  readonly outgoingEdgeId?: string
}

/** The items of an input as choices; undefined where one is not as a choice is. */
export function writeChoices(
  items: readonly Item[],
  labelKey: 'content' | 'title' | 'text',
  writing: Writing,
): unknown[] | undefined {
  const choices = items.map((item) => writeChoice(item, { items, labelKey, writing }))
  return choices.every((choice) => choice !== undefined) ? choices : undefined
}

interface Place {
  readonly items: readonly Item[]
  readonly labelKey: 'content' | 'title' | 'text'
  readonly writing: Writing
}

/** Keys of a choice that are not those of the item. */
const ownKeys = ['label', 'to', 'then', 'when', 'buttons', 'group', 'step']

function writeChoice(item: Item, { items, labelKey, writing }: Place): unknown {
  const { id, outgoingEdgeId, blockId: _, displayCondition, [labelKey]: label, paths, ...rest } = item
  if ((label !== undefined && typeof label !== 'string') || ownKeys.some((key) => key in rest))
    return undefined
  const shown = displayCondition as { isEnabled?: boolean; condition?: Condition } | undefined
  const isCondition = shown?.isEnabled === true && (shown.condition?.comparisons ?? []).length > 0
  const buttons = paths === undefined ? undefined : writeChoices(paths as Item[], 'text', writing)
  if (paths !== undefined && !buttons) return undefined
  const way = writing.ways.of(outgoingEdgeId)
  const more = {
    ...((label === undefined || writing.ids.ofItem(id, items)) && { id }),
    ...(isCondition && { when: writeCondition(shown.condition, writing.names) }),
    ...(shown?.isEnabled === true && !isCondition && { displayCondition }),
    ...(withNames(rest, writing.names) as Loose),
    ...(buttons && { buttons }),
  }
  if (Object.keys(more).length === 0 && label !== undefined && way === undefined) return label
  const isShort = Object.keys(more).length === 0 && label !== undefined && isShortLabel(label)
  if (isShort && way && !('outgoingEdgeId' in way)) return new Map([[label, 'to' in way ? way.to : way.then]])
  return { ...(label !== undefined && { label }), ...way, ...more }
}

/** Not so long that it would make no key, and not one that means something. */
const isShortLabel = (label: string) =>
  label.length < 100 && label !== '' && !/[\r\n]/.test(label) && !/^[a-z][a-zA-Z]*$/.test(label)
