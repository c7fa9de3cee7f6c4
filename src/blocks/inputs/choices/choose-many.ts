import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { Reply, ReplyResult } from '../../../engine/model/step.ts'
import { composeText } from '../../../engine/values/compose-text.ts'
import { notTyped, refuse } from '../lib/reply-result.ts'
import { type Choice, type Choices, choiceLabelOf, chooseOne, itemsOf, savedNameOf } from './choose-one.ts'
import { type TokenizedText, tokenizePhrase, tokenizePhrases } from './tokenized-text.ts'

interface ChoiceQuestion extends Choices {
  readonly isMultiple: boolean
}

/** Judges a reply to an input that offers choices; recordings and silence are refused. */
export function validateChoice(
  reply: Reply | undefined,
  question: ChoiceQuestion,
  context: RunContext,
): ReplyResult {
  if (reply?.type !== 'text') return notTyped
  return question.isMultiple ? chooseMany(reply.text, question, context) : chooseOne(reply, question, context)
}

interface Mention {
  readonly phrase: string
  readonly name: string
  readonly choice: Choice
}

/** Cost of keeping and ordering one mention, in characters. */
const costOfMention = 16

/**
 * Finds all the choices that a text names by id, value, label or number, in any words and order
 * (docs/behaviour/inputs.md, "Choice input").
 */
function chooseMany(text: string, { shown, defined }: Choices, { spend }: RunContext): ReplyResult {
  const spoken = tokenizePhrases(text, spend)
  const chosen = new Set<Choice>()
  const take = (phrase: string, choice: Choice) => {
    if (spoken.consume(phrase)) chosen.add(choice)
  }
  const mentions = preferSpelled(mentionsIn(spoken, shown, spend), text, spend)
  for (const { phrase, choice } of mentions) take(phrase, choice)
  shown.forEach((choice, index) => {
    take(String(index + 1), choice)
  })
  if (chosen.size === 0) return refuse('it names none of the items')
  const inOrder = shown.filter((choice) => chosen.has(choice))
  return {
    outcome: 'accepted',
    content: inOrder.map(contentOf).join(', '),
    ...itemsOf(inOrder, defined),
  }
}

/** Everything in the text that could name a choice: ids first, then values. */
function mentionsIn(
  spoken: TokenizedText,
  shown: readonly Choice[],
  spend: (characters: number) => void,
): Mention[] {
  const mentions: Mention[] = []
  const look = (choice: Choice, text: string | undefined) => {
    if (!text) return
    spend(1 + text.length)
    const phrase = tokenizePhrase(text)
    if (!spoken.includes(phrase)) return
    spend(costOfMention)
    mentions.push({ phrase, name: text, choice })
  }
  for (const choice of shown) look(choice, choice.id)
  for (const choice of shown) look(choice, choice.value)
  for (const choice of shown) look(choice, choiceLabelOf(choice))
  return mentions
}

/**
 * Longest first: the id `2` is not meant by `2 nights`, nor by the address of a picture. Of names that differ only in
 * case the one comes first that the text spells as it is.
 */
function preferSpelled(
  mentions: readonly Mention[],
  text: string,
  spend: (characters: number) => void,
): readonly Mention[] {
  const longestFirst = mentions.toSorted((one, other) => other.phrase.length - one.phrase.length)
  if (!haveRivals(mentions)) return longestFirst
  spend(text.length)
  const spelled = tokenizePhrases(text, spend, composeText)
  const isSpelled = new Map(
    mentions.map((mention) => {
      spend(1 + mention.name.length)
      return [mention, spelled.includes(tokenizePhrase(mention.name, composeText))]
    }),
  )
  const rank = (mention: Mention) => (isSpelled.get(mention) ? 0 : 1)
  return longestFirst.sort((one, other) => other.phrase.length - one.phrase.length || rank(one) - rank(other))
}

/** Whether the names of two choices differ in case only. */
function haveRivals(mentions: readonly Mention[]): boolean {
  const namedBy = new Map<string, Choice>()
  return mentions.some(({ phrase, choice }) => {
    const first = namedBy.get(phrase) ?? choice
    namedBy.set(phrase, first)
    return first !== choice
  })
}

/** A value counts even when it is empty. */
function contentOf(choice: Choice): string {
  return choice.value ?? savedNameOf(choice).trim()
}
