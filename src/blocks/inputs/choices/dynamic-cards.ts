import type { CardsInput, CardsInputBlock } from '../../../../schemas/blocks/inputs/choices.ts'
import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import { parseTemplate } from '../../../engine/templates/parse-template.ts'
import { safeAddress } from '../../../engine/templates/url-policy.ts'
import type { Value } from '../../../engine/values/value.ts'
import type { VariableRef } from '../../../engine/values/variables.ts'

type Card = CardsInput['items'][number]

/** The variables behind those texts of a card that are exactly one placeholder. */
export interface DynamicCards {
  readonly title: VariableRef | undefined
  readonly imageUrl: VariableRef | undefined
  readonly description: VariableRef | undefined
  readonly internalValue: VariableRef | undefined
}

/** Finds out whether a block can stand for cards made from lists: only one with a single item can. */
export function compileDynamicCards(
  { items }: CardsInputBlock,
  { variables }: CompileContext,
): DynamicCards | undefined {
  const [item] = items
  if (item === undefined || items.length > 1) return undefined
  const refOf = (text: string | null | undefined) => {
    const lone = text ? parseTemplate(text, variables).lone : undefined
    return lone?.kind === 'variable' ? lone.ref : undefined
  }
  return {
    title: refOf(item.title),
    imageUrl: refOf(item.imageUrl),
    description: refOf(item.description),
    internalValue: refOf(item.options?.internalValue),
  }
}

/** One card for each element of the first list among title, picture and description; undefined without a list. */
export function dynamicCards(item: Card, refs: DynamicCards, context: RunContext): Card[] | undefined {
  const read = (ref: VariableRef | undefined) => ref && context.variables.read(ref)
  const values: Values = {
    title: read(refs.title),
    imageUrl: read(refs.imageUrl),
    description: read(refs.description),
    internalValue: read(refs.internalValue),
  }
  const list = [values.title, values.imageUrl, values.description].find((value) => Array.isArray(value))
  if (list === undefined || list === null) return undefined
  // Each card repeats what is the same on all of them.
  const repeated = JSON.stringify([item.paths, item.options?.displayCondition]).length
  return Array.from(list, (_, index) => {
    const card = withSafePicture(cardAt(index, item, values), context)
    context.spend(repeated + lengthOf(card))
    return card
  })
}

type Values = Readonly<Record<keyof DynamicCards, Value | undefined>>

function cardAt(index: number, item: Card, values: Values): Card {
  const { title, imageUrl, description, options, paths, ...rest } = item
  return {
    ...rest,
    ...field('title', elementAt(values.title, index, title)),
    ...field('imageUrl', elementAt(values.imageUrl, index, imageUrl)),
    ...field('description', elementAt(values.description, index, description)),
    ...(options && { options: optionsAt(index, options, values) }),
    ...(paths && {
      paths: paths.map((path, at) => ({ ...path, id: `dynamic-card-${index}-path-${at}` })),
    }),
  }
}

function optionsAt(index: number, options: NonNullable<Card['options']>, values: Values) {
  const { internalValue, ...rest } = options
  return {
    ...rest,
    ...field('internalValue', elementAt(values.internalValue, index, internalValue) ?? undefined),
  }
}

function withSafePicture(card: Card, context: RunContext): Card {
  if (typeof card.imageUrl !== 'string') return card
  return { ...card, imageUrl: safeAddress(card.imageUrl, 'media', context) }
}

/** The element of a list or the one text that a placeholder stands for; text of any other kind as it is. */
function elementAt(value: Value | undefined, index: number, text: string | null | undefined) {
  if (value === undefined) return text
  return typeof value === 'string' ? value : value?.[index]
}

function field<Key extends string, Content>(key: Key, content: Content | undefined) {
  return (content === undefined ? {} : { [key]: content }) as { [K in Key]?: Content }
}

function lengthOf({ title, imageUrl, description, options }: Card): number {
  const texts = [title, imageUrl, description, options?.internalValue]
  return texts.reduce<number>((length, text) => length + (text?.length ?? 0), 0)
}
