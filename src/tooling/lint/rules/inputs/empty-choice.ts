import { CardsInputBlock } from '../../../../../schemas/blocks/inputs/cards-input.ts'
import { ChoiceInputBlock } from '../../../../../schemas/blocks/inputs/choice-input.ts'
import { PictureChoiceInputBlock } from '../../../../../schemas/blocks/inputs/picture-choice-input.ts'
import { isOf, tagsOf } from '../../../../../schemas/tagged-union.ts'
import { defineRule } from '../../rule.ts'

/** Choices that show nothing. */
export const emptyChoice = defineRule({
  code: 'empty-choice',
  severity: 'warning',
  title: 'A choice that shows nothing',
  description:
    'An item has neither a label nor a picture, or an input has no items and no variable to take them from: visitors see an empty button, or nothing that they could answer. Fill it, or delete it.',
  blockTypes: [ChoiceInputBlock, PictureChoiceInputBlock, CardsInputBlock].flatMap(tagsOf),
  checkBlock({ block, pointer }, { report }) {
    if (isOf(block, ChoiceInputBlock)) {
      if (block.options?.dynamicVariableId) return
      reportEmpty(block.items, (item) => Boolean(item.content))
    }
    if (isOf(block, PictureChoiceInputBlock)) {
      if (block.options?.dynamicItems?.isEnabled === true) return
      reportEmpty(block.items, (item) => Boolean(item.title || item.pictureSrc))
    }
    if (isOf(block, CardsInputBlock)) {
      reportEmpty(block.items, (item) =>
        Boolean(item.title || item.imageUrl || item.description || item.paths?.length),
      )
    }

    function reportEmpty<Item>(items: readonly Item[], isFilled: (item: Item) => boolean): void {
      if (items.length === 0) report({ pointer, message: 'This input has nothing to choose from.' })
      for (const [index, item] of items.entries()) {
        if (!isFilled(item))
          report({ pointer: `${pointer}/items/${index}`, message: 'This item shows nothing.' })
      }
    }
  },
})
