import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { ReplyResult } from '../../../engine/model/step.ts'
import { refusedReply } from '../lib/reply-result.ts'
import { type Choice, labelOf, nameOf } from './choice.ts'
import { type TokenizedText, tokenizePhrase, tokenizePhrases } from './tokenized-text.ts'

interface Mention {
  readonly phrase: string
  readonly choice: Choice
}

/** What keeping and ordering one mention is worth, in characters. */
const costOfMention = 16

/**
 * Finds all the choices that a text names by id, value, label or number, in any words and order
 * (docs/behaviour.md, "Choice input").
 */
export function chooseMany(text: string, shown: readonly Choice[], { spend }: RunContext): ReplyResult {
  const spoken = tokenizePhrases(text, spend)
  const chosen = new Set<Choice>()
  const take = (phrase: string, choice: Choice) => {
    if (spoken.consume(phrase)) chosen.add(choice)
  }
  for (const { phrase, choice } of mentionsIn(spoken, shown, spend)) take(phrase, choice)
  shown.forEach((choice, index) => {
    take(String(index + 1), choice)
  })
  if (chosen.size === 0) return refusedReply
  const contents = shown.filter((choice) => chosen.has(choice)).map(contentOf)
  return { outcome: 'accepted', content: contents.join(', ') }
}

/**
 * Everything in the text that could name a choice, longest first: the id `2` is not meant by `2 nights`, nor by the
 * address of a picture. Of what is equally long ids come first, then values.
 */
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
    mentions.push({ phrase, choice })
  }
  for (const choice of shown) look(choice, choice.id)
  for (const choice of shown) look(choice, choice.value)
  for (const choice of shown) look(choice, labelOf(choice))
  return mentions.sort((one, other) => other.phrase.length - one.phrase.length)
}

/** A value counts even when it is empty. */
function contentOf(choice: Choice): string {
  return choice.value ?? nameOf(choice).trim()
}
