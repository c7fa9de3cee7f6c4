import { ImageBubbleBlock } from '../../../../../schemas/blocks/bubbles/image-bubble.ts'
import { PictureChoiceInputBlock } from '../../../../../schemas/blocks/inputs/picture-choice-input.ts'
import { isOf, tagsOf } from '../../../../../schemas/tagged-union.ts'
import { defineRule } from '../../rule.ts'

/** Pictures that say nothing to those who can't see them. */
export const missingAlt = defineRule({
  code: 'missing-alt',
  severity: 'info',
  title: 'A picture that leads somewhere, or a choice, without words',
  description:
    'A picture with a link, or a picture to choose, has no text: whoever can not see it does not know what it leads to, and the answer has no words. Write an alternative text, a title or a value.',
  blockTypes: [ImageBubbleBlock, PictureChoiceInputBlock].flatMap(tagsOf),
  checkBlock({ block, pointer }, { report }) {
    if (isOf(block, ImageBubbleBlock)) {
      const { clickLink } = block.content ?? {}
      if (!clickLink?.url || clickLink.alt) return
      report({
        pointer: `${pointer}/content/clickLink`,
        message: 'This picture is a link without an alternative text.',
      })
    }
    if (!isOf(block, PictureChoiceInputBlock) || block.options?.dynamicItems?.isEnabled === true) return
    for (const [index, { title, description, value }] of block.items.entries()) {
      if (title || description || value) continue
      report({
        pointer: `${pointer}/items/${index}`,
        message: 'This picture has no title, description or value.',
      })
    }
  },
})
