import type { Static } from '@sinclair/typebox'
import { blockBase, ClosedObject, Id, itemBase, PartialObject, StringEnum } from '../../common.ts'
import { DisplayCondition, ShownDisplayCondition } from '../../condition.ts'
import { Type } from '../../type.ts'
import { answerOption } from './common.ts'

const Nullable = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })

const content = {
  imageUrl: Type.Optional(Nullable('The address of the picture')),
  title: Type.Optional(Nullable('What is saved when the card is chosen')),
  description: Type.Optional(Nullable('Below the title')),
}

const internalValue = Type.String({ description: 'For the answer mapping; not shown' })

const path = { ...blockBase, text: Type.Optional(Type.String({ description: 'The label of the button' })) }

const mapping = {
  field: StringEnum(['Image URL', 'Title', 'Description', 'Button', 'Internal Value']),
  variableId: Type.Unsafe<string>({ ...Id, description: 'The variable that receives the field' }),
}

/** Asks for one of several cards by one of its buttons. */
export const CardsInputBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('cards'),
  options: Type.Optional(
    PartialObject({ ...answerOption, saveResponseMapping: Type.Array(PartialObject(mapping)) }),
  ),
  items: Type.Array(
    Type.Object({
      ...itemBase,
      ...content,
      options: Type.Optional(PartialObject({ internalValue, displayCondition: DisplayCondition })),
      paths: Type.Optional(Type.Array(Type.Object(path))),
    }),
    { description: 'A single one whose texts are placeholders of lists stands for one card an element' },
  ),
})
export type CardsInputBlock = Static<typeof CardsInputBlock>

const closed = { additionalProperties: false }

/** A cards input as it is shown: hidden cards are left out. */
export const CardsInput = ClosedObject({
  ...blockBase,
  type: Type.Literal('cards'),
  options: Type.Optional(
    PartialObject(
      { ...answerOption, saveResponseMapping: Type.Array(PartialObject(mapping, closed)) },
      closed,
    ),
  ),
  items: Type.Array(
    ClosedObject({
      ...blockBase,
      ...content,
      options: Type.Optional(
        PartialObject({ internalValue, displayCondition: ShownDisplayCondition }, closed),
      ),
      paths: Type.Optional(Type.Array(ClosedObject(path))),
    }),
  ),
})
export type CardsInput = Static<typeof CardsInput>
