import { ChoiceInputBlock } from '../../../../../schemas/blocks/inputs/choice-input.ts'
import { PictureChoiceInputBlock } from '../../../../../schemas/blocks/inputs/picture-choice-input.ts'
import { isOf, tagsOf } from '../../../../../schemas/tagged-union.ts'
import { defineRule } from '../../rule.ts'

/** Choices that can't be distinguished. */
export const duplicateChoice = defineRule({
  code: 'duplicate-choice',
  severity: 'warning',
  title: 'Two choices that can not be told apart',
  description:
    'Two items have one label and no value of their own, or the value of one is the label of another: an answer is taken for the first of them. Give them different labels, or values. Items that are shown by a condition only are left alone.',
  blockTypes: [ChoiceInputBlock, PictureChoiceInputBlock].flatMap(tagsOf),
  checkBlock({ block, pointer }, { report }) {
    if (!isOf(block, ChoiceInputBlock) && !isOf(block, PictureChoiceInputBlock)) return
    const first = new Map<string, number>()
    for (const [index, item] of block.items.entries()) {
      if (item.displayCondition?.isEnabled === true) continue
      const label = 'content' in item ? item.content : 'title' in item ? item.title : undefined
      const answers = new Set([item.value, label].flatMap((text) => (text ? [text] : [])))
      for (const answer of answers) {
        const taken = first.get(answer)
        // The same label with values of their own is distinguished by them, unless a visitor types.
        if (taken === undefined) first.set(answer, index)
        else if (!item.value || answer === item.value) {
          report({
            pointer: `${pointer}/items/${index}`,
            message: `"${answer}" is taken for an earlier item.`,
            related: [{ pointer: `${pointer}/items/${taken}`, message: 'The item that takes the answer.' }],
          })
          break
        }
      }
    }
  },
})
