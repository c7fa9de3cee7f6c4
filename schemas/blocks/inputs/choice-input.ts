import type { Static } from '@sinclair/typebox'
import { blockBase, ClosedObject, Id, itemBase, PartialObject } from '../../common.ts'
import { DisplayCondition, ShownDisplayCondition } from '../../condition.ts'
import { Type } from '../../type.ts'
import { answerOption } from './common.ts'

const content = {
  content: Type.Optional(Type.String({ description: 'The label' })),
  value: Type.Optional(Type.String({ description: 'What is saved in place of the label' })),
}

const options = {
  ...answerOption,
  isMultipleChoice: Type.Boolean({ description: 'Off unless true' }),
  dynamicVariableId: Type.Unsafe<string>({
    ...Id,
    description: 'The variable whose elements are shown in place of the items',
  }),
  buttonLabel: Type.String({
    description: 'Of the button that sends several choices; the client writes its own',
  }),
  isSearchable: Type.Boolean({ description: 'Off unless true' }),
  searchInputPlaceholder: Type.String(),
  areInitialSearchButtonsVisible: Type.Boolean({
    description: 'Whether the choices are shown before anything is searched for; on unless false',
  }),
}

/** Asks for one of several choices, or for some of them. */
export const ChoiceInputBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('choice input'),
  options: Type.Optional(PartialObject(options)),
  items: Type.Array(
    Type.Object({ ...itemBase, ...content, displayCondition: Type.Optional(DisplayCondition) }),
  ),
})
export type ChoiceInputBlock = Static<typeof ChoiceInputBlock>

/** A choice input as it is shown: hidden items are left out. */
export const ChoiceInput = ClosedObject({
  ...blockBase,
  type: Type.Literal('choice input'),
  options: Type.Optional(PartialObject(options, { additionalProperties: false })),
  items: Type.Array(
    ClosedObject({ ...blockBase, ...content, displayCondition: Type.Optional(ShownDisplayCondition) }),
  ),
})
export type ChoiceInput = Static<typeof ChoiceInput>
