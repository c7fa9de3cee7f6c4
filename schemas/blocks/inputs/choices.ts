import type { Static } from '@sinclair/typebox'
import {
  blockBase,
  blockOf,
  closed,
  Id,
  itemBase,
  optional,
  PartialObject,
  StringEnum,
} from '../../common.ts'
import { DisplayCondition } from '../../condition.ts'
import { Type } from '../../type.ts'
import { answerOption } from './common.ts'

const variable = (description: string) => Type.Unsafe<string>({ ...Id, description })

const isMultipleChoice = Type.Boolean({ description: 'Off unless true' })
const isSearchable = Type.Boolean({ description: 'Off unless true' })
const buttonLabel = Type.String({
  description: 'Of the button that sends several choices; the client writes its own',
})
const searchInputPlaceholder = Type.String()

const choice = optional({
  content: Type.String({ description: 'The label' }),
  value: Type.String({ description: 'What is saved in place of the label' }),
  displayCondition: DisplayCondition,
})

const choiceOptions = {
  ...answerOption,
  isMultipleChoice,
  dynamicVariableId: variable('The variable whose elements are shown in place of the items'),
  buttonLabel,
  isSearchable,
  searchInputPlaceholder,
  areInitialSearchButtonsVisible: Type.Boolean({
    description: 'Whether the choices are shown before anything is searched for; on unless false',
  }),
}

/** Asks for one of several choices, or for some of them. */
export const ChoiceInputBlock = blockOf('choice input', choiceOptions, {
  items: Type.Array(Type.Object({ ...itemBase, ...choice })),
})
export type ChoiceInputBlock = Static<typeof ChoiceInputBlock>

/** A choice input as it is shown: hidden items are left out. */
export const ChoiceInput = closed(
  blockOf('choice input', choiceOptions, { items: Type.Array(Type.Object({ ...blockBase, ...choice })) }),
)
export type ChoiceInput = Static<typeof ChoiceInput>

const pictureChoice = optional({
  pictureSrc: Type.String({ description: 'The address of the picture' }),
  title: Type.String(),
  description: Type.String(),
  value: Type.String({ description: 'What is saved in place of the title' }),
  displayCondition: DisplayCondition,
})

const pictureChoiceOptions = {
  ...answerOption,
  isMultipleChoice,
  isSearchable,
  buttonLabel,
  searchInputPlaceholder,
  dynamicItems: PartialObject({
    isEnabled: Type.Boolean({ description: 'Off unless true' }),
    titlesVariableId: variable('The variable that holds the titles'),
    descriptionsVariableId: variable('The variable that holds the descriptions'),
    pictureSrcsVariableId: variable(
      'The variable that holds the addresses of the pictures, one item for each',
    ),
  }),
}

/** Asks for one of several pictures, or for some of them. */
export const PictureChoiceInputBlock = blockOf('picture choice input', pictureChoiceOptions, {
  items: Type.Array(Type.Object({ ...itemBase, ...pictureChoice })),
})
export type PictureChoiceInputBlock = Static<typeof PictureChoiceInputBlock>

/** A picture choice input as it is shown: hidden items are left out. */
export const PictureChoiceInput = closed(
  blockOf('picture choice input', pictureChoiceOptions, {
    items: Type.Array(Type.Object({ ...blockBase, ...pictureChoice })),
  }),
)
export type PictureChoiceInput = Static<typeof PictureChoiceInput>

const Nullable = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })

const card = optional({
  imageUrl: Nullable('The address of the picture'),
  title: Nullable('What is saved when the card is chosen'),
  description: Nullable('Below the title'),
  options: PartialObject({
    internalValue: Type.String({ description: 'For the answer mapping; not shown' }),
    displayCondition: DisplayCondition,
  }),
  paths: Type.Array(
    Type.Object({
      ...blockBase,
      text: Type.Optional(Type.String({ description: 'The label of the button' })),
    }),
  ),
})

const cardsOptions = {
  ...answerOption,
  saveResponseMapping: Type.Array(
    PartialObject({
      field: StringEnum(['Image URL', 'Title', 'Description', 'Button', 'Internal Value']),
      variableId: variable('The variable that receives the field'),
    }),
  ),
}

/** Asks for one of several cards by one of its buttons. */
export const CardsInputBlock = blockOf('cards', cardsOptions, {
  items: Type.Array(Type.Object({ ...itemBase, ...card }), {
    description: 'A single one whose texts are placeholders of lists stands for one card an element',
  }),
})
export type CardsInputBlock = Static<typeof CardsInputBlock>

/** A cards input as it is shown: hidden cards are left out. */
export const CardsInput = closed(
  blockOf('cards', cardsOptions, { items: Type.Array(Type.Object({ ...blockBase, ...card })) }),
)
export type CardsInput = Static<typeof CardsInput>

/** All of them. */
export const choiceInputBlocks = [ChoiceInputBlock, PictureChoiceInputBlock, CardsInputBlock] as const

/** The same as they are shown. */
export const choiceInputs = [ChoiceInput, PictureChoiceInput, CardsInput] as const
