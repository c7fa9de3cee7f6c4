import { ChoiceInputBlock } from '../../../../../schemas/blocks/inputs/choice-input.ts'
import { PictureChoiceInputBlock } from '../../../../../schemas/blocks/inputs/picture-choice-input.ts'
import { isOf, tagsOf } from '../../../../../schemas/tagged-union.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import type { Report } from '../../rule.ts'
import { defineRule } from '../../rule.ts'

/** Lists of choices that nothing fills. */
export const dynamicListNeverSet = defineRule({
  code: 'dynamic-list-never-set',
  severity: 'warning',
  title: 'Choices from a variable that nothing fills',
  description:
    'The choices are the elements of a variable that has no value and that nothing in the flow writes: visitors see no choice at all, unless the start prefills the variable. Fill the variable first, or use items.',
  blockTypes: [ChoiceInputBlock, PictureChoiceInputBlock].flatMap(tagsOf),
  checkBlock({ block, pointer }, { model, report }) {
    if (isOf(block, ChoiceInputBlock)) {
      check(block.options?.dynamicVariableId, `${pointer}/options/dynamicVariableId`, { model, report })
    }
    if (isOf(block, PictureChoiceInputBlock) && block.options?.dynamicItems?.isEnabled === true) {
      const { pictureSrcsVariableId } = block.options.dynamicItems
      check(pictureSrcsVariableId, `${pointer}/options/dynamicItems/pictureSrcsVariableId`, { model, report })
    }
  },
})

interface Checked {
  readonly model: FlowModel
  report(report: Report): void
}

function check(variableId: string | undefined, pointer: string, { model, report }: Checked): void {
  if (!variableId) return
  const declared = model.program.variables.byId(variableId)
  if (!declared || model.uses.isOpen || model.uses.of(variableId).writes.length > 0) return
  if (declared.initial !== null && declared.initial.length > 0) return
  report({ pointer, message: `Nothing fills the variable "${declared.name}".`, variableId })
}
