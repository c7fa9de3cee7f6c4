import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { Reply, Verdict } from '../../../engine/model/step.ts'
import { refused } from '../lib/reply-result.ts'
import { chooseMany } from './choose-many.ts'
import { type Choices, chooseOne } from './choose-one.ts'

/** What is asked of the visitor. */
export interface Question extends Choices {
  readonly isMultiple: boolean
}

/** Judges a reply to an input that offers choices; recordings and silence are refused. */
export function judgeChoice(reply: Reply | undefined, question: Question, context: RunContext): Verdict {
  if (reply?.type !== 'text') return refused
  return question.isMultiple
    ? chooseMany(reply.text, question.shown, context)
    : chooseOne(reply, question, context)
}
