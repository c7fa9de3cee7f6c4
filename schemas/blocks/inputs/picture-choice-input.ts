import type { Static } from '@sinclair/typebox'
import { blockBase, ClosedObject, Id, itemBase, PartialObject } from '../../common.ts'
import { DisplayCondition, ShownDisplayCondition } from '../../condition.ts'
import { Type } from '../../type.ts'
import { answerOption } from './common.ts'

const content = {
  pictureSrc: Type.Optional(Type.String({ description: 'The address of the picture' })),
  title: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  value: Type.Optional(Type.String({ description: 'What is saved in place of the title' })),
}

const listOf = (what: string) =>
  Type.Unsafe<string>({ ...Id, description: `The variable that holds the ${what}` })

const dynamicItems = {
  isEnabled: Type.Boolean({ description: 'Off unless true' }),
  titlesVariableId: listOf('titles'),
  descriptionsVariableId: listOf('descriptions'),
  pictureSrcsVariableId: listOf('addresses of the pictures, one item for each'),
}

const options = {
  ...answerOption,
  isMultipleChoice: Type.Boolean({ description: 'Off unless true' }),
  isSearchable: Type.Boolean({ description: 'Off unless true' }),
  buttonLabel: Type.String({
    description: 'Of the button that sends several choices; the client writes its own',
  }),
  searchInputPlaceholder: Type.String(),
}

/** Asks for one of several pictures, or for some of them. */
export const PictureChoiceInputBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('picture choice input'),
  options: Type.Optional(PartialObject({ ...options, dynamicItems: PartialObject(dynamicItems) })),
  items: Type.Array(
    Type.Object({ ...itemBase, ...content, displayCondition: Type.Optional(DisplayCondition) }),
  ),
})
export type PictureChoiceInputBlock = Static<typeof PictureChoiceInputBlock>

const closed = { additionalProperties: false }

/** A picture choice input as it is shown: hidden items are left out. */
export const PictureChoiceInput = ClosedObject({
  ...blockBase,
  type: Type.Literal('picture choice input'),
  options: Type.Optional(
    PartialObject({ ...options, dynamicItems: PartialObject(dynamicItems, closed) }, closed),
  ),
  items: Type.Array(
    ClosedObject({ ...blockBase, ...content, displayCondition: Type.Optional(ShownDisplayCondition) }),
  ),
})
export type PictureChoiceInput = Static<typeof PictureChoiceInput>
