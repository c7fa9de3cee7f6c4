import { CardsInput, CardsInputBlock } from '../../../schemas/blocks/inputs/choices.ts'
import { defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { andThen, type Effects } from '../../engine/model/effects.ts'
import { type CardMapping, chooseCard } from './choices/choose-card.ts'
import { compileDynamicCards, type DynamicCards, dynamicCards } from './choices/dynamic-cards.ts'
import { type CompiledItems, compileItems, showItems, visibleItems } from './choices/visible-items.ts'
import { notTyped } from './lib/reply-result.ts'

interface CompiledCardsInput extends CompiledItems<CardsInput> {
  readonly variableId: string | undefined
  /** Undefined unless there is a single item, which can then stand for many. */
  readonly dynamic: DynamicCards | undefined
  readonly mapping: CardMapping
}

const condition = {
  at: '/options/displayCondition',
  of: (item: CardsInputBlock['items'][number]) => item.options?.displayCondition,
}

/** Asks for one of its cards, or of those made from lists (docs/behaviour/inputs.md, "Cards"). */
export const cardsInput = defineBlock<CardsInputBlock, CompiledCardsInput>({
  schema: CardsInputBlock,
  kind: 'input',
  compile: (block, context) => ({
    ...compileItems<CardsInput, CardsInputBlock>(block, { schema: CardsInput, condition }, context),
    variableId: block.options?.variableId,
    dynamic: compileDynamicCards(block, context),
    mapping: block.options?.saveResponseMapping ?? [],
  }),
  run: (compiled, context) => {
    const input = context.render(compiled.template)
    return andThen(shownCards(input.value.items, compiled, context), (shown) => showItems(input, shown))
  },
  reply: (compiled, reply, context) => {
    if (reply?.type !== 'text') return notTyped
    const { items } = context.render(compiled.template).value
    const { mapping } = compiled
    return andThen(shownCards(items, compiled, context), (shown) =>
      chooseCard(reply, { shown, mapping }, context),
    )
  },
  inputName: 'cards',
  answerVariableId: ({ variableId }) => variableId,
  itemEdgeIds: ({ items }) => items.flatMap(({ outgoingEdgeId }) => outgoingEdgeId ?? []),
  showsChoices: true,
})

function shownCards(
  defined: CardsInput['items'],
  compiled: CompiledCardsInput,
  context: RunContext,
): CardsInput['items'] | Effects<CardsInput['items']> {
  const [only] = defined
  const made = only && compiled.dynamic && dynamicCards(only, compiled.dynamic, context)
  return made ?? visibleItems(defined, compiled, context)
}
