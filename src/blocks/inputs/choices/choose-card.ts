import type { CardsInput, CardsInputBlock } from '../../../../schemas/blocks/inputs/choices.ts'
import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { Assignment, Reply, ReplyResult } from '../../../engine/model/step.ts'
import { composeText } from '../../../engine/values/compose-text.ts'
import { refuse } from '../lib/reply-result.ts'
import { foldCase } from './tokenized-text.ts'

type Card = CardsInput['items'][number]
type Path = NonNullable<Card['paths']>[number]
type TextReply = Extract<Reply, { type: 'text' }>

/** Which part of a chosen card goes into which variable. */
export type CardMapping = NonNullable<NonNullable<CardsInputBlock['options']>['saveResponseMapping']>

interface ChosenCard {
  readonly card: Card
  /** Undefined for a card without buttons, which was chosen by its title. */
  readonly path: Path | undefined
}

const fields: Readonly<
  Record<NonNullable<CardMapping[number]['field']>, (chosen: ChosenCard) => string | null | undefined>
> = {
  'Image URL': ({ card }) => card.imageUrl,
  Title: ({ card }) => card.title,
  Description: ({ card }) => card.description,
  Button: ({ path }) => path?.text,
  'Internal Value': ({ card }) => card.options?.internalValue || undefined,
}

/** Takes a reply for one of the cards: by the id of a button, or by its title (docs/behaviour/inputs.md, "Cards"). */
export function chooseCard(
  reply: TextReply,
  { shown, mapping }: { shown: readonly Card[]; mapping: CardMapping },
  context: RunContext,
): ReplyResult {
  const chosen = clicked(reply.replyId, shown, context) ?? named(reply.text, shown, context)
  const content = chosen && contentOf(chosen)
  if (!content) return refuse('it names none of the cards')
  const assignments = assignmentsFor(chosen, mapping)
  const edgeId = chosen.path?.outgoingEdgeId
  return {
    outcome: 'accepted',
    content,
    ...(assignments.length > 0 && { assignments }),
    ...(edgeId !== undefined && { edgeId }),
  }
}

function clicked(
  replyId: string | undefined,
  shown: readonly Card[],
  context: RunContext,
): ChosenCard | undefined {
  if (replyId === undefined) return undefined
  return longestTitled(shown, (card) => {
    const path = pathOf(card, replyId, context)
    return path && { card, path }
  })
}

/** A text that is the id of a button, as clients send it, or a title as it is spelled, or else a title in any case. */
function named(text: string, shown: readonly Card[], context: RunContext): ChosenCard | undefined {
  const isSpelled = titleMatcher(text, composeText, context)
  const isNamed = titleMatcher(text, foldCase, context)
  return (
    longestTitled(shown, (card) => {
      const path = pathOf(card, text, context)
      return path ? { card, path } : isSpelled(card)
    }) ?? longestTitled(shown, isNamed)
  )
}

/** Finds the cards with a title, which means the first button of the card. */
function titleMatcher(text: string, inCase: (text: string) => string, { spend }: RunContext) {
  const name = inCase(text.trim())
  return (card: Card): ChosenCard | undefined => {
    const title = card.title ?? ''
    spend(title.length)
    return name !== '' && inCase(title.trim()) === name ? { card, path: card.paths?.[0] } : undefined
  }
}

function pathOf({ paths = [] }: Card, pathId: string, { spend }: RunContext): Path | undefined {
  spend(1 + paths.length)
  return paths.find(({ id }) => id === pathId)
}

/** Among the cards that can be meant, that with the longest title; the first of several. */
function longestTitled(
  shown: readonly Card[],
  choose: (card: Card) => ChosenCard | undefined,
): ChosenCard | undefined {
  let best: ChosenCard | undefined
  for (const card of shown) {
    const chosen = choose(card)
    if (chosen && (best === undefined || titleLength(card) > titleLength(best.card))) best = chosen
  }
  return best
}

function titleLength({ title }: Card): number {
  return title?.length ?? 0
}

/** The name of a card: its title, else the first field that distinguishes it. */
function contentOf({ card, path }: ChosenCard): string | undefined {
  return card.title || card.imageUrl || card.description || path?.text
}

function assignmentsFor(chosen: ChosenCard, mapping: CardMapping): Assignment[] {
  return mapping.flatMap(({ field, variableId }) => {
    const value = field && fields[field](chosen)
    return value === undefined || variableId === undefined ? [] : { variableId, value }
  })
}
