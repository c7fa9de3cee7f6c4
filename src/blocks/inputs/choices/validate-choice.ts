import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { Reply, ReplyResult } from '../../../engine/model/step.ts'
import { refusedReply } from '../lib/reply-result.ts'
import { chooseMany } from './choose-many.ts'
import { type Choices, chooseOne } from './choose-one.ts'

interface ChoiceQuestion extends Choices {
  readonly isMultiple: boolean
}

/** Judges a reply to an input that offers choices; recordings and silence are refused. */
export function validateChoice(
  reply: Reply | undefined,
  question: ChoiceQuestion,
  context: RunContext,
): ReplyResult {
  if (reply?.type !== 'text') return refusedReply
  return question.isMultiple
    ? chooseMany(reply.text, question.shown, context)
    : chooseOne(reply, question, context)
}
