import { ConditionBlock } from '../../../schemas/blocks/logic.ts'
import { ConditionError, type ConditionTree, parseCondition } from '../yaml-text/condition-text.ts'
import { isNull, type Node, nameOf, partOf, type ScalarNode, scalarText } from '../yaml-text/yaml-nodes.ts'
import type { Draft, DraftPart } from './draft.ts'
import { type Shape, toPart } from './values.ts'

/** Conditions of JSON that one text may need, each of which joins its comparisons either by AND or by OR; and ways to hold. */
const most = { conditions: 32, alternatives: 200 }

const conditionShape = ConditionBlock.properties.items as unknown as Shape
const contentShape = conditionShape.items?.properties?.['content']

/** Conditions of JSON of which one has to hold. Reports what is none, and gives an empty list then. */
export function toConditions(node: Node, draft: Draft): DraftPart[] {
  if (node.kind === 'map') return [structured(node, draft)]
  const tree = parsed(node, draft)
  if (!tree) return []
  const alternatives = sizeOf(tree) > most.alternatives ? [] : alternativesOf(tree)
  const single = alternatives.filter((parts) => parts.length === 1).flat()
  const several = alternatives.filter((parts) => parts.length > 1)
  const lists = single.length > 1 ? [single, ...several] : alternatives
  if (lists.length === 0 || lists.length > most.conditions) {
    draft.report(
      node,
      `comes to more than ${most.conditions} combinations: set a variable before, and ask for that`,
    )
    return []
  }
  return lists.map((list) => condition(list, { isAny: list === single && single.length > 1, node }, draft))
}

/** The one condition of JSON that a text is, where several are not possible. */
export function toCondition(node: Node, draft: Draft): DraftPart | undefined {
  const [first, ...others] = toConditions(node, draft)
  if (others.length > 0)
    draft.report(
      node,
      'mixes "and" with "or", which is possible in "if" alone: set a variable before, and ask for that',
    )
  return first
}

function structured(node: Extract<Node, { kind: 'map' }>, draft: Draft): DraftPart {
  const made = toPart(node, { shape: contentShape }, draft)
  const { comparisons } = made
  if (Array.isArray(comparisons))
    comparisons.forEach((comparison, index) => {
      if (typeof comparison === 'object' && comparison !== null && !('id' in comparison))
        (comparison as DraftPart)['id'] = `c${index + 1}`
    })
  return made
}

function parsed(node: Node, draft: Draft): ConditionTree | undefined {
  const text = scalarText(node)
  if (text === undefined) {
    draft.report(
      node,
      `a condition is missing, such as: Age >= 18${isNull(node) ? '' : `; here is ${nameOf(node)}`}`,
    )
    return undefined
  }
  const scalar = node as ScalarNode
  try {
    return parseCondition(text, {
      has: (name) => draft.variableNames.has(name),
      calledAs: (name) => draft.variableNames.calledAs(name),
      note: (name, at) => draft.idOf('variable', name, partOf(scalar, at, at + name.length)),
    })
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    const { message, at, unknownName } = error
    const span = { ...partOf(scalar, at, at), end: node.end }
    if (unknownName === undefined) draft.report(span, `the condition is not right: ${message}`)
    else draft.reportUnknown(span, message, draft.variableNames.keys())
    return undefined
  }
}

type Comparison = Extract<ConditionTree, { kind: 'comparison' }>

function sizeOf(tree: ConditionTree): number {
  if (tree.kind === 'comparison') return 1
  const sizes = tree.parts.map(sizeOf)
  return tree.kind === 'or' ? sizes.reduce((a, b) => a + b) : sizes.reduce((a, b) => a * b)
}

function alternativesOf(tree: ConditionTree): Comparison[][] {
  if (tree.kind === 'comparison') return [[tree]]
  const parts = tree.parts.map(alternativesOf)
  if (tree.kind === 'or') return parts.flat()
  return parts.reduce((before, next) => before.flatMap((list) => next.map((more) => [...list, ...more])))
}

function condition(
  list: readonly Comparison[],
  { isAny, node }: { readonly isAny: boolean; readonly node: Node },
  draft: Draft,
): DraftPart {
  const comparisons = list.map(({ variable, operator, value }, index) =>
    draft.origins.note(
      {
        id: `c${index + 1}`,
        variableId: draft.variableNames.idOf(variable) ?? variable,
        comparisonOperator: operator,
        ...(value !== undefined && { value }),
      },
      node,
    ),
  )
  return draft.origins.note({ logicalOperator: isAny ? 'OR' : 'AND', comparisons }, node)
}
