import type { TSchema } from '@sinclair/typebox'
import type { DisplayCondition } from '../../../../schemas/condition.ts'
import type { Input } from '../../../../schemas/input.ts'
import {
  type CompiledCondition,
  compileCondition,
  evaluateCondition,
} from '../../../engine/conditions/evaluate-condition.ts'
import type { AnyBlock, CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import { type Effects, finish } from '../../../engine/model/effects.ts'
import type { Step } from '../../../engine/model/step.ts'
import { JsonFragment } from '../../../engine/templates/json-fragment.ts'
import type { JsonTemplate } from '../../../engine/templates/json-template.ts'
import { compileTexts, keepDeclared } from '../lib/render-input.ts'

/** An input that shows items to choose from. */
type ItemsInput = Extract<Input, { items: unknown }>

/** An input with items, ready to be shown. */
export interface CompiledItems<Shown extends ItemsInput> {
  /** With every item that is defined. */
  readonly template: JsonTemplate<Shown>
  /** The condition of each item; undefined for one that is always shown. */
  readonly conditions: readonly (CompiledCondition | undefined)[]
}

/** Place of the condition that shows an item. */
interface ConditionOf<Item> {
  readonly at: string
  of(item: Item): DisplayCondition | undefined
}

interface ItemsBlock extends AnyBlock {
  readonly items: readonly object[]
}

/** Prepares an input with items for its responses: of the definition, what `schema` declares. */
export function compileItems<Shown extends ItemsInput, Block extends ItemsBlock>(
  block: Block,
  { schema, condition }: { schema: TSchema; condition: ConditionOf<Block['items'][number]> },
  context: CompileContext,
): CompiledItems<Shown> {
  return {
    template: compileTexts(keepDeclared(schema, block) as Shown, context),
    conditions: block.items.map((item, index) => {
      const { isEnabled, condition: shownIf } = condition.of(item) ?? {}
      const at = `/items/${index}${condition.at}/condition`
      return isEnabled && shownIf ? compileCondition(shownIf, context, { at, isShown: true }) : undefined
    }),
  }
}

/** The items that are not hidden with the present values, out of all that are defined. */
export function visibleItems<Item extends ItemsInput['items'][number]>(
  items: Item[],
  { conditions }: Pick<CompiledItems<ItemsInput>, 'conditions'>,
  context: RunContext,
): Item[] | Effects<Item[]> {
  return conditions.some(Boolean) ? keepVisible(items, conditions, context) : items
}

function* keepVisible<Item>(
  items: readonly Item[],
  conditions: CompiledItems<ItemsInput>['conditions'],
  context: RunContext,
): Effects<Item[]> {
  const visible: Item[] = []
  for (const [index, item] of items.entries()) {
    const condition = conditions[index]
    if (!condition || (yield* finish(evaluateCondition(condition, context)))) visible.push(item)
  }
  return visible
}

/** Shows an input with these items and waits for a choice. An earlier answer is never shown. */
export function showItems<Shown extends ItemsInput>(input: JsonFragment<Shown>, items: Shown['items']): Step {
  const isWhole = input.value.items === items
  return { input: isWhole ? input : new JsonFragment({ ...input.value, items }), next: { to: 'wait' } }
}
